"""The work log and the learnings: which entries are not saved as learnings, what was suggested.

Invariant: whether an entry is saved depends on the order of events alone, never on file times.
"""

from msgspec import Struct
from msgspec.structs import replace

from journal.events.base import Flow, Stock
from projections.projection import Projection, inherited, put, recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.compact import CompactStarted, FlowTrimmed
    from journal.events.pressure import AdviceGiven, ContextInjected
    from journal.events.session import SessionStarted
    from journal.events.stock import CompoundRan, FlowNoted
    from journal.events.tool import ToolFinished
    from journal.events.turn import TurnEnded

_DIGESTS = 256  # entries of the work log that are remembered
_NOTES = 20
_NAMES = 32


class CompoundWork(Struct, frozen=True, omit_defaults=True):
    """One session's part.

    running, ended: skills and commands of the current turn, and of the one that just ended. used:
    all of them, newest first. suggested: reasons of past suggestions. compact, previous_compact:
    seqs of the last compaction's start and the one before. announced: reason of the last message at
    a start. turns: number of ended turns, at most 2. changed: whether it changed a file, the work
    log or the notes.
    """

    running: list[str] = []
    ended: list[str] = []
    used: list[str] = []
    suggested: list[str] = []
    announced: str = ""
    turns: int = 0
    changed: bool = False
    compact: int = 0
    previous_compact: int = 0


_BLANK = CompoundWork()


class Compound(Struct, frozen=True, omit_defaults=True):
    """The project's work log (`flow`) and learnings (`stock`).

    flow, stock: as last recorded. covered: digests of the entries that a compound covered. notes:
    texts of `journal note` since the last compound, newest first; `noted` is their number.
    first_seen: digest of an entry → when the journal first saw it. ran, ran_at: seq and time of the
    last compound, 0 and "" for none. promoted: number of entries that it saved. trimmed: number of
    entries ever removed from the work log. trimmed_unpromoted: those removed since the last
    compound without being saved.
    """

    flow: Flow | None = None
    stock: Stock | None = None
    covered: list[str] = []
    notes: list[str] = []
    noted: int = 0
    first_seen: dict[str, str] = {}
    ran: int = 0
    ran_at: str = ""
    promoted: int = 0
    trimmed: int = 0
    trimmed_unpromoted: int = 0
    sessions: dict[str, CompoundWork] = {}


def unpromoted(state: Compound) -> int:
    """Return the number of entries and notes that no compound covered, removed ones included."""
    count = state.noted + state.trimmed_unpromoted
    if state.flow is None:
        return count
    covered = set(state.covered)
    digests = state.flow.digests
    # The log may have more entries than the event has digests; the others count as not saved.
    uncovered = sum(digest not in covered for digest in digests)
    return count + uncovered + max(0, state.flow.entries - len(digests))


def promoted_since_compact(state: Compound, sid: str) -> bool:
    """Return whether a compound ran after the session's previous compaction."""
    work = state.sessions.get(sid)
    return state.ran > (work.compact if work else 0)


def bare_name(name: str) -> str:
    """Return the name of a skill or command without its plugin: praxis:implement → implement."""
    return name.rpartition(":")[2].strip().lstrip("/").lower()


def _counted(state: Compound, event: "SessionStarted | CompactStarted | TurnEnded") -> Compound:
    """Store what an event says of the work log and the learnings."""
    stock, flow = getattr(event, "stock", None), event.flow
    if stock is not None and stock != state.stock:
        state = replace(state, stock=stock)
    if flow is None or flow == state.flow:
        return state
    first_seen = state.first_seen
    fresh = [digest for digest in flow.digests if digest not in first_seen]
    if fresh:
        first_seen = {**first_seen, **dict.fromkeys(fresh, event.ts)}
        while len(first_seen) > _DIGESTS:
            del first_seen[next(iter(first_seen))]
    return replace(state, flow=flow, first_seen=first_seen)


def _with_session(state: Compound, sid: str, **changes: object) -> Compound:
    work = replace(state.sessions.get(sid) or _BLANK, **changes)
    return replace(state, sessions=put(state.sessions, sid, work))


def _tools(work: CompoundWork, events: "Sequence[ToolFinished]") -> CompoundWork:
    """Remember the skills of the main thread, and that the session or a subagent changed a file."""
    for event in events:
        if event.tool == "Skill":
            if not event.agent:
                work = _with_used(work, event.target)
        elif event.changed and not work.changed:
            work = replace(work, changed=True)
    return work


def _with_used(work: CompoundWork, name: str) -> CompoundWork:
    name = name.strip()[:80]
    if not name:
        return work
    running, used = recent(work.running, name, _NAMES), recent(work.used, name, _NAMES)
    return replace(work, running=running, used=used)


def _turn_ended(state: Compound, event: "TurnEnded") -> Compound:
    digests = state.flow.digests if state.flow else []
    state = _counted(state, event)
    if event.agent or not event.sid:
        return state
    work = state.sessions.get(event.sid) or _BLANK
    fresh = event.flow is not None and any(item not in digests for item in event.flow.digests)
    # No reader distinguishes more than two.
    turns = min(work.turns + 1, 2)
    new = replace(work, ended=work.running, running=[], turns=turns, changed=work.changed or fresh)
    if new == work:
        return state
    return replace(state, sessions=put(state.sessions, event.sid, new))


def _compaction_started(state: Compound, event: "CompactStarted") -> Compound:
    state = _counted(state, event)
    if not event.sid or event.via:
        return state
    work = state.sessions.get(event.sid) or _BLANK
    return _with_session(state, event.sid, compact=event.seq, previous_compact=work.compact)


def _trimmed(state: Compound, event: "FlowTrimmed") -> Compound:
    if event.part != 1:
        return state
    flow = state.flow
    if flow is not None and event.digest in flow.digests:
        digests = [digest for digest in flow.digests if digest != event.digest]
        flow = replace(flow, entries=max(0, flow.entries - 1), digests=digests)
    lost = event.digest not in state.covered
    return replace(
        state,
        flow=flow,
        trimmed=state.trimmed + 1,
        trimmed_unpromoted=state.trimmed_unpromoted + lost,
    )


def _note_added(state: Compound, event: "FlowNoted") -> Compound:
    work = state.sessions.get(event.sid)
    if event.sid and not (work and work.changed):
        state = _with_session(state, event.sid, changed=True)
    return replace(state, notes=[event.text[:200], *state.notes][:_NOTES], noted=state.noted + 1)


def _compound_ran(state: Compound, event: "CompoundRan") -> Compound:
    covered = [*event.covered, *(item for item in state.covered if item not in event.covered)]
    return replace(
        state,
        covered=covered[:_DIGESTS],
        notes=[],
        noted=0,
        ran=event.seq,
        ran_at=event.ts,
        promoted=event.promoted,
        trimmed_unpromoted=0,
    )


def _advised(work: CompoundWork, event: "AdviceGiven") -> CompoundWork:
    if event.what not in ("compound", "phase", "check"):
        return work
    return replace(work, suggested=recent(work.suggested, event.reason, _NAMES))


def _injected(work: CompoundWork, event: "ContextInjected") -> CompoundWork:
    return replace(work, announced=event.reason) if event.what == "start" else work


PROJECTION = Projection(
    "compound",
    2,
    Compound(),
    {
        "session.started": lambda state, event: inherited(_counted(state, event), event),
        "compact.started": _compaction_started,
        "turn.ended": _turn_ended,
        "flow.trimmed": _trimmed,
        "flow.noted": _note_added,
        "compound.ran": _compound_ran,
    },
    blank=_BLANK,
    active={
        "command.expanded": lambda work, event: _with_used(work, event.name),
        "advice.given": _advised,
        "context.injected": _injected,
    },
    runs={"tool.finished": _tools},
    any_agent=["turn.ended", "flow.trimmed", "flow.noted", "compound.ran", "tool.finished"],
)
