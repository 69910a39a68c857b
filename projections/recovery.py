"""What a session was doing: the stuff of the text that is told after a compaction.

Invariant: one compaction is counted once, however many hooks speak of it: it is attempted by
`compact.started` and done by the first of `session.started(compact)` and `compact.finished`.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Parts, Projection, inherit, put, recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from journal.events.compact import (
        CheckpointSaved,
        CompactFinished,
        CompactStarted,
        CompactSummarized,
    )
    from journal.events.pressure import ContextInjected
    from journal.events.session import SessionEnded, SessionStarted
    from journal.events.stock import DecisionRecorded
    from journal.events.tool import ToolFailed, ToolFinished
    from journal.events.turn import CommandExpanded, PromptSubmitted, TurnEnded

__all__ = ["PROJECTION", "LastCompaction", "Recovery", "Trail", "hints"]

_FILES = 12
_PROMPTS = 3
_DECISIONS = 12
_BEGINNING = 600


class LastCompaction(Struct, frozen=True, omit_defaults=True):
    """A compaction. seq: of its start; done: it really happened; told: recovery was injected.

    restarted, summed: which of its two proofs came, the session's start and its summary.
    files, decisions and items: what the journal knew when it started; lost: which of them
    [decisions, items, files] the summary does not mention, until `checked`: it was told.
    """

    seq: int = 0
    at: str = ""
    trigger: str = ""
    tokens: int | None = None
    unpromoted: int | None = None
    promoted: bool | None = None
    headings: list[str] = []
    instructions: str = ""
    summary: str = ""
    summary_size: int = 0
    done: bool = False
    told: bool = False
    restarted: bool = False
    summed: bool = False
    checked: bool = False
    files: list[str] = []
    decisions: list[str] = []
    items: list[str] = []
    lost: list[list[str]] = []


class Trail(Struct, frozen=True, omit_defaults=True):
    """One session's trail.

    prompts: the last requests, newest first, as [time, text]; files: changed, newest first;
    read: looked at only; failures: last failed tools as [tool, target, error]; message: the last
    answer's beginning. compactions: done so far; attempts: started ones. checkpoint: id ("cp-SEQ");
    summary_seq: record of the last compact summary.
    """

    prompts: list[list[str]] = []
    files: list[str] = []
    read: list[str] = []
    failures: list[list[str]] = []
    decisions: list[list[str]] = []
    message: str = ""
    compaction: LastCompaction | None = None
    compactions: int = 0
    attempts: int = 0
    checkpoint: str = ""
    checkpoint_summary: str = ""
    summary_seq: int = 0
    ended: bool = False


class Recovery(Struct, frozen=True, omit_defaults=True):
    """sessions: sid → Trail."""

    sessions: dict[str, Trail] = {}


def _change(state: Recovery, sid: str, trail: Trail) -> Recovery:
    return Recovery(put(state.sessions, sid, trail))


_BLANK = Trail()


def _started(state: Recovery, event: "SessionStarted") -> Recovery:
    if event.agent or not event.sid:
        return state
    if event.source == "compact":
        known = state.sessions.get(event.sid)
        proved = _proved(known or _BLANK, "restarted", event.seq, event.ts)
        return _change(state, event.sid, proved)
    sessions = inherit(state.sessions, event)
    if sessions is not None:
        return Recovery(sessions)
    trail = state.sessions.get(event.sid)
    if trail is not None and trail.ended:
        return _change(state, event.sid, replace(trail, ended=False))
    return state


def _ended(trail: Trail | None, event: "SessionEnded", _state: Recovery) -> Trail | None:
    if event.agent or trail is None or trail.ended:
        return trail
    return replace(trail, ended=True)


def _prompted(trail: Trail | None, event: "PromptSubmitted", _state: Recovery) -> Trail | None:
    if event.agent or event.origin == "task-notification":
        return trail
    trail = trail or _BLANK
    prompts = [[event.ts, event.text], *trail.prompts][:_PROMPTS]
    return replace(trail, prompts=prompts)


def _expanded(trail: Trail | None, event: "CommandExpanded", _state: Recovery) -> Trail | None:
    """A command says more than the bare prompt that the client reports just before it."""
    if event.agent:
        return trail
    trail = trail or _BLANK
    text = f"/{event.name.lstrip('/')} {event.args}".strip()
    rest = trail.prompts[1:] if trail.prompts[:1] and trail.prompts[0][1] == text else trail.prompts
    prompts = [[event.ts, text], *rest][:_PROMPTS]
    return replace(trail, prompts=prompts)


def _tool(trail: Trail | None, event: "ToolFinished", _state: Recovery) -> Trail | None:
    target = event.target
    if not target:
        return trail
    if event.changed:
        known = trail or _BLANK
        if known.files and known.files[0] == target:
            return trail
        read = known.read
        if target in read:
            read = [path for path in read if path != target]
        return replace(known, files=recent(known.files, target, _FILES), read=read)
    if event.tool == "Read" and not event.agent:
        known = trail or _BLANK
        if target in known.files or (known.read and known.read[0] == target):
            return trail
        return replace(known, read=recent(known.read, target, _FILES))
    return trail


def _failed(trail: Trail | None, event: "ToolFailed", _state: Recovery) -> Trail | None:
    if event.agent or event.interrupted:
        return trail
    trail = trail or _BLANK
    failure = [event.tool, event.target[:160], event.error[:160]]
    failures = [failure, *(old for old in trail.failures if old[:2] != failure[:2])][:3]
    return replace(trail, failures=failures)


def _turn_ended(trail: Trail | None, event: "TurnEnded", _state: Recovery) -> Trail | None:
    if event.agent:
        return trail
    return replace(trail or _BLANK, message=event.message[:400])


def _decided(trail: Trail | None, event: "DecisionRecorded", _state: Recovery) -> Trail | None:
    trail = trail or _BLANK
    decisions = [[event.ts, event.text[:300]], *trail.decisions][:_DECISIONS]
    return replace(trail, decisions=decisions)


def _compacting(trail: Trail | None, event: "CompactStarted", _state: Recovery) -> Trail | None:
    if event.agent:
        return trail
    trail = trail or _BLANK
    compaction = LastCompaction(
        seq=event.seq,
        at=event.ts,
        trigger=event.trigger,
        tokens=event.tokens,
        unpromoted=event.unpromoted,
        promoted=event.promoted,
        headings=event.headings,
        instructions=event.instructions[:300],
        files=trail.files,
        decisions=[row[1] for row in trail.decisions],
        items=event.items,
    )
    return replace(trail, compaction=compaction, attempts=trail.attempts + 1)


def _proved(trail: Trail, proof: str, seq: int, ts: str) -> Trail:
    """Take a proof (`restarted` or `summed`) of a compaction: the first counts it.

    Each comes once: the second of a kind is of another compaction, whose PreCompact was never seen.
    """
    from projections.compactions import is_another  # a hook seldom needs it

    compaction = trail.compaction
    if compaction is None or is_another(compaction, proof):
        compaction = LastCompaction(seq=seq, at=ts)
        trail = replace(trail, attempts=trail.attempts + 1)
    count = trail.compactions + (not compaction.done)
    compaction = replace(compaction, done=True, **{proof: True})
    return replace(trail, compaction=compaction, compactions=count)


def _summarized(trail: Trail | None, event: "CompactSummarized", _state: Recovery) -> Trail | None:
    """The fork's own summary; it proves nothing yet: a compaction may still fail after it."""
    if trail is None or trail.compaction is None:
        return trail
    if event.part == 1 and trail.compaction.summary:
        return trail
    return _with_summary(trail, trail.compaction, event)


def _finished(trail: Trail | None, event: "CompactFinished", _state: Recovery) -> Trail | None:
    if event.agent:
        return trail
    trail = trail or _BLANK
    if event.part == 1:
        trail = _proved(trail, "summed", event.seq, event.ts)
    compaction = trail.compaction or LastCompaction()
    return _with_summary(trail, compaction, event)


def _with_summary(
    trail: Trail, compaction: LastCompaction, event: "CompactSummarized | CompactFinished"
) -> Trail:
    """Keep the summary's beginning, and what of the journal's knowledge it does not mention."""
    if event.part > 1:
        decisions, items, paths = compaction.lost or ([], [], [])
    else:
        decisions, items, paths = compaction.decisions, compaction.items, compaction.files
        compaction = replace(
            compaction, summary=event.summary[:_BEGINNING], summary_size=event.size
        )
        trail = replace(trail, summary_seq=event.seq)
    if not compaction.checked:
        from projections.dropped import Known, dropped  # a hook seldom needs it

        found = dropped(Known(paths, decisions, items), event.summary)
        lost = [found.decisions, found.items, found.paths]
        lost = lost if any(lost) else []
        compaction = replace(compaction, lost=lost)
    return replace(trail, compaction=compaction)


def hints(state: Recovery) -> list[str]:
    """Return the sessions that do not have back yet what the summary of a compaction left out."""
    return [
        sid
        for sid, trail in state.sessions.items()
        if (found := trail.compaction) and found.told and found.lost and not found.checked
    ]


def _injected(trail: Trail | None, event: "ContextInjected", _state: Recovery) -> Trail | None:
    if trail is None or trail.compaction is None:
        return trail
    compaction = trail.compaction
    if event.what == "recovery":
        # Told before it happened, by a notification, it is to be told again after.
        compaction = replace(compaction, told=compaction.done)
    elif event.what == "dropped":
        compaction = replace(compaction, checked=True, lost=[])
    else:
        return trail
    return replace(trail, compaction=compaction)


def _checkpoint(trail: Trail | None, event: "CheckpointSaved", _state: Recovery) -> Trail | None:
    if event.agent:
        return trail
    trail = trail or _BLANK
    # Automatic ones say nothing of the work: the last words of one that was asked for stay.
    summary = event.summary[:400] if event.cause == "asked" else ""
    return replace(
        trail,
        checkpoint=f"cp-{event.seq}",
        checkpoint_summary=summary or trail.checkpoint_summary,
        compaction=_completed(trail.compaction, event),
    )


def _completed(
    compaction: LastCompaction | None, event: "CheckpointSaved"
) -> LastCompaction | None:
    """Add what only the views knew when the compaction started."""
    if compaction is None or compaction.done or event.cause != "compact":
        return compaction
    if event.unpromoted is None:  # of version 0.1.0: it stands in `compact.started`
        return compaction
    return replace(
        compaction,
        unpromoted=event.unpromoted,
        promoted=event.promoted,
        headings=event.headings or compaction.headings,
        items=event.items,
    )


_MOVING: "dict[str, Callable[..., Trail | None]]" = {
    "prompt.submitted": _prompted,
    "command.expanded": _expanded,
    "tool.finished": _tool,
    "tool.failed": _failed,
    "turn.ended": _turn_ended,
    "decision.recorded": _decided,
    "compact.started": _compacting,
    "compact.summarized": _summarized,
    "compact.finished": _finished,
    "context.injected": _injected,
    "checkpoint.saved": _checkpoint,
}

PROJECTION = Projection(
    "recovery",
    4,
    Recovery(),
    {"session.started": _started},
    Parts(_MOVING, {"session.ended": _ended}),
)
