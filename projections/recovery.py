"""What a session was doing: the material for what Claude is told after a compaction.

Invariant: one compaction is counted once, however many hooks speak of it: it is attempted by
`compact.started` and done by the first of `session.started(compact)` and `compact.finished`.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.facts import session as gathering
from projections.facts.session import Facts, Failure, Gathered
from projections.projection import (
    Parts,
    Projection,
    command_text,
    inherit,
    main_thread,
    main_thread_parts,
    put,
    recent,
    with_files,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from journal.events.compact import (
        CheckpointSaved,
        CompactFinished,
        CompactGathered,
        CompactStarted,
        CompactSummarized,
    )
    from journal.events.pressure import ContextInjected
    from journal.events.session import SessionEnded, SessionStarted
    from journal.events.stock import DecisionRecorded
    from journal.events.tool import FilesChanged, ToolFailed, ToolFinished
    from journal.events.turn import CommandExpanded, PromptSubmitted, TurnEnded

__all__ = ["PROJECTION", "LastCompaction", "Recovery", "Trail", "hints", "undelivered"]

_FILES = 12
_FAILURES = 8
_DECISIONS = 12
_BEGINNING = 600


class LastCompaction(Struct, frozen=True, omit_defaults=True):
    """A compaction. seq: of its start; done: it really happened; told: recovery was injected.

    restarted, summed: which of its two proofs came, the session's start and its summary.
    files, decisions and items: what the journal knew when it started; lost: which of them
    [decisions, items, files] the summary does not mention, until `checked`: it was told.
    facts: all else that was known, without what the summary says; request: it says the last one.
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
    facts: Facts = Facts()
    request: bool = False


class Trail(Struct, frozen=True, omit_defaults=True):
    """One session's trail.

    prompts: requests, newest first, as [time, text]: the latest one and those that tell what is
    wanted, the first of them always; files: changed, newest first; read: looked at only; gathered:
    what the calls left behind; decisions: [time, text], newest first; undelivered: those made in a
    terminal that Claude does not know yet. compactions: done so far; attempts: started ones.
    checkpoint: id ("cp-SEQ"); summary_seq: record of the last compact summary.
    """

    prompts: list[list[str]] = []
    files: list[str] = []
    read: list[str] = []
    gathered: Gathered = Gathered()
    decisions: list[list[str]] = []
    undelivered: list[list[str]] = []
    compaction: LastCompaction | None = None
    compactions: int = 0
    attempts: int = 0
    checkpoint: str = ""
    checkpoint_summary: str = ""
    summary_seq: int = 0
    ended: bool = False

    @property
    def message(self) -> str:
        """Head of the last answer."""
        return self.gathered.messages[-1] if self.gathered.messages else ""

    @property
    def failures(self) -> list[Failure]:
        """Failed calls, oldest first."""
        return self.gathered.failures


class Recovery(Struct, frozen=True, omit_defaults=True):
    """sessions: sid → Trail."""

    sessions: dict[str, Trail] = {}


_BLANK = Trail()


def _started(state: Recovery, event: "SessionStarted") -> Recovery:
    if not event.sid:
        return state
    if event.source == "compact":
        trail = _proved(state.sessions.get(event.sid) or _BLANK, "restarted", event)
        return Recovery(put(state.sessions, event.sid, trail))
    sessions = inherit(state.sessions, event)
    if sessions is not None:
        return Recovery(sessions)
    known = state.sessions.get(event.sid)
    if known is not None and known.ended:
        return Recovery(put(state.sessions, event.sid, replace(known, ended=False)))
    return state


def _ended(trail: Trail | None, _event: "SessionEnded", _state: Recovery) -> Trail | None:
    if trail is None or trail.ended:
        return trail
    # It may be resumed; until then it is not worth much of the space that every hook reads.
    compaction = trail.compaction and replace(trail.compaction, facts=Facts())
    gathered = gathering.after_session_end(trail.gathered)
    return replace(trail, ended=True, gathered=gathered, compaction=compaction)


def _prompted(trail: Trail, event: "PromptSubmitted", _state: Recovery) -> Trail:
    if event.origin == "task-notification":
        return trail
    text = f"{event.text} {event.end}" if event.end else event.text
    prompts = gathering.with_request(trail.prompts, event.ts, text)
    if event.via:
        prompts = sorted(prompts, key=lambda row: row[0], reverse=True)
    return replace(trail, prompts=prompts)


def _expanded(trail: Trail, event: "CommandExpanded", _state: Recovery) -> Trail:
    """A command says more than the bare prompt that the client reports just before it."""
    text = command_text(event)
    rest = trail.prompts[1:] if trail.prompts[:1] and trail.prompts[0][1] == text else trail.prompts
    return replace(trail, prompts=gathering.with_request(rest, event.ts, text))


def _tools(trail: Trail | None, events: "Sequence[ToolFinished]", _state: Recovery) -> Trail | None:
    old = trail or _BLANK
    files, read, gathered = old.files, old.read, gathering.with_calls(old.gathered, events)
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
            event.tool == "Read"
            and not event.agent
            and target not in files
            and not (read and read[0] == target)
        ):
            read = recent(read, target, _FILES)
    if files is old.files and read is old.read and gathered is old.gathered:
        return trail
    return replace(old, files=files, read=read, gathered=gathered)


def _failed(trail: Trail, event: "ToolFailed", _state: Recovery) -> Trail:
    if event.interrupted:
        return trail
    gathered = gathering.with_failure(trail.gathered, event)
    gathered = replace(gathered, failures=gathered.failures[-_FAILURES:])
    return replace(trail, gathered=gathered)


def _turn_ended(trail: Trail | None, event: "TurnEnded", _state: Recovery) -> Trail:
    trail = trail or _BLANK
    gathered = gathering.with_answer(trail.gathered, event.message)
    return trail if gathered is trail.gathered else replace(trail, gathered=gathered)


def _decided(state: Recovery, event: "DecisionRecorded") -> Recovery:
    """One made in no session, in the person's terminal, is for all that run."""
    row = [event.ts, event.text[:300]]

    def decided(trail: Trail) -> Trail:
        return replace(trail, decisions=[row, *trail.decisions][:_DECISIONS])

    if event.sid:
        trail = decided(state.sessions.get(event.sid, _BLANK))
        return Recovery(put(state.sessions, event.sid, trail))
    sessions = {
        sid: trail
        if trail.ended
        else replace(decided(trail), undelivered=[row, *trail.undelivered][:_DECISIONS])
        for sid, trail in state.sessions.items()
    }
    return Recovery(sessions)


def _written(trail: Trail | None, event: "FilesChanged", _state: Recovery) -> Trail | None:
    old = trail or _BLANK
    files = with_files(old.files, event.paths[:_FILES], _FILES)
    return replace(old, files=files) if files != old.files else trail


def _compacting(trail: Trail, event: "CompactStarted", _state: Recovery) -> Trail:
    if event.via:  # it was long ago: counted, and nothing is brought back for it
        return replace(trail, attempts=trail.attempts + 1, compactions=trail.compactions + 1)
    from projections.facts.compaction import facts_of  # a hook seldom needs it

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
        facts=facts_of(trail.gathered, [row[1] for row in reversed(trail.prompts)], trail.read),
    )
    return replace(trail, compaction=compaction, attempts=trail.attempts + 1)


def _gathered(trail: Trail, event: "CompactGathered", _state: Recovery) -> Trail:
    if trail.compaction is None or trail.compaction.done:
        return trail
    from projections.facts.compaction import with_transcript  # a hook seldom needs it

    facts = with_transcript(trail.compaction.facts, event)
    return replace(trail, compaction=replace(trail.compaction, facts=facts))


def _proved(trail: Trail, proof: str, event: "SessionStarted | CompactFinished") -> Trail:
    """Take a proof (`restarted` or `summed`) of a compaction: the first counts it.

    Each comes once: the second of a kind is of another compaction, whose PreCompact was never seen.
    """
    from projections.compactions import is_another  # a hook seldom needs it

    compaction = trail.compaction
    if compaction is None or is_another(compaction, proof):
        compaction = LastCompaction(seq=event.seq, at=event.ts)
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


def _finished(trail: Trail | None, event: "CompactFinished", _state: Recovery) -> Trail:
    trail = trail or _BLANK
    if event.via:
        return _late(trail, event)
    if event.part == 1:
        trail = _proved(trail, "summed", event)
    return _with_summary(trail, trail.compaction or LastCompaction(), event)


def _late(trail: Trail, event: "CompactFinished") -> Trail:
    """Count the attempt that a reconciled summary proves; one with its own start is counted."""
    last = trail.compaction
    if event.part > 1 or last is None or last.done or last.at > event.ts:
        return trail
    done = replace(last, done=True, summed=True, told=True, checked=True)
    return replace(trail, compaction=done, compactions=trail.compactions + 1)


def _with_summary(
    trail: Trail, compaction: LastCompaction, event: "CompactSummarized | CompactFinished"
) -> Trail:
    """Keep the summary's beginning, and what of the journal's knowledge it does not say."""
    if event.part > 1:
        lists = compaction.lost or [[], [], []]
    else:
        lists = [compaction.decisions, compaction.items, compaction.files]
        summary = event.summary[:_BEGINNING]
        compaction = replace(compaction, summary=summary, summary_size=event.size)
        trail = replace(trail, summary_seq=event.seq)
    if not compaction.checked and event.summary.strip():
        from projections.facts.compaction import facts_without  # a hook seldom needs it

        request = trail.prompts[0][1] if trail.prompts else ""
        lost, facts, said = facts_without(event.summary, lists, compaction.facts, request)
        said = compaction.request or said
        compaction = replace(compaction, lost=lost, facts=facts, request=said)
    return replace(trail, compaction=compaction)


def hints(state: Recovery) -> list[str]:
    """Return the sessions that do not have back yet what the summary of a compaction left out."""
    return [
        sid
        for sid, trail in state.sessions.items()
        if (found := trail.compaction) and found.told and found.lost and not found.checked
    ]


def undelivered(state: Recovery) -> list[str]:
    """Return the sessions that a decision made in a terminal has not reached yet."""
    return [sid for sid, trail in state.sessions.items() if trail.undelivered and not trail.ended]


def _injected(trail: Trail | None, event: "ContextInjected", _state: Recovery) -> Trail | None:
    if trail is not None and event.what == "decision":
        return replace(trail, undelivered=[])
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


def _checkpoint(trail: Trail, event: "CheckpointSaved", _state: Recovery) -> Trail:
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


_OF_BLANK: "dict[str, Callable[..., Trail]]" = {
    "prompt.submitted": _prompted,
    "command.expanded": _expanded,
    "tool.failed": _failed,
    "compact.started": _compacting,
    "compact.gathered": _gathered,
    "checkpoint.saved": _checkpoint,
}
_MOVING: "dict[str, Callable[..., Trail | None]]" = {
    **main_thread_parts(_OF_BLANK, _BLANK),
    **main_thread_parts({"turn.ended": _turn_ended, "compact.finished": _finished}),
    "files.changed": _written,
    "compact.summarized": _summarized,
    "context.injected": _injected,
}

PROJECTION = Projection(
    "recovery",
    6,
    Recovery(),
    {**main_thread({"session.started": _started}), "decision.recorded": _decided},
    Parts(
        _MOVING,
        main_thread_parts({"session.ended": _ended}),
        runs={"tool.finished": _tools},
    ),
)
