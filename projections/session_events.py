"""What each type of event changes in a session.

A handler is a pure function (session, event) → session; one with seq 0 has no events so far.
Invariant: counts are made here alone.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from journal.events.base import Event
from journal.events.compact import (
    CompactFinished,
    CompactGathered,
    CompactStarted,
    CompactSummarized,
)
from journal.events.pressure import AdviceGiven, PressureSampled
from journal.events.session import SessionEnded, SessionStarted, SessionSummarized
from journal.events.tool import ToolFinished
from journal.events.turn import CommandExpanded, PromptSubmitted, TurnEnded, TurnFailed
from journal.events.usage import PromptsWithdrawn, SessionTitled
from journal.transcript.threshold import stated_by
from projections.compactions import attempted, finished, restarted
from projections.projection import command_text, recent, with_files
from projections.prose import beginning, opening, without_withdrawn
from projections.session import FILES, TITLE, Session, Warned
from projections.titles import (
    expanded,
    phase_name,
    requested,
    stage_name,
    titled,
    unit_name,
    without_withdrawn_title,
)

Changes = dict[str, Any]
Handler = Callable[[Session, Any], Session]

_SOURCES = 32
_AGENTS = 64  # last subagents that are not counted again
_ASKED = 5  # prompts of which one may become the title
_MAY_BE_REQUESTED = ("work", "extract", "prompt", "")  # sources of titles that a request replaces


def _begun(session: Session, event: Event) -> Session:
    """Return the session that begins with an event, the first activity of it."""
    return replace(session, started=event.ts, root=event.sid)


def _active(session: Session, event: Event, changes: Changes) -> Session:
    """Return the session of an event with the changes, and with the event as its last activity.

    changes: of this call alone, because the activity is added to them.
    """
    if not session.seq:
        session = _begun(session, event)
    changes["seq"] = event.seq
    if event.via or event.imported:
        changes |= _seen(session, (event,))
        return replace(session, **changes)
    changes["last"] = event.ts
    if event.branch:
        changes["branch"] = event.branch
    if event.cwd:
        changes["cwd"] = event.cwd
    return replace(session, **changes)


def _seen(session: Session, events: Sequence[Event]) -> Changes:
    """Return times, branch and directory of a session after events of it.

    Reconciled and imported events may be older than those before them: a subagent's transcript is
    a file of its own.
    """
    started, last = session.started, session.last
    branch, cwd = session.branch, session.cwd
    for event in events:
        if (event.via or event.imported) and event.ts < last:
            started = min(started, event.ts)
            branch, cwd = branch or event.branch, cwd or event.cwd
        else:
            last, branch, cwd = event.ts, event.branch or branch, event.cwd or cwd
    return {"started": started, "last": last, "branch": branch, "cwd": cwd}


def _any_agent(changes_by: Callable[[Session, Any], Changes]) -> Handler:
    """Build a handler from a function that returns what an event changes besides the activity."""
    return lambda session, event: _active(session, event, changes_by(session, event))


def _main_thread(changes_by: Callable[[Session, Any], Changes]) -> Handler:
    """Build such a handler for which a subagent's event is only activity."""
    return lambda session, event: _active(
        session, event, {} if event.agent else changes_by(session, event)
    )


def started(session: Session, event: SessionStarted, parent: Session | None) -> Session:
    """Apply the start of a session. parent: the one that it continues, if known."""
    if event.agent:
        return session
    changes: Changes = {
        "sources": [*session.sources, event.source or "unknown"][-_SOURCES:],
        "ended": "",
        "inferred": False,
        "reason": "",
        "model": event.model or session.model,
        "transcript": event.transcript or session.transcript,
    }
    if not session.seq and event.previous:
        root = parent.root if parent and parent.seq else event.previous
        changes |= {"parent": event.previous, "root": root}
    if event.context_tokens:
        changes |= {"tokens": event.context_tokens, "tokens_at": event.ts}
    if event.title:
        changes |= titled(session, "custom", event.title, event.ts)
    if event.source == "compact":
        changes["compacted"] = restarted(session.compacted, event, session)
        changes["warned"] = None
    return _active(session, event, changes)


def _compaction_started(session: Session, event: CompactStarted) -> Changes:
    compacted = attempted(session.compacted, event, session)
    return {"compacted": compacted, **({"warned": None} if event.imported else {})}


def _compaction_summarized(session: Session, event: CompactSummarized) -> Changes:
    """Store a summary that proves nothing yet, because the compaction may still fail."""
    if not session.compacted or session.compacted[-1].summed or event.part != 1:
        return {}
    *rest, last = session.compacted
    return {"compacted": [*rest, replace(last, size=event.size, summary_seq=event.seq)]}


def _compaction_finished(session: Session, event: CompactFinished) -> Changes:
    if event.part != 1:
        return {}
    return {"compacted": finished(session.compacted, event, session), "warned": None}


def _advised(session: Session, event: AdviceGiven) -> Session:
    if event.agent or event.what != "pressure" or not session.seq or session.warned is not None:
        return session
    warned = Warned(event.seq, event.ts, event.level, event.tokens, session.prompts)
    return replace(session, warned=warned)


def _ended(session: Session, event: SessionEnded) -> Session:
    if event.agent or session.ended:
        return session
    changes: Changes = {"ended": event.ts, "inferred": event.inferred, "reason": event.reason}
    if event.inferred and session.seq:
        # Another session appended this event, so it is not activity.
        return replace(session, **changes)
    return _active(session, event, changes)


def _prompted(session: Session, event: PromptSubmitted) -> Changes:
    changes: Changes = {"waiting": session.waiting and bool(event.via)}
    if event.origin == "task-notification":
        return changes
    changes |= {"prompts": session.prompts + 1, "prompt": session.prompt or event.text}
    if len(session.asked) < _ASKED and event.text:
        changes["asked"] = [*session.asked, beginning(event.text)]
    if session.title_source in _MAY_BE_REQUESTED:
        changes |= requested(session, event.text, event.ts)
    if session.inferred and not event.via:  # the inferred end was wrong
        changes |= {"ended": "", "inferred": False, "reason": ""}
    return changes


def _withdrawn(session: Session, event: CompactGathered | PromptsWithdrawn) -> Session:
    """Forget the prompts that are not in the conversation; the first of the others is the title."""
    if not session.seq or event.agent or not event.withdrawn:
        return session
    asked = without_withdrawn(session.asked, event.withdrawn)
    changes: Changes = {"asked": asked}
    if not without_withdrawn([session.prompt], event.withdrawn):
        changes["prompt"] = asked[0] if asked else ""
    if session.title in {opening(text, TITLE) for text in event.withdrawn}:
        changes |= without_withdrawn_title(session, asked)
    return replace(session, **changes)


def _expanded(session: Session, event: CommandExpanded) -> Changes:
    changes = expanded(session, event)
    return changes if session.prompt else {**changes, "prompt": command_text(event)}


def tools_finished(session: Session, events: Sequence[ToolFinished]) -> Session:
    """Apply successive tool calls of one session at once, which makes a fold much faster."""
    if not session.seq:
        session = _begun(session, events[0])
    files, branch, cwd = session.files, session.branch, session.cwd
    is_late = False
    for event in events:
        if event.changed and event.target and not (files and files[0] == event.target):
            files = recent(files, event.target, FILES)
        if event.via or event.imported:
            is_late = True
        if event.branch:
            branch = event.branch
        if event.cwd:
            cwd = event.cwd
    tools = session.tools + len(events)
    if is_late:
        return replace(session, seq=event.seq, tools=tools, files=files, **_seen(session, events))
    return replace(
        session, seq=event.seq, tools=tools, files=files, last=event.ts, branch=branch, cwd=cwd
    )


def _turn_ended(session: Session, event: TurnEnded | TurnFailed) -> Changes:
    """Count a turn at its first end: after it, a Stop hook may make Claude continue.

    The input of a hook says so. In a transcript, no prompt precedes the turn's other ends.
    """
    is_same = session.waiting and (event.imported or getattr(event, "continued", False))
    waiting = session.waiting or isinstance(event, TurnEnded)
    return {"turns": session.turns + (not is_same), "waiting": waiting}


def _subagent_seen(session: Session, event: Event) -> Changes:
    """Count a subagent at its first event: hooks may see only its end, transcripts its start."""
    if event.agent in session.agents:
        return {}
    return {
        "subagents": session.subagents + 1,
        "agents": [*session.agents, event.agent][-_AGENTS:],
    }


def _sampled(session: Session, event: PressureSampled) -> Session:
    if event.agent:
        return session
    changes = _reading(session, event.tokens, event.at or event.ts, event.model)
    changes["window"] = event.window or session.window
    same = event.model in ("", session.model)
    changes["point"] = event.point or (session.point if same else 0)
    if event.point:
        changes["stated"] = stated_by(event.terms)
    return _active(session, event, changes)


def _reading(session: Session, tokens: int, at: str, model: str) -> Changes:
    """Return what a reading changes; the first after a compaction is also the compaction's."""
    compacted = session.compacted
    if compacted and compacted[-1].done and compacted[-1].after is None:
        compacted = [*compacted[:-1], replace(compacted[-1], after=tokens)]
    return {
        "tokens": tokens,
        "tokens_at": at,
        "model": model or session.model,
        "compacted": compacted,
    }


def _summarized(session: Session, event: SessionSummarized) -> Session:
    """Store a summary. It is not activity: another session may have written it.

    The session may have no events of its own here, if only its transcript was imported.
    """
    source = "extract" if event.engine == "extractive" else "summary"
    changes = titled(session, source, event.title, event.ts)
    return replace(session, summary=event.summary[:600], **changes)


def _titled(session: Session, event: SessionTitled) -> Session:
    """Store a title. It is not activity, and may come before the session's first event."""
    source = "custom" if event.source == "custom" else "ai"
    changes = titled(session, source, event.title, event.ts)
    return replace(session, **changes) if changes else session


def _worked(name: Callable[[Any], str]) -> Handler:
    """Build a handler that stores the name of an event's work, `name(event)`, as a title."""

    def handle(session: Session, event: Event) -> Session:
        changes = {} if event.agent else titled(session, "work", name(event), event.ts)
        return replace(session, **changes) if changes else session

    return handle


ACTIVE: dict[str, Handler] = {
    "session.ended": _ended,
    "prompt.submitted": _main_thread(_prompted),
    "command.expanded": _main_thread(_expanded),
    "tool.failed": _any_agent(
        lambda session, _event: {"tools": session.tools + 1, "failures": session.failures + 1}
    ),
    "files.changed": _any_agent(
        lambda session, event: {"files": with_files(session.files, event.paths, FILES)}
    ),
    "turn.ended": _main_thread(_turn_ended),
    "turn.failed": _main_thread(_turn_ended),
    "compact.started": _main_thread(_compaction_started),
    "compact.summarized": _main_thread(_compaction_summarized),
    "compact.finished": _main_thread(_compaction_finished),
    "advice.given": _advised,
    "pressure.sampled": _sampled,
    "usage.recorded": _main_thread(
        lambda session, event: _reading(session, event.context, event.ts, event.model)
    ),
    "model.switched": _any_agent(lambda session, event: {"model": event.after or session.model}),
    "subagent.started": _any_agent(_subagent_seen),
    "subagent.ended": _any_agent(_subagent_seen),
    "notification.received": _any_agent(lambda _session, _event: {}),
}

PASSIVE: dict[str, Handler] = {
    "session.summarized": _summarized,
    "session.titled": _titled,
    "compact.gathered": _withdrawn,
    "prompts.withdrawn": _withdrawn,
    "unit.started": _worked(unit_name),
    "progress.saved": _worked(phase_name),
    "stage.started": _worked(stage_name),
}
