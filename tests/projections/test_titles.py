"""The title of a session: one rule for lists, reports, tables and views."""

from __future__ import annotations

import pytest

from projections.session import Session, title_of

TITLES = {
    "its own title": (Session(title="Totals", telling="Round the totals"), "Totals"),
    "what a person called it": (
        Session(title="Totals", named=["2026-11-21", "custom", "Cents"]), "Cents"
    ),
    "its first telling request": (
        Session(prompt="hi", telling="Round the totals of the cart"), "Round the totals of the cart"
    ),
    "its first request": (Session(prompt="/journal:get\nlast"), "/journal:get last"),
    "nothing": (Session(), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", TITLES)
def test_title(name: str) -> None:
    """A session's own title, else its first meaningful request, else its first request."""
    session, title = TITLES[name]
    assert title_of(session) == title
