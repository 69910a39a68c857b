"""What a projection is, and the functions that projections share."""

from __future__ import annotations

from msgspec.structs import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, TypeVar

    V = TypeVar("V")

# Sessions in the state of a hook's projection; beyond it, the least recently active one is dropped.
# So the cost of a hook does not grow with the age of the project.
MOST_SESSIONS = 24


class Handler:
    """What a projection does with one event type.

    way: of calling `function`: "whole", "active", "passive", "runs" or "wide", see `Projection`.
    about: returns the id of the part that an event changes; None: that of the event's session.
    any_agent: whether events of subagents count.
    """

    __slots__ = ("about", "any_agent", "function", "way")

    def __init__(self, way: str, function: Callable[..., Any], about: Any, any_agent: bool) -> None:
        self.way = way
        self.function = function
        self.about = about
        self.any_agent = any_agent


class Projection:
    """A named fold; `fold.Fold` runs it.

    A handler is a pure function; returning the same object changes nothing. A `whole` one gets the
    state. The others get one session's part of it, `state.sessions[sid]`, so a long fold copies
    `sessions` once for many events instead of once per event; they do not receive events without a
    session.

    handlers: event type → Handler. state: the type of the state, to decode a checkpoint.

    Args:
        name, version: identify its state in a checkpoint; raise the version when a handler changes.
        initial: the state before any event.
        whole: event type → function (state, event) → new state.
        blank: passed instead of a missing part.
        active: event type → function (part, event) → new part, which becomes the most recent.
        passive: the same, but the part stays where it is.
        runs: event type → function (part, events) → new part, for successive events of one session;
            otherwise as `active`.
        wide: event type → function (part, event, state, sessions) → new part; otherwise as
            `active`. sessions: the other parts by id; `state.sessions` may be out of date.
        limit: number of parts; beyond it, the least recent is dropped. 0: none is.
        about: event type → function (event) → id of the part, if that is not the event's session.
        any_agent: event types that count for subagents, too; others are for the main thread.

    """

    def __init__(
        self,
        name: str,
        version: int,
        initial: Any,
        whole: dict[str, Callable[..., Any]] | None = None,
        *,
        blank: Any = None,
        active: dict[str, Callable[..., Any]] | None = None,
        passive: dict[str, Callable[..., Any]] | None = None,
        runs: dict[str, Callable[..., Any]] | None = None,
        wide: dict[str, Callable[..., Any]] | None = None,
        limit: int = MOST_SESSIONS,
        about: dict[str, Callable[[Any], str]] | None = None,
        any_agent: Collection[str] = (),
    ) -> None:
        self.name = name
        self.version = version
        self.initial = initial
        self.state = type(initial)
        self.blank = blank
        self.limit = limit
        ways = {"whole": whole, "active": active, "passive": passive, "runs": runs, "wide": wide}
        self.handlers = {
            kind: Handler(way, function, about and about.get(kind), kind in any_agent)
            for way, given in ways.items()
            for kind, function in (given or {}).items()
        }


def put(sessions: Mapping[str, V], sid: str, value: V, limit: int = MOST_SESSIONS) -> dict[str, V]:
    """Return a copy with `sid` as the most recent; beyond `limit`, the least recent is dropped."""
    changed = {**sessions, sid: value}
    if sid in sessions and next(reversed(changed)) != sid:
        del changed[sid]
        changed[sid] = value
    elif len(changed) > limit:
        del changed[next(iter(changed))]
    return changed


def inherit(sessions: Mapping[str, V], event: Any) -> dict[str, V] | None:
    """Return a copy in which a cleared or forked session has its predecessor's part.

    Return None if the predecessor is unknown, or the session has a part already.
    """
    if not event.previous or event.sid in sessions or event.previous not in sessions:
        return None
    return put(sessions, event.sid, sessions[event.previous])


def inherited(state: Any, event: Any) -> Any:
    """Return the state in which a cleared or forked session has its predecessor's part, if any."""
    sessions = inherit(state.sessions, event)
    return state if sessions is None else replace(state, sessions=sessions)


def recent(items: list[str], item: str, limit: int) -> list[str]:
    """Return a copy of `items` with `item` first and only once, at most `limit` items."""
    found = [item, *items]
    if item in items:
        del found[items.index(item) + 1]
    del found[limit:]
    return found


def with_files(files: list[str], paths: list[str], limit: int) -> list[str]:
    """Return a copy of `files` with `paths` in front; both are newest first.

    Many paths at once are a formatter's or a generator's: half of a full list stays.
    """
    for path in reversed(paths[: max(limit // 2, limit - len(files))]):
        files = recent(files, path, limit)
    return files


def command_text(event: Any) -> str:
    """Return the slash command of a `command.expanded` event as the user typed it."""
    return f"/{event.name.lstrip('/')} {event.args}".strip()
