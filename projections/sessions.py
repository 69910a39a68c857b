"""What each session was: when, from what, how much, how it ended. Commands fold it, no hook does.

Views, tables, reports, exports and the page read these counts; none counts again. Unlike a hook's
state it forgets no session. Invariant: a session without an end is open, not guessed to be over;
a session that hooks recorded and that was imported counts once (`projections.session.merge`).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from projections.all_parts import AllParts
from projections.compactions import (
    Before,
    Compaction,
    attempted,
    finished,
    restarted,
    summarized,
    warned_by,
    with_reading,
)
from projections.projection import Projection, recent
from projections.session import FILES, TITLE, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from journal.events.compact import CompactFinished, CompactStarted, CompactSummarized
    from journal.events.pressure import AdviceGiven, PressureSampled
    from journal.events.registry import Event
    from journal.events.session import (
        ModelSwitched,
        SessionEnded,
        SessionStarted,
        SessionSummarized,
    )
    from journal.events.tool import FilesChanged, ToolFailed, ToolFinished
    from journal.events.turn import CommandExpanded, PromptSubmitted
    from journal.events.usage import SessionTitled, UsageRecorded

__all__ = [
    "HANDLED",
    "PROJECTION",
    "Sessions",
    "every",
    "is_prompt",
    "session_of",
    "step",
    "tools",
]

_SOURCES = 32


class Sessions(Struct, frozen=True, omit_defaults=True):
    """sessions: the most recently active, the last one last; older: all others."""

    sessions: dict[str, Session] = {}
    older: dict[str, Session] = {}


def session_of(state: Sessions, sid: str) -> Session | None:
    """Return one session, None where it is not known."""
    return state.sessions.get(sid) or state.older.get(sid)


def every(state: Sessions) -> dict[str, Session]:
    """All sessions in the order of their last activity."""
    found = {**state.older, **state.sessions}
    return dict(sorted(found.items(), key=lambda item: item[1].seq))


def step(
    session: Session | None, kind: str, event: Any, parent: Session | None = None
) -> Session | None:
    """Apply one event of a session to it alone; None while none has been seen of it.

    parent: the session it says it goes on from, where there is one.
    """
    if kind == "session.started":
        return session if event.agent else _begun(session, event, parent)
    handler = _PARTS.moving.get(kind) or _STAYING.get(kind)
    return handler(session, event, None) if handler else session


def _change(session: Session | None, event: Event, **changes: object) -> Session:
    """Change an event's session, its last activity with it."""
    if session is None:
        session = Session(started=event.ts, root=event.sid)
    return replace(
        session,
        last=max(session.last, event.ts) if event.via else event.ts,
        seq=event.seq,
        branch=event.branch or session.branch,
        cwd=event.cwd or session.cwd,
        **changes,
    )


_BLANK = Session()


def _seen(session: Session | None, event: Event, _find: object) -> Session | None:
    return _change(session, event)


def _started(
    session: Session | None, event: SessionStarted, find: Callable[[str], Session | None]
) -> Session | None:
    if event.agent:
        return session
    return _begun(session, event, find(event.previous))


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
        changes["compacted"] = restarted(session.compacted, event, _before(session))
        changes["warned"] = None
    return _change(old, event, **changes)


def _before(session: Session) -> Before:
    return Before(session.tokens, session.point, session.prompts, session.warned)


def _compacting(session: Session | None, event: CompactStarted, _find: object) -> Session | None:
    if event.agent:
        return _change(session, event)
    old = session or _BLANK
    changes: dict[str, object] = {"compacted": attempted(old.compacted, event, _before(old))}
    if event.imported:
        changes["warned"] = None
    return _change(session, event, **changes)


def _summarized_by_fork(
    session: Session | None, event: CompactSummarized, _find: object
) -> Session | None:
    last = session.compacted[-1] if session and session.compacted else None
    if session is None or last is None or last.summed or event.agent or event.part != 1:
        return _change(session, event)
    return _change(session, event, compacted=summarized(session.compacted, event))


def _finished(session: Session | None, event: CompactFinished, _find: object) -> Session | None:
    if event.agent or event.part != 1:
        return _change(session, event)
    old = session or _BLANK
    compacted = finished(old.compacted, event, _before(old))
    return _change(session, event, compacted=compacted, warned=None)


def _advised(session: Session | None, event: AdviceGiven, _find: object) -> Session | None:
    if event.agent or event.what != "pressure":
        return session
    if session is None or session.warned is not None:
        return session
    return replace(session, warned=warned_by(event, session.prompts))


def _ended(session: Session | None, event: SessionEnded, _find: object) -> Session | None:
    if event.agent or (session is not None and session.ended):
        return session
    if event.inferred and session is not None:  # written later: no activity of the session's own
        return replace(session, ended=event.ts, inferred=True, reason=event.reason)
    return _change(session, event, ended=event.ts, inferred=event.inferred, reason=event.reason)


def is_prompt(event: PromptSubmitted) -> bool:
    """Return whether a person or a program asked for something; a task notification is none."""
    return not event.agent and event.origin != "task-notification"


def _prompted(session: Session | None, event: PromptSubmitted, _find: object) -> Session | None:
    if not is_prompt(event):
        return _change(session, event)
    old = session or _BLANK
    if old.inferred and not event.via:  # it is not over after all
        session = replace(old, ended="", inferred=False, reason="")
    changes: dict[str, object] = {"prompts": old.prompts + 1, "prompt": old.prompt or event.text}
    if not old.telling and (telling := _telling(event.text)):
        changes["telling"] = telling
    return _change(session, event, **changes)


def _telling(text: str) -> str:
    """Return a request as a title; "" where it does not say what is wanted, or is a command."""
    from projections.prose import is_telling, line, sentence

    if text.startswith("/") or not is_telling(text):
        return ""
    return sentence(text, TITLE) or line(text, TITLE)


def _expanded(session: Session | None, event: CommandExpanded, _find: object) -> Session | None:
    if event.agent or (session or _BLANK).prompt:
        return _change(session, event)
    return _change(session, event, prompt=f"/{event.name.lstrip('/')} {event.args}".strip())


def tools(session: Session | None, events: Sequence[ToolFinished], _find: object = None) -> Session:
    """Apply tool calls in a row of one session: `_change` for each would cost most of a fold."""
    last = events[-1]
    session = session or Session(started=events[0].ts, root=last.sid)
    files, branch, cwd = session.files, session.branch, session.cwd
    for event in events:
        if event.changed and event.target and not (files and files[0] == event.target):
            files = recent(files, event.target, FILES)
        branch = event.branch or branch
        cwd = event.cwd or cwd
    return replace(
        session,
        last=max(session.last, last.ts) if last.via else last.ts,
        seq=last.seq,
        branch=branch,
        cwd=cwd,
        tools=session.tools + len(events),
        files=files,
    )


def _written(session: Session | None, event: FilesChanged, _find: object) -> Session | None:
    """Files that commands of a turn wrote: git says so after the turn."""
    files = (session or _BLANK).files
    for path in reversed(event.paths):
        files = recent(files, path, FILES)
    return _change(session, event, files=files)


def _failed(session: Session | None, event: ToolFailed, _find: object) -> Session | None:
    old = session or _BLANK
    return _change(session, event, tools=old.tools + 1, failures=old.failures + 1)


def _turn(session: Session | None, event: Event, _find: object) -> Session | None:
    if event.agent:
        return _change(session, event)
    return _change(session, event, turns=(session or _BLANK).turns + 1)


def _subagent(session: Session | None, event: Event, _find: object) -> Session | None:
    return _change(session, event, subagents=(session or _BLANK).subagents + 1)


def _sampled(session: Session | None, event: PressureSampled, _find: object) -> Session | None:
    if event.agent:
        return session
    old = session or _BLANK
    return _change(
        session,
        event,
        tokens=event.tokens,
        tokens_at=event.at or event.ts,
        window=event.window or old.window,
        point=event.point or (old.point if event.model in ("", old.model) else 0),
        model=event.model or old.model,
        compacted=_with_reading(old, event.tokens),
    )


def _with_reading(session: Session, tokens: int) -> list[Compaction]:
    last = session.compacted[-1] if session.compacted else None
    if last is None or not last.done or last.after is not None:
        return session.compacted
    return with_reading(session.compacted, tokens)


def _used(session: Session | None, event: UsageRecorded, _find: object) -> Session | None:
    """A reply's cost as a transcript has it: what it was asked with and said is the context now."""
    if event.agent:
        return _change(session, event)
    tokens = (
        event.input_tokens
        + event.cache_creation_input_tokens
        + event.cache_read_input_tokens
        + event.output_tokens
    )
    old = session or _BLANK
    return _change(
        session,
        event,
        tokens=tokens,
        tokens_at=event.ts,
        model=event.model or old.model,
        compacted=_with_reading(old, tokens),
    )


def _switched(session: Session | None, event: ModelSwitched, _find: object) -> Session | None:
    return _change(session, event, model=event.after or (session or _BLANK).model)


def _summarized(session: Session | None, event: SessionSummarized, _find: object) -> Session | None:
    """A summary may be made from anywhere: it is no activity of the session it is about."""
    if session is None:
        return None
    return replace(session, title=event.title or session.title, summary=event.summary[:600])


def _titled(session: Session | None, event: SessionTitled, _find: object) -> Session | None:
    """The newest title counts, one that a person gave before all others; it is no activity."""
    if session is None or not event.title:
        return session
    old = session.named
    if old and (old[1] == "custom", old[0]) > (event.source == "custom", event.ts):
        return session
    return replace(session, named=[event.ts, event.source, event.title])


def _is_about(event: SessionSummarized) -> str:
    return event.of


_MOVING: dict[str, Callable[..., Session | None]] = {
    "session.started": _started,
    "session.ended": _ended,
    "prompt.submitted": _prompted,
    "command.expanded": _expanded,
    "tool.failed": _failed,
    "files.changed": _written,
    "turn.ended": _turn,
    "turn.failed": _turn,
    "compact.started": _compacting,
    "compact.summarized": _summarized_by_fork,
    "compact.finished": _finished,
    "advice.given": _advised,
    "pressure.sampled": _sampled,
    "usage.recorded": _used,
    "model.switched": _switched,
    "subagent.started": _subagent,
    "notification.received": _seen,
}

_STAYING: dict[str, Callable[..., Session | None]] = {
    "session.summarized": _summarized,
    "session.titled": _titled,
}

_PARTS = AllParts(_MOVING, _STAYING, {"session.summarized": _is_about}, {"tool.finished": tools})

HANDLED = frozenset((*_PARTS.moving, *_STAYING))

PROJECTION = Projection(
    "sessions",
    6,
    Sessions(),
    {},
    _PARTS,
)
