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
    attempted,
    finished,
    restarted,
    summarized,
    warned_by,
    with_reading,
)
from projections.projection import Projection, command_text, recent, with_files
from projections.session import FILES, Session
from projections.titles import (
    expanded,
    phase_name,
    requested,
    stage_name,
    titled,
    unit_name,
)

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

    Changes = dict[str, Any]
    Handler = Callable[[Session | None, Any, Any], Session | None]

__all__ = [
    "HANDLED",
    "PROJECTION",
    "Sessions",
    "is_prompt",
    "step",
    "tools",
]

_SOURCES = 32
_MAY_BE_REQUESTED = ("work", "extract", "prompt", "")  # sources of titles that a request replaces


class Sessions(Struct, frozen=True, omit_defaults=True):
    """sessions: the most recently active, the last one last; older: all others."""

    sessions: dict[str, Session] = {}
    older: dict[str, Session] = {}


def step(
    session: Session | None, kind: str, event: Any, parent: Session | None = None
) -> Session | None:
    """Apply one event of a session to it alone; None while none has been seen of it.

    parent: the session that it says it continues, where there is one.
    """
    handler = _PARTS.moving.get(kind) or _STAYING.get(kind)
    return handler(session, event, lambda _sid: parent) if handler else session


_BLANK = Session()


def _begun(session: Session | None, event: Event) -> Session:
    """Return the session that an event is activity of; it may be the first."""
    if session is not None and session.seq:
        return session
    return replace(session or _BLANK, started=event.ts, root=event.sid)


def _active(session: Session | None, event: Event, changes: Changes) -> Session:
    """Change an event's session, its last activity with it."""
    session = _begun(session, event)
    return replace(
        session,
        last=max(session.last, event.ts) if event.via else event.ts,
        seq=event.seq,
        branch=event.branch or session.branch,
        cwd=event.cwd or session.cwd,
        **changes,
    )


def _by_any(changes_by: Callable[[Session, Any], Changes]) -> Handler:
    """Make a handler of what an event changes beside the last activity."""
    return lambda session, event, _find: _active(
        session, event, changes_by(session or _BLANK, event)
    )


def _by_main(changes_by: Callable[[Session, Any], Changes]) -> Handler:
    """Make one of what the main thread's events change; a subagent's are activity alone."""
    return lambda session, event, _find: _active(
        session, event, {} if event.agent else changes_by(session or _BLANK, event)
    )


def _started(
    old: Session | None, event: SessionStarted, find: Callable[[str], Session | None]
) -> Session | None:
    if event.agent:
        return old
    session = old or _BLANK
    changes: Changes = {
        "sources": [*session.sources, event.source or "unknown"][-_SOURCES:],
        "ended": "",
        "inferred": False,
        "reason": "",
        "model": event.model or session.model,
        "transcript": event.transcript or session.transcript,
    }
    if not session.seq and event.previous:
        parent = find(event.previous)
        root = parent.root if parent and parent.seq else event.previous
        changes |= {"parent": event.previous, "root": root}
    if event.context_tokens:
        changes |= {"tokens": event.context_tokens, "tokens_at": event.ts}
    if event.title:
        changes |= titled(session, "custom", event.title, event.ts)
    if event.source == "compact":
        changes["compacted"] = restarted(session.compacted, event, _before(session))
        changes["warned"] = None
    return _active(old, event, changes)


def _before(session: Session) -> Before:
    return Before(session.tokens, session.point, session.prompts, session.warned)


def _compacting(session: Session, event: CompactStarted) -> Changes:
    compacted = attempted(session.compacted, event, _before(session))
    return {"compacted": compacted, **({"warned": None} if event.imported else {})}


def _summarized_by_fork(session: Session, event: CompactSummarized) -> Changes:
    last = session.compacted[-1] if session.compacted else None
    if last is None or last.summed or event.part != 1:
        return {}
    return {"compacted": summarized(session.compacted, event)}


def _finished(session: Session, event: CompactFinished) -> Changes:
    if event.part != 1:
        return {}
    return {"compacted": finished(session.compacted, event, _before(session)), "warned": None}


def _advised(session: Session | None, event: AdviceGiven, _find: object) -> Session | None:
    if event.agent or event.what != "pressure":
        return session
    if session is None or not session.seq or session.warned is not None:
        return session
    return replace(session, warned=warned_by(event, session.prompts))


def _ended(session: Session | None, event: SessionEnded, _find: object) -> Session | None:
    if event.agent or (session is not None and session.ended):
        return session
    changes: Changes = {"ended": event.ts, "inferred": event.inferred, "reason": event.reason}
    if (
        event.inferred and session is not None and session.seq
    ):  # written later: no activity of the session's own
        return replace(session, **changes)
    return _active(session, event, changes)


def is_prompt(event: PromptSubmitted) -> bool:
    """Return whether a person or a program asked for something; a task notification is none."""
    return not event.agent and event.origin != "task-notification"


def _prompted(session: Session, event: PromptSubmitted) -> Changes:
    if not is_prompt(event):
        return {}
    changes: Changes = {
        "prompts": session.prompts + 1,
        "prompt": session.prompt or event.text,
    }
    if session.title_source in _MAY_BE_REQUESTED:
        changes |= requested(session, event.text, event.ts)
    if session.inferred and not event.via:  # it is not over after all
        changes |= {"ended": "", "inferred": False, "reason": ""}
    return changes


def _expanded(session: Session, event: CommandExpanded) -> Changes:
    command = command_text(event)
    changes = expanded(session, event.name.lstrip("/"), command, event.args, event.ts)
    return changes if session.prompt else {**changes, "prompt": command}


def tools(session: Session | None, events: Sequence[ToolFinished], _find: object = None) -> Session:
    """Apply tool calls in a row of one session: `_active` for each would cost most of a fold."""
    last = events[-1]
    session = _begun(session, events[0])
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


def _written(session: Session, event: FilesChanged) -> Changes:
    """Files that commands of a turn wrote: git says so after the turn."""
    return {"files": with_files(session.files, event.paths, FILES)}


def _failed(session: Session, _event: ToolFailed) -> Changes:
    return {"tools": session.tools + 1, "failures": session.failures + 1}


def _turn(session: Session, _event: Event) -> Changes:
    return {"turns": session.turns + 1}


def _subagent(session: Session, _event: Event) -> Changes:
    return {"subagents": session.subagents + 1}


def _sampled(session: Session | None, event: PressureSampled, _find: object) -> Session | None:
    if event.agent:
        return session
    old = session or _BLANK
    changes = {
        "window": event.window or old.window,
        "point": event.point or (old.point if event.model in ("", old.model) else 0),
    }
    at = event.at or event.ts
    return _active(session, event, changes | _reading(old, event.tokens, at, event.model))


def _used(session: Session, event: UsageRecorded) -> Changes:
    """A reply's cost as a transcript has it: what it was asked with and said is the context now."""
    tokens = (
        event.input_tokens
        + event.cache_creation_input_tokens
        + event.cache_read_input_tokens
        + event.output_tokens
    )
    return _reading(session, tokens, event.ts, event.model)


def _reading(session: Session, tokens: int, at: str, model: str) -> Changes:
    """Return what a reading of the context changes; the first one after a compaction is its."""
    compacted = session.compacted
    if compacted and compacted[-1].done and compacted[-1].after is None:
        compacted = with_reading(compacted, tokens)
    return {
        "tokens": tokens,
        "tokens_at": at,
        "model": model or session.model,
        "compacted": compacted,
    }


def _switched(session: Session, event: ModelSwitched) -> Changes:
    return {"model": event.after or session.model}


def _summarized(session: Session | None, event: SessionSummarized, _find: object) -> Session:
    """A summary may be made from anywhere: it is not activity of the session it is about.

    That session may be known from its transcript alone: its title and summary are kept here.
    """
    session = session or _BLANK
    source = "extract" if event.engine == "extractive" else "summary"
    changes = titled(session, source, event.title, event.ts)
    return replace(session, summary=event.summary[:600], **changes)


def _titled(session: Session | None, event: SessionTitled, _find: object) -> Session | None:
    """A title is not activity; it may come before the session's first event."""
    source = "custom" if event.source == "custom" else "ai"
    changes = titled(session or _BLANK, source, event.title, event.ts)
    return replace(session or _BLANK, **changes) if changes else session


def _worked(name: Callable[[Any], str]) -> Handler:
    """Make a handler of what names a session's work; `name` is given the event."""

    def handle(session: Session | None, event: Event, _find: object) -> Session | None:
        if event.agent:
            return session
        changes = titled(session or _BLANK, "work", name(event), event.ts)
        return replace(session or _BLANK, **changes) if changes else session

    return handle


_MOVING: dict[str, Handler] = {
    "session.started": _started,
    "session.ended": _ended,
    "prompt.submitted": _by_main(_prompted),
    "command.expanded": _by_main(_expanded),
    "tool.failed": _by_any(_failed),
    "files.changed": _by_any(_written),
    "turn.ended": _by_main(_turn),
    "turn.failed": _by_main(_turn),
    "compact.started": _by_main(_compacting),
    "compact.summarized": _by_main(_summarized_by_fork),
    "compact.finished": _by_main(_finished),
    "advice.given": _advised,
    "pressure.sampled": _sampled,
    "usage.recorded": _by_main(_used),
    "model.switched": _by_any(_switched),
    "subagent.started": _by_any(_subagent),
    "notification.received": _by_any(lambda _session, _event: {}),
}

_STAYING: dict[str, Handler] = {
    "session.summarized": _summarized,
    "session.titled": _titled,
    "unit.started": _worked(unit_name),
    "progress.saved": _worked(phase_name),
    "stage.started": _worked(stage_name),
}

# A summary is about another session than the event's own.
_ABOUT: dict[str, Callable[[Any], str]] = {"session.summarized": lambda event: str(event.of)}
_PARTS = AllParts(_MOVING, _STAYING, _ABOUT, {"tool.finished": tools})

HANDLED = frozenset((*_PARTS.moving, *_STAYING))

PROJECTION = Projection("sessions", 7, Sessions(), {}, _PARTS)
