"""Commands about work under way: dev cycle, skill progress, units, checkpoints, guards.

Invariant: what a command decides from the views and what it appends happen under one lock, so two
commands at once cannot both begin, adopt or resume the same thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["own_session"]


def own_session(scope: Scope, known: str) -> str:
    """Session a view of work is about: the one that is known, else the client's own.

    A session the journal has seen nothing of has no work, and is not shown that of others.
    """
    if known or scope.asked or not scope.current:
        return known
    return str(scope.event("", scope.current)["sid"])
