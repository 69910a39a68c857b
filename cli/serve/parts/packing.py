"""Packs from the page and the API: saved in a journal, and queued for a session.

Invariant: whether a pack can be queued is known before it is saved, so that a request leaves both
behind or neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.shapes import Pack, PackOut, Queued
from journal.history import packs

if TYPE_CHECKING:
    from cli.serve.place import JournalScope
    from journal.history.search.index import Past

__all__ = ["save", "send"]


def save(scope: JournalScope, pack: Pack, target: Past | None) -> PackOut:
    """Save a pack in a journal; with a target, a session of that journal, queue it there too."""
    queued = None
    if target is None:
        name = packs.save(scope, pack.title, pack.sessions, pack.text, pack.sources)
    else:
        to = target.digest.sid
        name, seq = packs.save_and_queue(
            scope, to, pack.title, pack.sessions, pack.text, pack.sources
        )
        queued = _waiting(scope, to, seq, pack)
    return PackOut(
        pack=name,
        project=scope.project.name,
        title=pack.title,
        characters=len(pack.text),
        tokens=pack.tokens,
        sources=pack.sources,
        queued=queued,
    )


def send(scope: JournalScope, target: Past, pack: Pack) -> Queued:
    """Queue a pack that is not saved, for a session of that journal."""
    to = target.digest.sid
    seq = packs.queue(scope, to, title=pack.title, text=pack.text, sources=pack.sources)
    return _waiting(scope, to, seq, pack)


def _waiting(scope: JournalScope, to: str, seq: int, pack: Pack) -> Queued:
    return Queued(to=to, project=scope.project.name, seq=seq, characters=len(pack.text))
