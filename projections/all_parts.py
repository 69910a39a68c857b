"""Parts of a state that forgets none, at the price of a bounded one: the recent are apart.

Invariant: however many parts there are, most changes copy the few recent ones only.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from msgspec.structs import replace

from projections.projection import Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["AllParts", "every", "part_of"]

_ALL = 1 << 60
_RECENT = 32  # parts whose change costs a copy of a small dict only


def part_of(state: Any, sid: str) -> Any:
    """Return one part of a state, recent or not; None where it is not known."""
    return state.sessions.get(sid) or state.older.get(sid)


def every(state: Any) -> dict[str, Any]:
    """Return all parts in the order of their last activity."""
    found = {**state.older, **state.sessions}
    return dict(sorted(found.items(), key=lambda item: item[1].seq))


def _put_recent(state: Any, sid: str, value: Any) -> Any:
    """Return a state with one part set, which is the most recent; the least recent is `older` then.

    However many parts there are, most changes copy the few recent ones only.
    """
    sessions, older = dict(state.sessions), state.older
    if sessions.pop(sid, None) is None and sid in older:
        older = {key: part for key, part in older.items() if key != sid}
    sessions[sid] = value
    while len(sessions) > _RECENT:
        first = next(iter(sessions))
        older = {**older, first: sessions.pop(first)}
    return replace(state, sessions=sessions, older=older)


class AllParts(Parts):
    """Parts of a state that forgets none: the most recent in `sessions`, the others in `older`.

    The third argument of the handlers is a function: id → part, None where there is none.
    """

    __slots__ = ()

    def __init__(
        self,
        moving: dict[str, Callable[..., Any]],
        staying: dict[str, Callable[..., Any]] | None = None,
        about: dict[str, Callable[[Any], str]] | None = None,
        runs: dict[str, Callable[..., Any]] | None = None,
    ) -> None:
        super().__init__(moving, staying, _ALL, about, runs)

    def opened(self, state: Any) -> tuple[dict[str, Any], bool, Any]:
        """Return all of them, in the order of their last activity."""
        found = {**state.older, **state.sessions}
        return found, True, found.get

    def context(self, state: Any) -> Any:
        """Return the function that finds a part."""
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
        """Return one of either kind."""
        return part_of(state, sid)

    def put(self, state: Any, sid: str, part: Any, *, moves: bool) -> Any:
        """Return the state with one set."""
        if not moves and sid in state.sessions:
            return replace(state, sessions={**state.sessions, sid: part})
        if not moves and sid in state.older:
            return replace(state, older={**state.older, sid: part})
        return _put_recent(state, sid, part)
