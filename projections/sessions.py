"""What each session was: when, from what, how much, how it ended. Folded by the command line only.

Unlike a hook's state it forgets no session. Invariant: a compaction counts once, whichever of its
events come and in whatever order; a session without an end is open, not guessed to be over.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from journal.event import Event
    from journal.event.compact import CompactFinished, CompactStarted
    from journal.event.pressure import PressureSampled
    from journal.event.session import (
        ModelSwitched,
        SessionEnded,
        SessionStarted,
        SessionSummarized,
    )
    from journal.event.tool import ToolFailed, ToolFinished
    from journal.event.turn import CommandExpanded, PromptSubmitted
    from journal.event.usage import UsageRecorded

    V = TypeVar("V")

__all__ = ["HANDLED", "PROJECTION", "Session", "Sessions", "every", "one", "put_aside",
           "session_of"]  # fmt: skip

_FILES = 20
_SOURCES = 32
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


def _put(state: Sessions, sid: str, session: Session) -> Sessions:
    return Sessions(*put_aside(state.sessions, state.older, sid, session))


def one(
    session: Session | None, sid: str, kind: str, event: Event, parent: Session | None = None
) -> Session | None:
    """Apply one event to one session alone; None while none has been seen of it.

    parent: the session it says it goes on from, where that is known.
    """
    handler = _HANDLERS.get(kind)
    if handler is None:
        return session
    known = {sid: session} if session is not None else {}
    if parent is not None:
        known[getattr(event, "previous", "")] = parent
    return session_of(handler(Sessions(known), event), sid)


def _change(state: Sessions, event: Event, **changes: object) -> Sessions:
    """Change an event's session, its last activity with it; an event of no session changes none."""
    if not event.sid:
        return state
    session = session_of(state, event.sid) or Session(started=event.ts, root=event.sid)
    session = replace(
        session,
        last=event.ts,
        seq=event.seq,
        branch=event.branch or session.branch,
        cwd=event.cwd or session.cwd,
        **changes,
    )
    return _put(state, event.sid, session)


def _seen(state: Sessions, event: Event) -> Sessions:
    return _change(state, event)


def _known(state: Sessions, event: Event) -> Session:
    return session_of(state, event.sid) or Session(started=event.ts, root=event.sid)


def _started(state: Sessions, event: SessionStarted) -> Sessions:
    if event.agent or not event.sid:
        return state
    old = session_of(state, event.sid)
    session = old or Session(started=event.ts, root=event.sid)
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
        parent = session_of(state, event.previous)
        changes |= {"parent": event.previous, "root": parent.root if parent else event.previous}
    if event.context_tokens:
        changes |= {"tokens": event.context_tokens, "tokens_at": event.ts}
    if event.source == "compact":
        changes |= _compacted(session, "finished", "announced")
    return _change(state, event, **changes)


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


def _compacting(state: Sessions, event: CompactStarted) -> Sessions:
    if event.agent:
        return _seen(state, event)
    return _change(state, event, awaits="started", attempts=_known(state, event).attempts + 1)


def _finished(state: Sessions, event: CompactFinished) -> Sessions:
    if event.agent or event.part != 1:
        return _seen(state, event)
    return _change(state, event, **_compacted(_known(state, event), "announced", "finished"))


def _ended(state: Sessions, event: SessionEnded) -> Sessions:
    session = session_of(state, event.sid)
    if event.agent or not event.sid or (session is not None and session.ended):
        return state
    if event.inferred and session is not None:  # written later: no activity of the session's own
        session = replace(session, ended=event.ts, inferred=True, reason=event.reason)
        return _put(state, event.sid, session)
    return _change(state, event, ended=event.ts, inferred=event.inferred, reason=event.reason)


def _prompted(state: Sessions, event: PromptSubmitted) -> Sessions:
    if event.agent or event.origin == "task-notification":
        return _seen(state, event)
    session = _known(state, event)
    return _change(state, event, prompts=session.prompts + 1, prompt=session.prompt or event.text)


def _expanded(state: Sessions, event: CommandExpanded) -> Sessions:
    session = _known(state, event)
    if event.agent or session.prompt:
        return _seen(state, event)
    return _change(state, event, prompt=f"/{event.name.lstrip('/')} {event.args}".strip())


def _tool(state: Sessions, event: ToolFinished) -> Sessions:
    session = _known(state, event)
    files = session.files
    if event.changed and event.target and files[:1] != [event.target]:
        files = recent(files, event.target, _FILES)
    return _change(state, event, tools=session.tools + 1, files=files)


def _failed(state: Sessions, event: ToolFailed) -> Sessions:
    session = _known(state, event)
    return _change(state, event, tools=session.tools + 1, failures=session.failures + 1)


def _turn(state: Sessions, event: Event) -> Sessions:
    if event.agent:
        return _seen(state, event)
    return _change(state, event, turns=_known(state, event).turns + 1)


def _subagent(state: Sessions, event: Event) -> Sessions:
    return _change(state, event, subagents=_known(state, event).subagents + 1)


def _sampled(state: Sessions, event: PressureSampled) -> Sessions:
    if event.agent or not event.sid:
        return state
    session = _known(state, event)
    return _change(
        state, event, tokens=event.tokens, tokens_at=event.at or event.ts,
        window=event.window or session.window, model=event.model or session.model,
    )  # fmt: skip


def _used(state: Sessions, event: UsageRecorded) -> Sessions:
    """A reply's cost as a transcript has it: what it was asked with and said is the context now."""
    if event.agent or not event.sid:
        return _seen(state, event)
    tokens = (
        event.input_tokens
        + event.cache_creation_input_tokens
        + event.cache_read_input_tokens
        + event.output_tokens
    )
    model = event.model or _known(state, event).model
    return _change(state, event, tokens=tokens, tokens_at=event.ts, model=model)


def _switched(state: Sessions, event: ModelSwitched) -> Sessions:
    return _change(state, event, model=event.after or _known(state, event).model)


def _summarized(state: Sessions, event: SessionSummarized) -> Sessions:
    """A summary may be made from anywhere: it is no activity of the session it is about."""
    session = session_of(state, event.of)
    if session is None:
        return state
    changed = replace(session, title=event.title or session.title, summary=event.summary[:600])
    if event.of in state.sessions:
        return Sessions({**state.sessions, event.of: changed}, state.older)
    return Sessions(state.sessions, {**state.older, event.of: changed})


_HANDLERS: dict[str, Callable[..., Sessions]] = {
    "session.started": _started,
    "session.ended": _ended,
    "session.summarized": _summarized,
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

HANDLED = frozenset(_HANDLERS)

PROJECTION = Projection("sessions", 2, Sessions(), _HANDLERS)
