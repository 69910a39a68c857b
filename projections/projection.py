"""What a projection is, and the small tools all of them share."""

from __future__ import annotations

from msgspec.structs import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from journal.events.registry import Event

    V = TypeVar("V")

__all__ = [
    "MOST_SESSIONS",
    "Parts",
    "Projection",
    "command_text",
    "inherit",
    "of_main",
    "parts_of_main",
    "put",
    "recent",
    "with_files",
]

# Sessions a hook's state remembers. Beyond it the least recently active one is forgotten: the
# state, and with it the cost of a hook, stays bounded however old the project is.
MOST_SESSIONS = 24


class Parts:
    """Handlers that look at one session's part of the state alone, `state.sessions[sid]`.

    moving, staying: event type → function (part, event, state) → new part. part: None where there
    is none yet; the very same object back, or None again, changes nothing. state: for what is not
    in `sessions`; its `sessions` may lag behind. A changed part is the most recent after a `moving`
    handler and stays where it was after a `staying` one, which makes no part that was not there.
    Events of no session reach none of them. limit: most parts. about: event type → function (event)
    → id of the part, where that is not the event's session. runs: event type → function (part,
    events, state) → new part, for events in a row of one session; each is a moving handler, too.

    So a long fold copies `sessions` once for many events instead of for each of them.
    """

    __slots__ = ("about", "limit", "moving", "runs", "staying")

    def __init__(
        self,
        moving: dict[str, Callable[..., Any]],
        staying: dict[str, Callable[..., Any]] | None = None,
        limit: int = MOST_SESSIONS,
        about: dict[str, Callable[[Any], str]] | None = None,
        runs: dict[str, Callable[..., Any]] | None = None,
    ) -> None:
        self.runs = runs or {}
        self.moving = {**moving, **{kind: _of_one(item) for kind, item in self.runs.items()}}
        self.staying = staying or {}
        self.limit = limit
        self.about = about or {}

    def opened(self, state: Any) -> tuple[dict[str, Any], bool, Any]:
        """Return the parts of a state in order, the most recent last.

        With them, whether they are a copy, and the third argument of the handlers.
        """
        return state.sessions, False, self.context(state)

    def context(self, state: Any) -> Any:
        """Return what a handler knows beside its part and the event."""
        return state

    def closed(self, state: Any, parts: dict[str, Any]) -> Any:
        """Return the state with these parts instead of its own."""
        return replace(state, sessions=parts)

    def part(self, state: Any, sid: str) -> Any:
        """Return one part, None where there is none."""
        return state.sessions.get(sid)

    def put(self, state: Any, sid: str, part: Any, *, moves: bool) -> Any:
        """Return the state with one part set."""
        if moves:
            return self.closed(state, put(state.sessions, sid, part, self.limit))
        return self.closed(state, {**state.sessions, sid: part})

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """Return the same handlers as functions of the whole state."""
        both = (self.moving, True), (self.staying, False)
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

    name and version: part of the snapshot's identity; raise the version when a handler changes.
    initial: the state before any event. state: its type, for reading a snapshot back.
    handlers: event type → function (state, event) → new state; a type not named leaves the very
    same object. Events of subagents reach a handler too: each decides. parts: further handlers,
    which are among `handlers` as well.
    """

    __slots__ = ("handlers", "initial", "name", "parts", "state", "version")

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
        """Apply one event of type `kind`."""
        handler = self.handlers.get(kind)
        return handler(state, event) if handler else state


def of_main(handlers: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return handlers of a state for the main thread alone: a subagent's event changes nothing."""

    def guarded(handler: Callable[..., Any]) -> Callable[..., Any]:
        return lambda state, event: state if event.agent else handler(state, event)

    return {kind: guarded(handler) for kind, handler in handlers.items()}


def parts_of_main(handlers: Mapping[str, Callable[..., Any]], blank: Any = None) -> dict[str, Any]:
    """Return handlers of parts for the main thread alone.

    blank: what they get in place of a part that is not there yet; giving it back makes none.
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
    if item in items:
        items = items.copy()
        items.remove(item)
    return [item, *items[: limit - 1]]


def with_files(files: list[str], paths: list[str], limit: int) -> list[str]:
    """Copy `files` with `paths`, the newest first of both, in front."""
    for path in reversed(paths):
        files = recent(files, path, limit)
    return files


def command_text(event: Any) -> str:
    """Return a slash command of a `command.expanded` as it was typed."""
    return f"/{event.name.lstrip('/')} {event.args}".strip()
