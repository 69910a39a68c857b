"""What a session was doing: the stuff of the text that is told after a compaction.

Invariant: one compaction is counted once, however many hooks speak of it: it is attempted by
`compact.started` and done by the first of `session.started(compact)` and `compact.finished`.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.dropped import Known, dropped
from projections.projection import Projection, inherit, put, recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.event.compact import (
        CheckpointSaved,
        CompactFinished,
        CompactStarted,
        CompactSummarized,
    )
    from journal.event.pressure import ContextInjected
    from journal.event.session import SessionEnded, SessionStarted
    from journal.event.stock import DecisionRecorded
    from journal.event.tool import ToolFailed, ToolFinished
    from journal.event.turn import CommandExpanded, PromptSubmitted, TurnEnded

__all__ = ["PROJECTION", "Compaction", "Recovery", "Trail", "hot"]

_FILES = 12
_PROMPTS = 3
_DECISIONS = 12
_BEGINNING = 600


class Compaction(Struct, frozen=True, omit_defaults=True):
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
    compaction: Compaction | None = None
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


def _trail(state: Recovery, sid: str) -> Trail:
    return state.sessions.get(sid) or Trail()


def _started(state: Recovery, event: "SessionStarted") -> Recovery:
    if event.agent or not event.sid:
        return state
    if event.source == "compact":
        proved = _proved(_trail(state, event.sid), "restarted", event.seq, event.ts)
        return _change(state, event.sid, proved)
    sessions = inherit(state.sessions, event)
    if sessions is not None:
        return Recovery(sessions)
    trail = state.sessions.get(event.sid)
    if trail is not None and trail.ended:
        return _change(state, event.sid, replace(trail, ended=False))
    return state


def _ended(state: Recovery, event: "SessionEnded") -> Recovery:
    trail = state.sessions.get(event.sid)
    if event.agent or trail is None or trail.ended:
        return state
    return Recovery({**state.sessions, event.sid: replace(trail, ended=True)})


def _prompted(state: Recovery, event: "PromptSubmitted") -> Recovery:
    if event.agent or not event.sid or event.origin == "task-notification":
        return state
    trail = _trail(state, event.sid)
    prompts = [[event.ts, event.text], *trail.prompts][:_PROMPTS]
    return _change(state, event.sid, replace(trail, prompts=prompts))


def _expanded(state: Recovery, event: "CommandExpanded") -> Recovery:
    """A command says more than the bare prompt that the client reports just before it."""
    if event.agent or not event.sid:
        return state
    trail = _trail(state, event.sid)
    text = f"/{event.name.lstrip('/')} {event.args}".strip()
    rest = trail.prompts[1:] if trail.prompts[:1] and trail.prompts[0][1] == text else trail.prompts
    prompts = [[event.ts, text], *rest][:_PROMPTS]
    return _change(state, event.sid, replace(trail, prompts=prompts))


def _tool(state: Recovery, event: "ToolFinished") -> Recovery:
    if not event.sid or not event.target:
        return state
    if event.changed:
        trail = _trail(state, event.sid)
        if trail.files[:1] == [event.target]:
            return state
        read = [path for path in trail.read if path != event.target]
        files = recent(trail.files, event.target, _FILES)
        return _change(state, event.sid, replace(trail, files=files, read=read))
    if event.tool == "Read" and not event.agent:
        trail = _trail(state, event.sid)
        if event.target in trail.files or trail.read[:1] == [event.target]:
            return state
        return _change(
            state, event.sid, replace(trail, read=recent(trail.read, event.target, _FILES))
        )
    return state


def _failed(state: Recovery, event: "ToolFailed") -> Recovery:
    if event.agent or not event.sid or event.interrupted:
        return state
    trail = _trail(state, event.sid)
    failure = [event.tool, event.target[:160], event.error[:160]]
    failures = [failure, *(old for old in trail.failures if old[:2] != failure[:2])][:3]
    return _change(state, event.sid, replace(trail, failures=failures))


def _turn_ended(state: Recovery, event: "TurnEnded") -> Recovery:
    if event.agent or not event.sid:
        return state
    trail = _trail(state, event.sid)
    return _change(state, event.sid, replace(trail, message=event.message[:400]))


def _decided(state: Recovery, event: "DecisionRecorded") -> Recovery:
    if not event.sid:
        return state
    trail = _trail(state, event.sid)
    decisions = [[event.ts, event.text[:300]], *trail.decisions][:_DECISIONS]
    return _change(state, event.sid, replace(trail, decisions=decisions))


def _compacting(state: Recovery, event: "CompactStarted") -> Recovery:
    if event.agent or not event.sid:
        return state
    trail = _trail(state, event.sid)
    compaction = Compaction(
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
    trail = replace(trail, compaction=compaction, attempts=trail.attempts + 1)
    return _change(state, event.sid, trail)


def _proved(trail: Trail, proof: str, seq: int, ts: str) -> Trail:
    """Take a proof (`restarted` or `summed`) of a compaction: the first counts it.

    Each comes once: the second of a kind is of another compaction, whose PreCompact was never seen.
    """
    compaction = trail.compaction
    if compaction is None or getattr(compaction, proof):
        compaction = Compaction(seq=seq, at=ts)
        trail = replace(trail, attempts=trail.attempts + 1)
    count = trail.compactions + (not compaction.done)
    compaction = replace(compaction, done=True, **{proof: True})
    return replace(trail, compaction=compaction, compactions=count)


def _summarized(state: Recovery, event: "CompactSummarized") -> Recovery:
    """The fork's own summary; it proves nothing yet: a compaction may still fail after it."""
    trail = state.sessions.get(event.sid)
    if trail is None or trail.compaction is None:
        return state
    if event.part == 1 and trail.compaction.summary:
        return state
    return _change(state, event.sid, _with_summary(trail, trail.compaction, event))


def _finished(state: Recovery, event: "CompactFinished") -> Recovery:
    if event.agent or not event.sid:
        return state
    trail = _trail(state, event.sid)
    if event.part == 1:
        trail = _proved(trail, "summed", event.seq, event.ts)
    compaction = trail.compaction or Compaction()
    return _change(state, event.sid, _with_summary(trail, compaction, event))


def _with_summary(
    trail: Trail, compaction: Compaction, event: "CompactSummarized | CompactFinished"
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
        found = dropped(Known(paths, decisions, items), event.summary)
        lost = [found.decisions, found.items, found.paths]
        lost = lost if any(lost) else []
        compaction = replace(compaction, lost=lost)
    return replace(trail, compaction=compaction)


def hot(state: Recovery) -> list[str]:
    """Give the sessions that were not told yet what the summary of their compaction lost."""
    return [
        sid
        for sid, trail in state.sessions.items()
        if (found := trail.compaction) and found.told and found.lost and not found.checked
    ]


def _injected(state: Recovery, event: "ContextInjected") -> Recovery:
    trail = state.sessions.get(event.sid)
    if trail is None or trail.compaction is None:
        return state
    compaction = trail.compaction
    if event.what == "recovery":
        # Told before it happened, by a notification, it is to be told again after.
        compaction = replace(compaction, told=compaction.done)
    elif event.what == "dropped":
        compaction = replace(compaction, checked=True, lost=[])
    else:
        return state
    return _change(state, event.sid, replace(trail, compaction=compaction))


def _checkpoint(state: Recovery, event: "CheckpointSaved") -> Recovery:
    if event.agent or not event.sid:
        return state
    trail = _trail(state, event.sid)
    # Automatic ones say nothing of the work: the last words of one that was asked for stay.
    summary = event.summary[:400] if event.cause == "asked" else ""
    trail = replace(
        trail,
        checkpoint=f"cp-{event.seq}",
        checkpoint_summary=summary or trail.checkpoint_summary,
    )
    return _change(state, event.sid, trail)


PROJECTION = Projection(
    "recovery",
    3,
    Recovery(),
    {
        "session.started": _started,
        "session.ended": _ended,
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
    },
)
