"""Handlers for a state that forgets no session, at the cost of one that does.

The recently active sessions are in a dict of their own, so that most changes copy only that one.
"""

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from projections.projection import Parts

_ALL = 1 << 60
_RECENT = 32  # parts in the small dict, which a change copies


def part_of(state: Any, sid: str) -> Any:
    """Return one session's part of a state, None if there is none."""
    return state.sessions.get(sid) or state.older.get(sid)


def every(state: Any) -> dict[str, Any]:
    """Return all parts by id, in the order of their last activity."""
    found = {**state.older, **state.sessions}
    return dict(sorted(found.items(), key=lambda item: item[1].seq))


class AllParts(Parts):
    """Handlers for a state with the recent parts in `sessions` and the others in `older`.

    The third argument of a handler is a function that returns the part of an id, or None.
    """

    def __init__(
        self,
        active: dict[str, Callable[..., Any]],
        passive: dict[str, Callable[..., Any]] | None = None,
        about: dict[str, Callable[[Any], str]] | None = None,
        runs: dict[str, Callable[..., Any]] | None = None,
    ) -> None:
        super().__init__(active, passive, _ALL, about, runs)

    def opened(self, state: Any) -> tuple[dict[str, Any], bool, Any]:
        """Return all parts in order, as a copy."""
        found = {**state.older, **state.sessions}
        return found, True, found.get

    def context(self, state: Any) -> Any:
        """Return the function that finds a part by its id."""
        return partial(self.part, state)

    def closed(self, state: Any, parts: dict[str, Any]) -> Any:
        """Return the state with these parts."""
        older = len(parts) - _RECENT
        if older <= 0:
            return replace(state, sessions=parts, older={})
        items = iter(parts.items())
        previous = dict(islice(items, older))
        return replace(state, sessions=dict(items), older=previous)

    def part(self, state: Any, sid: str) -> Any:
        """Return one part, None if there is none."""
        return part_of(state, sid)

    def put(self, state: Any, sid: str, part: Any, *, moves: bool) -> Any:
        """Return the state with one part set; beyond `_RECENT`, the least recent go to `older`."""
        if not moves and sid in state.sessions:
            return replace(state, sessions={**state.sessions, sid: part})
        if not moves and sid in state.older:
            return replace(state, older={**state.older, sid: part})
        sessions, older = dict(state.sessions), state.older
        if sessions.pop(sid, None) is None and sid in older:
            older = {key: one for key, one in older.items() if key != sid}
        sessions[sid] = part
        while len(sessions) > _RECENT:
            first = next(iter(sessions))
            older = {**older, first: sessions.pop(first)}
        return replace(state, sessions=sessions, older=older)
