"""Packs from the page and the API: saved in a journal, and queued for a session.

Invariant: whether a pack can be queued is known before it is saved, so that a request leaves both
behind or neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.shapes import Pack, PackOut, Queued

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.past.index import Past
    from cli.serve.place import JournalScope

__all__ = ["save", "send"]


def save(scope_of: Callable[[str], JournalScope], pasts: Sequence[Past], pack: Pack,
         target: Past | None) -> PackOut:  # fmt: skip
    """Save a pack in the journal of its target, else of its first session; queue it there."""
    raise NotImplementedError


def send(scope_of: Callable[[str], JournalScope], target: Past, pack: Pack) -> Queued:
    """Queue a pack that is not saved."""
    raise NotImplementedError
