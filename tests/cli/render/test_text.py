"""Tables and JSON."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cli.render.text import json_of, table
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
