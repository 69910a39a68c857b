"""The past and queue views: past sessions that hooks may offer, and texts that wait."""

from typing import Any

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
        "of": card.of or None,
        "seq": card.seq,
        "date": card.date or None,
        "title": card.title or None,
        "summary": card.head or None,
        "files": card.files,
        "branch": card.branch or None,
        "root": card.root or root,
        "terms": card.terms.split(),
    }


def queue(context: ViewContext) -> dict[str, Any]:
    """Return the texts that wait, oldest first; for a session, those of its chain."""
    state: Queue = context.state("queue")
    items = state.waiting
    if context.session:
        items = waiting(state, context.state("lineage"), context.session)
    return {
        "session": context.session or None,
        "waiting": [
            {
                "seq": item.seq,
                "at": item.at,
                "to": item.sids[0],
                "sessions": item.sids,
                "pack": item.pack or None,
                "title": item.title or None,
                "characters": len(item.text),
                "text": item.text,
                "sources": item.sources,
            }
            for item in items
        ],
    }
