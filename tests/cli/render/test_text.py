"""Tables and JSON."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cli.render.text import folded, json_of, table
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
