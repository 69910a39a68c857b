"""Tables and JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.render.text import folded, json_of, split_at_matches, table
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


@given(st.lists(TEXT, max_size=5), st.integers(20, 100))
def test_folded_lines_fit_and_lose_no_word(lines, columns):
    """No line is wider than asked for, and no character but spaces is lost."""
    plain = [line.replace("\x1b", "").removeprefix("Resume: ") for line in lines]
    found = list(folded(plain, columns))
    assert all(width(line) <= columns for line in found)
    assert ["".join("".join(part).split()) for part in (plain, found)] == [
        "".join("".join(plain).split())
    ] * 2


def test_a_folded_item_goes_on_below_its_text():
    """An item of a list is indented as Markdown needs it; a line to copy stays whole."""
    lines = ["- Asked: round the totals of the cart", "Resume: cd /home/dev/shop && claude"]
    assert list(folded(lines, 20)) == ["- Asked: round the", "  totals of the cart", lines[1]]


_HEADS = ("STARTED", "SESSION", "PROJECT", "PROMPTS", "TITLE")


@given(
    st.lists(st.text("abc漢-/", min_size=1, max_size=120), min_size=1, max_size=4),
    st.integers(60, 100),
)
def test_one_long_name_leaves_a_table(names, columns):
    """A long name is cut in its middle, and the rows stay a table of one line each."""
    rows = [("11-19 18:04", "bafee63c", name, 3, "round the totals of the cart") for name in names]
    lines = table(rows, columns, heads=_HEADS, right=(3,), names=(2,))
    assert len(lines) == 1 + len(rows)
    assert all(width(line) <= columns for line in lines)
    assert all("11-19 18:04  bafee63c" in line for line in lines[1:])


def test_a_name_cut_in_its_middle_has_both_ends():
    """Of a cut name the two ends show; where too little of it would, each row is a record."""
    row = ("11-19 18:04", "bafee63c", "feature/" + "x" * 80 + "/left-pad", 3, "a title")
    cell = table([row], 60, heads=_HEADS, right=(3,), names=(2,))[1].split("  ")[2]
    assert cell.startswith("featu")
    assert cell.endswith("left-pad")
    assert cell.count("…") == 1
    assert table([row], 40, heads=_HEADS, right=(3,), names=(2,))[0].startswith("STARTED  11-19")
    assert row[2] in table([row], 0, heads=_HEADS, names=(2,))[1]
    assert table([row], 60, heads=_HEADS, right=(3,))[0].startswith("STARTED  11-19")


@pytest.mark.parametrize("words", [("events",), ("sessions",), ("status",), ("stats",), ("config",)],
                         ids=" ".join)  # fmt: skip
def test_a_pipe_is_never_cut(words, played):
    """Without a terminal the journal shortens no text with an ellipsis."""
    long = "a long decision that goes on and on " * 6
    played.journal("decide", long)
    result = played.journal(*words, COLUMNS="")
    assert result.code == 0
    assert max(map(width, result.out.splitlines())) > 80 or words != ("events",)
    if words == ("events",):
        assert long.strip() in result.out


@pytest.mark.parametrize(
    "spans, wanted",
    [
        pytest.param([], "abcdef", id="none"),
        pytest.param([(1, 3)], "a[bc]def", id="one"),
        pytest.param([(4, 6), (0, 1)], "[a]bcd[ef]", id="any-order"),
        pytest.param([(0, 3), (2, 4)], "[abc][d]ef", id="overlapping"),
        pytest.param([(-4, 1), (5, 99)], "[a]bcde[f]", id="beyond-the-text"),
        pytest.param([(3, 3), (4, 2)], "abcdef", id="empty-and-backwards"),
    ],
)
def test_marks(spans: list[tuple[int, int]], wanted: str) -> None:
    """A snippet is cut at its matches."""
    parts = split_at_matches("abcdef", spans)
    assert "".join(f"[{text}]" if hit else text for text, hit in parts) == wanted


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40))))
def test_marks_lose_no_text(text: str, spans: list[tuple[int, int]]) -> None:
    """Whatever the spans, the parts together are the snippet."""
    assert "".join(part for part, _ in split_at_matches(text, spans)) == text
