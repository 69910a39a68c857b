"""What a projection is, and the functions that projections share."""

from __future__ import annotations

from msgspec.structs import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from journal.events.base import Event

    V = TypeVar("V")

# Sessions in the state of a hook's projection; beyond it, the least recently active one is dropped.
# So the cost of a hook does not grow with the age of the project.
MOST_SESSIONS = 24


class Parts:
    """Handlers that change only one session's part of a state, `state.sessions[sid]`.

    With them, a long fold copies `sessions` once for many events instead of once per event. They do
    not receive events without a session.

    A handler is a function (part, event, state) → new part. The part is None if there is none yet;
    returning the same object, or None again, changes nothing. Of the state it may read all but
    `sessions`, which may be out of date.

    Args:
        active: event type → handler; the changed part becomes the most recent.
        passive: event type → handler; the part stays where it is. It must not create a part.
        limit: number of parts; beyond it, the least recent is dropped.
        about: event type → function (event) → id of the part, if that is not the event's session.
        runs: event type → function (part, events, state) → new part, for successive events of one
            session. It serves as an `active` handler, too.

    """

    def __init__(
        self,
        active: dict[str, Callable[..., Any]],
        passive: dict[str, Callable[..., Any]] | None = None,
        limit: int = MOST_SESSIONS,
        about: dict[str, Callable[[Any], str]] | None = None,
        runs: dict[str, Callable[..., Any]] | None = None,
    ) -> None:
        self.runs = runs or {}
        self.active = {**active, **{kind: _of_one(item) for kind, item in self.runs.items()}}
        self.passive = passive or {}
        self.limit = limit
        self.about = about or {}

    def opened(self, state: Any) -> tuple[dict[str, Any], bool, Any]:
        """Open a state for many changes.

        Returns:
            Its parts by id, the most recent last; whether they are a copy; and the third argument
            of the handlers.

        """
        return state.sessions, False, self.context(state)

    def context(self, state: Any) -> Any:
        """Return the third argument of the handlers."""
        return state

    def closed(self, state: Any, parts: dict[str, Any]) -> Any:
        """Return the state with these parts instead of its own."""
        return replace(state, sessions=parts)

    def part(self, state: Any, sid: str) -> Any:
        """Return the part of a session, None if there is none."""
        return state.sessions.get(sid)

    def put(self, state: Any, sid: str, part: Any, *, moves: bool) -> Any:
        """Return the state with one part set."""
        if moves:
            return self.closed(state, put(state.sessions, sid, part, self.limit))
        return self.closed(state, {**state.sessions, sid: part})

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """Return the handlers as functions (state, event) → new state."""
        both = (self.active, True), (self.passive, False)
        return {
            kind: self._of_state(function, self.about.get(kind), moves=moves)
            for functions, moves in both
            for kind, function in functions.items()
        }

    def _of_state(
        self, function: Callable[..., Any], about: Callable[[Any], str] | None, *, moves: bool
    ) -> Callable[..., Any]:
        def handle(state: Any, event: Event) -> Any:
            sid = about(event) if about else event.sid
            if not sid:
                return state
            old = self.part(state, sid)
            new = function(old, event, self.context(state))
            return state if new is old else self.put(state, sid, new, moves=moves)

        return handle


def _of_one(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda part, event, state: function(part, (event,), state)


class Projection:
    """A named fold.

    name, version: identify its state in a checkpoint; raise the version when a handler changes.
    initial: the state before any event. state: the type of the state, to decode a checkpoint.
    handlers: event type → function (state, event) → new state, those of `parts` included. They
    receive events of subagents, too. An event of any other type leaves the same object.
    """

    def __init__(
        self,
        name: str,
        version: int,
        initial: Any,
        handlers: dict[str, Callable[..., Any]],
        parts: Parts | None = None,
    ) -> None:
        self.name = name
        self.version = version
        self.initial = initial
        self.state = type(initial)
        self.handlers = {**handlers, **parts.handlers()} if parts else handlers
        self.parts = parts

    def step(self, state: Any, kind: str, event: Event) -> Any:
        """Return the state after one event of type `kind`."""
        handler = self.handlers.get(kind)
        return handler(state, event) if handler else state


def main_thread(handlers: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return the handlers of a state, wrapped so that events of subagents change nothing."""

    def guarded(handler: Callable[..., Any]) -> Callable[..., Any]:
        return lambda state, event: state if event.agent else handler(state, event)

    return {kind: guarded(handler) for kind, handler in handlers.items()}


def main_thread_parts(
    handlers: Mapping[str, Callable[..., Any]], blank: Any = None
) -> dict[str, Any]:
    """Return the handlers of parts, wrapped so that events of subagents change nothing.

    blank: passed instead of a missing part; a handler that returns it creates no part.
    """

    def guarded(handler: Callable[..., Any]) -> Callable[..., Any]:
        def handle(part: Any, event: Event, state: Any) -> Any:
            if event.agent:
                return part
            if part is not None or blank is None:
                return handler(part, event, state)
            new = handler(blank, event, state)
            return None if new is blank else new

        return handle

    return {kind: guarded(handler) for kind, handler in handlers.items()}


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
