"""How a transcript line is decoded."""

from __future__ import annotations

from journal.history.importer.records import line_of


def test_a_byte_order_mark():
    """A mark that an editor has put before the first line hides no record."""
    assert line_of(b'\xef\xbb\xbf{"type":"user"}\n').type == "user"
