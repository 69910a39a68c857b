"""The dev cycle of each session: sprint → audit → ship → retrospective.

Invariant: stopping, resuming or a gate's question never loses the metrics of a cycle. A cycle is
under way in one session only: resuming it in another marks the first one as moved.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, inherit, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.base import Event
    from journal.events.pressure import AdviceGiven, PressureSampled
    from journal.events.session import SessionStarted
    from journal.events.stage import (
        StageAbandoned,
        StageFinished,
        StageResumed,
        StageStarted,
        StageStopped,
    )
    from journal.events.turn import PromptSubmitted

STAGES = ("sprint", "audit", "ship", "retrospective")
REVIEW_ROUNDS = (2, 3)  # rounds of the review loop: in a cycle, without one
UNDER_WAY = ("open", "stopped")


class Span(Struct, frozen=True, omit_defaults=True):
    """One run of a stage.

    cost: tokens added to the context during it; a compaction does not reduce it. before, left:
    percent of context left at its start and end, None if unknown.
    """

    stage: str = ""
    started: str = ""
    finished: str = ""
    before: float | None = None
    left: float | None = None
    cost: int = 0


class Cycle(Struct, frozen=True, omit_defaults=True):
    """One dev cycle.

    status: open, stopped, complete, abandoned or moved (to session `moved_to`). stage: the current
    one. open: whether that stage is not finished. asked: the questions of the gate, in order, as
    "open:STAGE" or "next:STAGE". run: questions since the last prompt that continued a turn.
    last_tokens: the reading from which the cost is counted.
    """

    cycle: str = ""
    status: str = "open"
    stage: str = ""
    open: bool = True
    spans: list[Span] = []
    skipped: list[str] = []
    reason: str = ""
    remaining: float | None = None
    metrics: dict[str, float] = {}
    asked: list[str] = []
    run: int = 0
    last_tokens: int | None = None
    seq: int = 0
    at: str = ""
    moved_to: str = ""

    @property
    def is_between_stages(self) -> bool:
        """Return whether its stage is finished and the next one has not begun."""
        return self.status == "open" and not self.open


_NONE = Cycle(status="none")


class Stage(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → its latest cycle."""

    sessions: dict[str, Cycle] = {}


def under_way(state: Stage, sid: str) -> Cycle | None:
    """Return a session's cycle if it is open or stopped."""
    cycle = state.sessions.get(sid)
    return cycle if cycle is not None and cycle.status in UNDER_WAY else None


def after(stage: str) -> str:
    """Return the next stage, "" after the last and for an unknown one."""
    if stage not in STAGES[:-1]:
        return ""
    return STAGES[STAGES.index(stage) + 1]


def skipped_from(cycle: Cycle) -> list[str]:
    """Return the stages that a stop at this point skips, beginning with one that is still open."""
    done = 0 if cycle.open else 1
    first = STAGES.index(cycle.stage) + done if cycle.stage in STAGES else 0
    return list(STAGES[first:])


def hints(state: Stage) -> dict[str, object]:
    """Return the stage of each session with an open cycle, " done" after a finished stage."""
    return {
        sid: cycle.stage + ("" if cycle.open else " done")
        for sid, cycle in state.sessions.items()
        if cycle.status == "open"
    }


def _session(state: Stage, event: "SessionStarted") -> Stage:
    if event.source == "compact":
        return state
    sessions = inherit(state.sessions, event)
    if sessions is None or event.source == "fork":
        return state  # the cycle stays with the session that was forked
    cycle = sessions[event.sid]
    if cycle.status == "open":
        # /clear continues in a new session, which takes the cycle over.
        moved = replace(cycle, status="moved", moved_to=event.sid)
        sessions[event.previous] = moved
        sessions[event.sid] = replace(cycle, last_tokens=None)
        return Stage(sessions)
    return state


def _changed(cycle: Cycle, event: "Event", **changes: object) -> Cycle:
    """Return a cycle with what an event changes, and its metrics."""
    metrics = {**cycle.metrics, **getattr(event, "metrics", {})}
    return replace(cycle, metrics=metrics, seq=event.seq, at=event.ts, **changes)


def _entered(cycle: Cycle, event: "StageStarted | StageResumed") -> dict[str, object]:
    """Return the fields of a cycle that change when a stage begins."""
    span = Span(stage=event.stage, started=event.ts, before=event.remaining)
    spans = [*cycle.spans, span][-12:]
    return {"status": "open", "stage": event.stage, "open": True, "spans": spans, "asked": []}


def _started(cycle: Cycle, event: "StageStarted") -> Cycle:
    if event.stage not in STAGES:
        return cycle
    name = event.cycle or f"cycle-{event.seq}"
    if cycle.status == "open" and event.cycle in ("", cycle.cycle):
        if cycle.open and cycle.stage == event.stage:
            return cycle
    elif cycle.status in UNDER_WAY or cycle.cycle == name:
        return cycle  # another one is under way, or this one has ended or moved
    else:
        cycle = Cycle(cycle=name)
    return _changed(cycle, event, **_entered(cycle, event))


def _finished(cycle: Cycle, event: "StageFinished") -> Cycle:
    if cycle.status != "open" or not cycle.open:
        return cycle
    if event.stage and event.stage != cycle.stage:
        return cycle
    status = "complete" if cycle.stage == STAGES[-1] else "open"
    spans = list(cycle.spans)
    if spans:
        spans[-1] = replace(spans[-1], finished=event.ts, left=event.remaining)
    return _changed(cycle, event, open=False, status=status, spans=spans, asked=[])


def _stopped(cycle: Cycle, event: "StageStopped") -> Cycle:
    if cycle.status != "open":
        return cycle
    return _changed(
        cycle,
        event,
        status="stopped",
        reason=event.reason,
        skipped=event.skipped,
        remaining=event.remaining,
    )


def _resumed(state: Stage, event: "StageResumed") -> Stage:
    if not event.sid or event.stage not in STAGES:
        return state
    origin = event.from_sid or event.sid
    old, own = state.sessions.get(origin), state.sessions.get(event.sid)
    if old is None:
        old = Cycle(cycle=event.cycle, status="stopped")
    # The command refuses this, too; but a race of two must not make two open cycles.
    replaces = own is not None and origin != event.sid and own.status in UNDER_WAY
    # Another session's cycle may be open: that session is over.
    resumable = ("stopped",) if origin == event.sid else UNDER_WAY
    if old.status not in resumable or replaces or event.cycle not in ("", old.cycle):
        return state
    sessions = state.sessions
    if origin != event.sid and origin in sessions:
        moved = replace(old, status="moved", moved_to=event.sid)
        sessions = put(sessions, origin, moved)
    resumed = replace(old, skipped=[], reason="", last_tokens=None, moved_to="")
    resumed = _changed(resumed, event, **_entered(old, event))
    return Stage(put(sessions, event.sid, resumed))


def _abandoned(cycle: Cycle, event: "StageAbandoned") -> Cycle:
    if cycle.status not in UNDER_WAY:
        return cycle
    return _changed(cycle, event, status="abandoned", reason=event.reason or "asked")


def _advised(cycle: Cycle, event: "AdviceGiven") -> Cycle:
    if event.what != "stage" or cycle.status != "open":
        return cycle
    run = cycle.run + (event.channel in ("context", "block"))
    return replace(cycle, asked=[*cycle.asked, event.reason][-16:], run=run)


def _prompted(cycle: Cycle, _event: "PromptSubmitted") -> Cycle:
    return replace(cycle, run=0) if cycle.run else cycle


def _sampled(cycle: Cycle, event: "PressureSampled") -> Cycle:
    if cycle.status != "open":
        return cycle
    grown = max(0, event.tokens - cycle.last_tokens) if cycle.last_tokens is not None else 0
    spans = cycle.spans
    if grown and spans and cycle.open:
        spans = [*spans[:-1], replace(spans[-1], cost=spans[-1].cost + grown)]
    return replace(cycle, spans=spans, last_tokens=event.tokens)


PROJECTION = Projection(
    "stage",
    3,
    Stage(),
    {"session.started": _session, "stage.resumed": _resumed},
    blank=_NONE,
    active={
        "stage.started": _started,
        "stage.finished": _finished,
        "stage.stopped": _stopped,
        "stage.abandoned": _abandoned,
        "advice.given": _advised,
    },
    passive={"pressure.sampled": _sampled, "prompt.submitted": _prompted},
)
