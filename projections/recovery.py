"""What each session was doing, from which the recovery after a compaction is written.

`projections.last_compaction` applies the events of a compaction.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.facts import gathering
from projections.facts.session import Gathered, SessionFacts, TimedText, Trail
from projections.projection import (
    Projection,
    command_text,
    inherit,
    put,
    recent,
    with_files,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from journal.events.pressure import CheckpointSaved, ContextInjected
    from journal.events.session import SessionEnded, SessionStarted
    from journal.events.stock import DecisionRecorded
    from journal.events.tool import FilesChanged, ToolFailed, ToolFinished
    from journal.events.turn import CommandExpanded, PromptSubmitted
    from journal.events.usage import PromptsWithdrawn

_FILES = 12
_FAILURES = 8
_DECISIONS = 12
_STEPS = ("started", "gathered", "summarized", "finished")  # of a compaction


class Recovery(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → Trail."""

    sessions: dict[str, Trail] = {}


_BLANK = Trail()


def _started(state: Recovery, event: "SessionStarted") -> Recovery:
    if not event.sid:
        return state
    if event.source == "compact":
        from projections.last_compaction import proved

        trail = proved(state.sessions.get(event.sid) or _BLANK, "restarted", event)
        return Recovery(put(state.sessions, event.sid, trail))
    sessions = inherit(state.sessions, event)
    if sessions is not None:
        trail = replace(sessions[event.sid], ended=False)
        if event.source == "clear":  # the user ended the conversation: only decisions go on
            trail = Trail(decisions=trail.decisions, undelivered=trail.undelivered)
        return Recovery({**sessions, event.sid: trail})
    trail = state.sessions.get(event.sid, _BLANK)
    if trail.ended:
        return Recovery(put(state.sessions, event.sid, replace(trail, ended=False)))
    return state


def _ended(trail: Trail, _event: "SessionEnded") -> Trail:
    if trail is _BLANK or trail.ended:
        return trail
    # It may be resumed, but every hook reads the state: keep only the newest facts.
    compaction = trail.compaction and replace(trail.compaction, facts=SessionFacts())
    gathered = gathering.after_session_end(trail.gathered)
    return replace(trail, ended=True, gathered=gathered, compaction=compaction)


def _prompted(trail: Trail, event: "PromptSubmitted") -> Trail:
    if event.origin == "task-notification":
        from projections.facts.background import with_notice

        return _with_gathered(trail, with_notice(trail.gathered, event.seq, event.text))
    text = f"{event.text} {event.end}" if event.end else event.text
    prompts = gathering.with_request(trail.prompts, event.ts, text)
    if event.via:
        prompts = sorted(prompts, key=lambda prompt: prompt.at, reverse=True)
    return replace(trail, prompts=prompts)


def _expanded(trail: Trail, event: "CommandExpanded") -> Trail:
    """Add a slash command, which replaces the prompt that Claude Code reports just before it."""
    from projections.prose import is_command

    is_typed = bool(trail.prompts) and is_command(trail.prompts[0].text, event.name)
    rest = trail.prompts[1:] if is_typed else trail.prompts
    return replace(trail, prompts=gathering.with_request(rest, event.ts, command_text(event)))


def _tools(trail: Trail, events: "Sequence[ToolFinished]") -> Trail:
    files, read, gathered = trail.files, trail.read, gathering.with_calls(trail.gathered, events)
    for event in events:
        target = event.target
        if not target:
            continue
        if event.changed:
            if not files or files[0] != target:
                if target in read:
                    read = [path for path in read if path != target]
                files = recent(files, target, _FILES)
        elif (
            event.tool in ("Read", "WebFetch")
            and not event.agent
            and target not in files
            and not (read and read[0] == target)
        ):
            read = recent(read, target, _FILES)
    if files is trail.files and read is trail.read and gathered is trail.gathered:
        return trail
    return replace(trail, files=files, read=read, gathered=gathered)


def _tool_failed(trail: Trail, event: "ToolFailed") -> Trail:
    if event.interrupted:
        return trail
    gathered = gathering.with_failure(trail.gathered, event)
    gathered = replace(gathered, failures=gathered.failures[-_FAILURES:])
    return replace(trail, gathered=gathered)


def _with_gathered(trail: Trail, gathered: Gathered) -> Trail:
    return trail if gathered is trail.gathered else replace(trail, gathered=gathered)


def _decided(state: Recovery, event: "DecisionRecorded") -> Recovery:
    """Add a decision to its session or, if the user made it in a terminal, to all open ones."""
    decision = TimedText(event.ts, event.text[:300])

    def decided(trail: Trail) -> Trail:
        return replace(trail, decisions=[decision, *trail.decisions][:_DECISIONS])

    if event.sid:
        trail = decided(state.sessions.get(event.sid, _BLANK))
        return Recovery(put(state.sessions, event.sid, trail))
    sessions = {
        sid: trail
        if trail.ended
        else replace(decided(trail), undelivered=[decision, *trail.undelivered][:_DECISIONS])
        for sid, trail in state.sessions.items()
    }
    return Recovery(sessions)


def _files_changed(trail: Trail, event: "FilesChanged") -> Trail:
    def applied(files: list[str]) -> list[str]:
        files = with_files(files, event.paths, _FILES)
        return [path for path in files if path not in event.restored]

    last, files = trail.compaction, applied(trail.files)
    if last and not last.done and not last.summary:  # of the turn that is being compacted
        last = replace(last, files=applied(last.files))
    elif files == trail.files:
        return trail
    return replace(trail, files=files, compaction=last)


def hints(state: Recovery) -> list[str]:
    """Return the sessions that still lack what a summary left out."""
    return [
        sid
        for sid, trail in state.sessions.items()
        if (found := trail.compaction) and found.told and found.lost and not found.checked
    ]


def undelivered(state: Recovery) -> list[str]:
    """Return the sessions in which a decision from a terminal was not injected yet."""
    return [sid for sid, trail in state.sessions.items() if trail.undelivered and not trail.ended]


def _withdrawn(trail: Trail, event: "PromptsWithdrawn") -> Trail:
    from projections.last_compaction import withdrawn

    return withdrawn(trail, event)


def _injected(trail: Trail, event: "ContextInjected") -> Trail:
    compaction = trail.compaction
    if event.what == "decision":
        return replace(trail, undelivered=[]) if trail.undelivered else trail
    if compaction is None:
        return trail
    if event.what == "recovery":
        # A recovery that a notification caused before the compaction must come again after it.
        compaction = replace(compaction, told=compaction.done)
    elif event.what == "dropped":
        compaction = replace(compaction, checked=True, lost=None)
    else:
        return trail
    return replace(trail, compaction=compaction)


def _save_point_made(trail: Trail, event: "CheckpointSaved") -> Trail:
    # Only save points that the user asked for describe the work.
    summary = event.summary[:400] if event.cause == "asked" else ""
    compaction = trail.compaction
    if compaction is not None and event.cause == "compact":
        from projections.last_compaction import with_checkpoint

        compaction = with_checkpoint(compaction, event)
    return replace(
        trail,
        checkpoint=f"cp-{event.seq}",
        checkpoint_summary=summary or trail.checkpoint_summary,
        checkpoint_at=event.ts if summary else trail.checkpoint_at,
        compaction=compaction,
    )


def _compaction(kind: str) -> "Callable[..., Any]":
    """Return the handler of a compaction's event, which hooks import only when they fold one."""

    def handle(trail: Trail, event: "Any") -> Trail:
        from projections.last_compaction import HANDLERS

        return HANDLERS[kind](trail, event)

    return handle


PROJECTION = Projection(
    "recovery",
    39,
    Recovery(),
    {"session.started": _started, "decision.recorded": _decided},
    blank=_BLANK,
    active={
        "prompt.submitted": _prompted,
        "command.expanded": _expanded,
        "tool.failed": _tool_failed,
        "turn.ended": lambda trail, event: _with_gathered(
            trail, gathering.with_answer(trail.gathered, event.message)
        ),
        "files.changed": _files_changed,
        "subagent.ended": lambda trail, event: _with_gathered(
            trail, gathering.with_report(trail.gathered, event.message)
        ),
        "context.injected": _injected,
        "prompts.withdrawn": _withdrawn,
        "checkpoint.saved": _save_point_made,
        **{f"compact.{step}": _compaction(f"compact.{step}") for step in _STEPS},
    },
    passive={"session.ended": _ended},
    runs={"tool.finished": _tools},
    any_agent=[
        "decision.recorded",
        "files.changed",
        "subagent.ended",
        "context.injected",
        "tool.finished",
    ],
)
