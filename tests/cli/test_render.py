"""Widths, tables, escaping, JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.render.text import clean, clip, json_of, one_line, table, width, wrapped
from cli.scope import moment_of
from journal.errors import UsageError

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@given(TEXT)
def test_clean_is_printable(text):
    """A clean text is printable, and a printable one stays as it is."""
    assert clean(text).isprintable()
    assert clean(clean(text)) == clean(text)


@given(TEXT, st.integers(1, 40))
def test_clip_fits(text, most):
    """A clipped text fits, and one that fits is not touched."""
    text = one_line(text)
    assert width(clip(text, most)) <= most
    assert width(text) > most or clip(text, most) == text


@given(TEXT, st.integers(4, 40))
def test_wrapped_loses_nothing(text, columns):
    """Wrapping keeps every character but the spaces it breaks at, and fits."""
    text = one_line(text)
    lines = wrapped(text, columns, "> ")
    assert all(width(line) <= columns for line in lines)
    assert "".join(line[2:] for line in lines).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=5), st.integers(20, 100))
def test_tables_fit(rows, columns):
    """No row of a table is wider than asked for."""
    assert all(width(line) <= columns for line in table(rows, columns, heads=("A", "B", "C")))


@given(st.recursive(st.none() | st.booleans() | st.integers() | TEXT,
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner)))  # fmt: skip
def test_json_reads_back(value):
    """Escaped JSON is printable but for its own line ends, and reads back equal."""
    for indent in (None, 2):
        text = json_of(value, indent=indent)
        assert json.loads(text) == value
        assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "text, columns", [("ab", 2), ("端数", 4), ("é", 1), ("e\u0301", 1), ("", 0)]
)
def test_width(text, columns):
    """Wide characters take two columns, combining marks none."""
    assert width(text) == columns


@pytest.mark.parametrize("text, end, expected", [
    ("42", False, 42),
    ("2026-11-21T20:31:05Z", False, "2026-11-21T20:31:05.000Z"),
    ("2026-11-21T20:31:05+02:00", False, "2026-11-21T18:31:05.000Z"),
    ("2026-11-21 20:31", False, "2026-11-21T20:31:00.000Z"),
    ("2026-11-21", False, "2026-11-21T00:00:00.000Z"),
    ("2026-11-21", True, "2026-11-21T23:59:59.999Z"),
    ("90s", False, "1970-01-02T23:58:30.000Z"), ("1d", False, "1970-01-02T00:00:00.000Z"),
])  # fmt: skip
def test_moment(text, end, expected):
    """SEQ|TIME is a number, an ISO time, a date (its end for an upper bound) or an age."""
    assert moment_of(text, 2 * 86_400_000, end=end) == expected


@pytest.mark.parametrize("text", ["", "x", "2026-13-01", "-5", "5x", "٣", "1.5", "99999999999d"])
def test_no_moment(text):
    """Anything else is a wrong call."""
    with pytest.raises(UsageError):
        moment_of(text, 0)
