"""What each session was: when, from what, how much, how it ended. Folded by the command line only.

Unlike a hook's state it forgets no session. Invariant: a compaction counts once, whichever of its
events come and in whatever order; a session without an end is open, not guessed to be over.
"""

from __future__ import annotations

from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Parts, Projection, recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from journal.events.compact import CompactFinished, CompactStarted
    from journal.events.pressure import PressureSampled
    from journal.events.registry import Event
    from journal.events.session import (
        ModelSwitched,
        SessionEnded,
        SessionStarted,
        SessionSummarized,
    )
    from journal.events.tool import ToolFailed, ToolFinished
    from journal.events.turn import CommandExpanded, PromptSubmitted
    from journal.events.usage import UsageRecorded

    V = TypeVar("V")

__all__ = [
    "HANDLED",
    "PROJECTION",
    "Session",
    "Sessions",
    "Shelves",
    "every",
    "one",
    "put_aside",
    "session_of",
]

_FILES = 20
_SOURCES = 32
_ALL = 1 << 60
_AT_HAND = 32  # sessions whose change costs a copy of a small dict only


class Session(Struct, frozen=True, omit_defaults=True):
    """One session.

    started, ended, last: times; ended "" is open, inferred: nobody said so but a later start.
    sources: how it started, each time (startup, resume, clear, fork, compact). root: first session
    of its lineage, parent: the one it went on from. prompt: the first request. tools, failures:
    calls, failed ones among them; files: changed, newest first. compactions: done; attempts:
    started. tokens: last known, read at `tokens_at`. awaits: what of a compaction was seen.
    """

    started: str = ""
    ended: str = ""
    inferred: bool = False
    reason: str = ""
    last: str = ""
    seq: int = 0
    sources: list[str] = []
    root: str = ""
    parent: str = ""
    title: str = ""
    summary: str = ""
    prompts: int = 0
    prompt: str = ""
    turns: int = 0
    tools: int = 0
    failures: int = 0
    subagents: int = 0
    files: list[str] = []
    compactions: int = 0
    attempts: int = 0
    awaits: str = ""
    tokens: int | None = None
    tokens_at: str = ""
    window: int = 0
    model: str = ""
    branch: str = ""
    cwd: str = ""
    transcript: str = ""


class Sessions(Struct, frozen=True, omit_defaults=True):
    """sessions: those at hand, most recently active last; older: all others."""

    sessions: dict[str, Session] = {}
    older: dict[str, Session] = {}


def session_of(state: Sessions, sid: str) -> Session | None:
    """One session, None where it is not known."""
    return state.sessions.get(sid) or state.older.get(sid)


def every(state: Sessions) -> dict[str, Session]:
    """All sessions in the order of their last activity."""
    found = {**state.older, **state.sessions}
    return dict(sorted(found.items(), key=lambda item: item[1].seq))


def put_aside(
    at_hand: dict[str, V], older: dict[str, V], sid: str, value: V
) -> tuple[dict[str, V], dict[str, V]]:
    """Copy both with `sid` set and the most recent at hand; the least recent goes to the older.

    However many there are, most changes copy the few at hand only.
    """
    at_hand = dict(at_hand)
    if at_hand.pop(sid, None) is None and sid in older:
        older = {key: kept for key, kept in older.items() if key != sid}
    at_hand[sid] = value
    while len(at_hand) > _AT_HAND:
        first = next(iter(at_hand))
        older = {**older, first: at_hand.pop(first)}
    return at_hand, older


class Shelves(Parts):
    """Parts of a state that keeps all of them: those `sessions` at hand, and `older` ones."""

    __slots__ = ()

    def __init__(
        self,
        moving: dict[str, Callable[..., Any]],
        staying: dict[str, Callable[..., Any]] | None = None,
    ) -> None:
        super().__init__(moving, staying, _ALL)

    def opened(self, state: Any) -> tuple[dict[str, Any], bool]:
        """Give all of them, in the order of their last activity."""
        return {**state.older, **state.sessions}, True

    def closed(self, state: Any, parts: dict[str, Any]) -> Any:
        """Put all but the last ones aside again."""
        older = len(parts) - _AT_HAND
        if older <= 0:
            return type(state)(parts, {})
        items = iter(parts.items())
        aside = dict(islice(items, older))
        return type(state)(dict(items), aside)

    def part(self, state: Any, sid: str) -> Any:
        """Give one of either kind."""
        return state.sessions.get(sid) or state.older.get(sid)

    def put(self, state: Any, sid: str, part: Any, *, moves: bool) -> Any:
        """Set one; whatever changes is at hand from then on."""
        assert moves
        return type(state)(*put_aside(state.sessions, state.older, sid, part))


def one(
    session: Session | None, kind: str, event: Any, parent: Session | None = None
) -> Session | None:
    """Apply one event of a session to it alone; None while none has been seen of it.

    parent: the session it says it goes on from, where that is known.
    """
    if kind == "session.started":
        return session if event.agent else _begun(session, event, parent)
    handler = _MOVING.get(kind)
    return handler(session, event, None) if handler else session


def _change(session: Session | None, event: Event, **changes: object) -> Session:
    """Change an event's session, its last activity with it."""
    if session is None:
        session = Session(started=event.ts, root=event.sid)
    return replace(
        session,
        last=event.ts,
        seq=event.seq,
        branch=event.branch or session.branch,
        cwd=event.cwd or session.cwd,
        **changes,
    )


_BLANK = Session()


def _seen(session: Session | None, event: Event, _state: object) -> Session | None:
    return _change(session, event)


def _started(state: Sessions, event: SessionStarted) -> Sessions:
    if event.agent or not event.sid:
        return state
    session = _begun(session_of(state, event.sid), event, session_of(state, event.previous))
    return Sessions(*put_aside(state.sessions, state.older, event.sid, session))


def _begun(old: Session | None, event: SessionStarted, parent: Session | None) -> Session:
    session = old or _BLANK
    changes: dict[str, object] = {
        "sources": [*session.sources, event.source or "unknown"][-_SOURCES:],
        "ended": "",
        "inferred": False,
        "reason": "",
        "model": event.model or session.model,
        "title": event.title or session.title,
        "transcript": event.transcript or session.transcript,
    }
    if old is None and event.previous:
        changes |= {"parent": event.previous, "root": parent.root if parent else event.previous}
    if event.context_tokens:
        changes |= {"tokens": event.context_tokens, "tokens_at": event.ts}
    if event.source == "compact":
        changes |= _compacted(session, "finished", "announced")
    return _change(old, event, **changes)


def _compacted(session: Session, other: str, this: str) -> dict[str, object]:
    """Count a compaction at the first of the two events that prove it."""
    if session.awaits == other:
        return {"awaits": ""}
    started = session.awaits == "started"
    return {
        "awaits": this,
        "compactions": session.compactions + 1,
        "attempts": session.attempts + (not started),
    }


def _compacting(session: Session | None, event: CompactStarted, _state: object) -> Session | None:
    if event.agent:
        return _change(session, event)
    attempts = (session or _BLANK).attempts + 1
    return _change(session, event, awaits="started", attempts=attempts)


def _finished(session: Session | None, event: CompactFinished, _state: object) -> Session | None:
    if event.agent or event.part != 1:
        return _change(session, event)
    return _change(session, event, **_compacted(session or _BLANK, "announced", "finished"))


def _ended(session: Session | None, event: SessionEnded, _state: object) -> Session | None:
    if event.agent or (session is not None and session.ended):
        return session
    if event.inferred and session is not None:  # written later: no activity of the session's own
        return replace(session, ended=event.ts, inferred=True, reason=event.reason)
    return _change(session, event, ended=event.ts, inferred=event.inferred, reason=event.reason)


def _prompted(session: Session | None, event: PromptSubmitted, _state: object) -> Session | None:
    if event.agent or event.origin == "task-notification":
        return _change(session, event)
    known = session or _BLANK
    return _change(session, event, prompts=known.prompts + 1, prompt=known.prompt or event.text)


def _expanded(session: Session | None, event: CommandExpanded, _state: object) -> Session | None:
    if event.agent or (session or _BLANK).prompt:
        return _change(session, event)
    return _change(session, event, prompt=f"/{event.name.lstrip('/')} {event.args}".strip())


def _tool(session: Session | None, event: ToolFinished, _state: object) -> Session | None:
    known = session or _BLANK
    files = known.files
    if event.changed and event.target and files[:1] != [event.target]:
        files = recent(files, event.target, _FILES)
    return _change(session, event, tools=known.tools + 1, files=files)


def _failed(session: Session | None, event: ToolFailed, _state: object) -> Session | None:
    known = session or _BLANK
    return _change(session, event, tools=known.tools + 1, failures=known.failures + 1)


def _turn(session: Session | None, event: Event, _state: object) -> Session | None:
    if event.agent:
        return _change(session, event)
    return _change(session, event, turns=(session or _BLANK).turns + 1)


def _subagent(session: Session | None, event: Event, _state: object) -> Session | None:
    return _change(session, event, subagents=(session or _BLANK).subagents + 1)


def _sampled(session: Session | None, event: PressureSampled, _state: object) -> Session | None:
    if event.agent:
        return session
    known = session or _BLANK
    return _change(
        session,
        event,
        tokens=event.tokens,
        tokens_at=event.at or event.ts,
        window=event.window or known.window,
        model=event.model or known.model,
    )


def _used(session: Session | None, event: UsageRecorded, _state: object) -> Session | None:
    """A reply's cost as a transcript has it: what it was asked with and said is the context now."""
    if event.agent:
        return _change(session, event)
    tokens = (
        event.input_tokens
        + event.cache_creation_input_tokens
        + event.cache_read_input_tokens
        + event.output_tokens
    )
    model = event.model or (session or _BLANK).model
    return _change(session, event, tokens=tokens, tokens_at=event.ts, model=model)


def _switched(session: Session | None, event: ModelSwitched, _state: object) -> Session | None:
    return _change(session, event, model=event.after or (session or _BLANK).model)


def _summarized(state: Sessions, event: SessionSummarized) -> Sessions:
    """A summary may be made from anywhere: it is no activity of the session it is about."""
    session = session_of(state, event.of)
    if session is None:
        return state
    changed = replace(session, title=event.title or session.title, summary=event.summary[:600])
    if event.of in state.sessions:
        return Sessions({**state.sessions, event.of: changed}, state.older)
    return Sessions(state.sessions, {**state.older, event.of: changed})


_WHOLE: dict[str, Callable[..., Sessions]] = {
    "session.started": _started,
    "session.summarized": _summarized,
}
_MOVING: dict[str, Callable[..., Session | None]] = {
    "session.ended": _ended,
    "prompt.submitted": _prompted,
    "command.expanded": _expanded,
    "tool.finished": _tool,
    "tool.failed": _failed,
    "turn.ended": _turn,
    "turn.failed": _turn,
    "compact.started": _compacting,
    "compact.finished": _finished,
    "pressure.sampled": _sampled,
    "usage.recorded": _used,
    "model.switched": _switched,
    "subagent.started": _subagent,
    "notification.received": _seen,
}

HANDLED = frozenset((*_WHOLE, *_MOVING))

PROJECTION = Projection("sessions", 2, Sessions(), _WHOLE, Shelves(_MOVING))
