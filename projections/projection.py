"""What a projection is, and the small tools all of them share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from journal.event import Event

    V = TypeVar("V")

__all__ = ["KEPT", "Projection", "inherit", "put", "recent"]

# Sessions a hook's state remembers. Beyond it the least recently active one is forgotten: the
# state, and with it the cost of a hook, stays bounded however old the project is.
KEPT = 32


class Projection:
    """A named fold.

    name and version: part of the snapshot's identity; raise the version when a handler changes.
    initial: the state before any event. state: its type, for reading a snapshot back.
    handlers: event type → function (state, event) → new state; a type not named leaves the very
    same object. Events of subagents reach a handler too: each decides.
    """

    __slots__ = ("handlers", "initial", "name", "state", "version")

    def __init__(
        self, name: str, version: int, initial: Any, handlers: dict[str, Callable[..., Any]]
    ) -> None:
        self.name = name
        self.version = version
        self.initial = initial
        self.state = type(initial)
        self.handlers = handlers

    def step(self, state: Any, kind: str, event: Event) -> Any:
        """Apply one event of type `kind`."""
        handler = self.handlers.get(kind)
        return handler(state, event) if handler else state


def put(sessions: Mapping[str, V], sid: str, value: V, limit: int = KEPT) -> dict[str, V]:
    """Copy `sessions` with `sid` set and most recent; the least recent falls out past `limit`."""
    changed = {**sessions, sid: value}
    if sid in sessions and next(reversed(changed)) != sid:
        del changed[sid]
        changed[sid] = value
    elif len(changed) > limit:
        del changed[next(iter(changed))]
    return changed


def inherit(sessions: Mapping[str, V], event: Any) -> dict[str, V] | None:
    """Let a cleared or forked session start from a copy of what its predecessor knew.

    None when the event links to nobody known, or the session is known already.
    """
    if not event.previous or event.sid in sessions or event.previous not in sessions:
        return None
    return put(sessions, event.sid, sessions[event.previous])


def recent(items: list[str], item: str, limit: int) -> list[str]:
    """Copy `items` with `item` newest (first), once, at most `limit`."""
    return [item, *(other for other in items if other != item)][:limit]
