"""The past and queue views: past sessions that hooks may offer, and texts that wait."""

from typing import Any

from cli.render.text import members
from cli.view.context import ViewContext
from projections.lineage import root_of
from projections.past import Card, Past
from projections.queue import Queue, waiting


def past(context: ViewContext) -> dict[str, Any]:
    """Return the cards of past sessions, newest first; for a session, also its offers."""
    state: Past = context.state("past")
    cards = sorted(state.cards.values(), key=lambda card: (card.date, card.seq), reverse=True)
    shown = {
        "session": context.session or None,
        "cards": [
            _card(card, root_of(context.state("lineage"), card.of or card.sid)) for card in cards
        ],
    }
    if context.session:
        return {**shown, "offered": state.offered.get(context.session, [])}
    return {**shown, "offered": state.offered}


def _card(card: Card, root: str) -> dict[str, Any]:
    return {
        "session": card.sid,
        "summary": card.head or None,
        **members(card, "of", "seq", "date", "title", "files", "branch"),
        "root": card.root or root,
        "terms": card.terms.split(),
    }


def queue(context: ViewContext) -> dict[str, Any]:
    """Return the waiting texts, oldest first; for a session, those of its chain."""
    state: Queue = context.state("queue")
    items = state.waiting
    if context.session:
        items = waiting(state, context.state("lineage"), context.session)
    return {
        "session": context.session or None,
        "waiting": [
            {
                "to": item.sids[0],
                "sessions": item.sids,
                "characters": len(item.text),
                "text": item.text,
                **members(item, "seq", "at", "pack", "title", "sources"),
            }
            for item in items
        ],
    }
