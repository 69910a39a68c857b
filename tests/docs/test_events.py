"""docs/events.md lists every type of event, with every member."""

from __future__ import annotations

from journal.events.registry import KINDS
from tests.tools.events_page import page


def test_every_type_has_a_section() -> None:
    """Each type of event is a heading of the page, once."""
    headings = [line[3:] for line in page().splitlines() if line.startswith("## ")]
    assert [heading for heading in headings if "." in heading] == sorted(KINDS, key=headings.index)
    assert len(headings) == len(set(headings))
    assert {"Flow", "Stock", "StockFile"} <= set(headings)


def test_every_member_has_a_meaning() -> None:
    """The docstring of each type says what each of its members is."""
    assert [
        line for line in page().splitlines() if line.startswith("| `") and line.endswith("|  |")
    ] == []
