"""Tables, JSON, and points in time as typed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.render.text import json_of, table
from cli.scope import moment_of
from journal.errors import UsageError
from journal.text import width

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


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
