"""Progress of multi-phase skills per session, and which session adopted it from which.

Invariant: a chain of adoptions has one live end; adopted or discarded progress is not offered.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.session import SessionStarted
    from journal.events.work import ProgressAdopted, ProgressSaved

STALE_MS = 3 * 24 * 3600 * 1000
_MOST = 64
_PHASES = 16


class Phase(Struct, frozen=True, omit_defaults=True):
    """A completed phase."""

    phase: str = ""
    name: str = ""
    summary: str = ""
    at: str = ""


class State(Struct, frozen=True, omit_defaults=True):
    """The progress of one skill.

    phases: the completed ones, in order. path: its Markdown file. status: live, closed, adopted (by
    session `by`) or discarded. from_sid: the session from which it was adopted, else "".
    """

    skill: str = ""
    phase: str = ""
    name: str = ""
    phases: list[Phase] = []
    output: str = ""
    next: str = ""
    path: str = ""
    status: str = "live"
    by: str = ""
    from_sid: str = ""
    started: str = ""
    at: str = ""
    seq: int = 0


class Progress(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → State. parents: session id → its predecessor by /clear or fork."""

    sessions: dict[str, State] = {}
    parents: dict[str, str] = {}


def live(view: Progress, sid: str) -> State | None:
    """Return a session's progress if it is live."""
    state = view.sessions.get(sid)
    return state if state is not None and state.status == "live" else None


def age_class(now_ms: int, at_ms: int, *, own: bool) -> str:
    """Return CURRENT for a session's own progress, else FRESH, or STALE from `STALE_MS` on.

    now_ms, at_ms: now and the last write, in milliseconds.
    """
    if own:
        return "CURRENT"
    return "STALE" if now_ms - at_ms >= STALE_MS else "FRESH"


def refusal(view: Progress, from_sid: str, to_sid: str) -> str:
    """Return why `to_sid` may not adopt the progress of `from_sid`, "" if it may."""
    state = view.sessions.get(from_sid)
    if state is None:
        return f"no progress of session {from_sid} is known"
    if from_sid == to_sid:
        return "it is this session's own already"
    if not to_sid:
        return "no session is given to adopt it"
    if state.status == "adopted":
        return f"session {state.by} adopted it already"
    if state.status != "live":
        return f"it is {state.status}"
    own = live(view, to_sid)
    if own is not None:
        return f"it would overwrite this session's own progress ({own.skill}, phase {own.phase})"
    return ""


def _started(state: Progress, event: "SessionStarted") -> Progress:
    if not event.previous or event.sid in state.parents:
        return state
    return replace(state, parents=put(state.parents, event.sid, event.previous, _MOST))


def _saved(state: Progress, event: "ProgressSaved") -> Progress:
    old = live(state, event.sid)
    if old is None or (event.skill and event.skill != old.skill):
        old = State(skill=event.skill, started=event.ts)
    phases = list(old.phases)
    if event.summary:
        # A phase that is saved again replaces the earlier entry.
        done = Phase(event.phase, event.name, event.summary[:1200], event.ts)
        same = [at for at, item in enumerate(phases) if item.phase == event.phase]
        if same:
            phases[same[0]] = done
        else:
            phases.append(done)
    new = replace(
        old,
        phase=event.phase or old.phase,
        name=event.name or old.name,
        phases=phases[-_PHASES:],
        output=event.output or old.output,
        next=event.next or old.next,
        path=event.path or old.path,
        at=event.ts,
        seq=event.seq,
    )
    return replace(state, sessions=put(state.sessions, event.sid, new, _MOST))


def _adopted(state: Progress, event: "ProgressAdopted") -> Progress:
    """Move the progress to the adopting session, unless `refusal` has a reason against it.

    The command checks this before it records an adoption; two of them may still race.
    """
    if refusal(state, event.from_sid, event.sid):
        return state
    taken = state.sessions[event.from_sid]
    state = _end(state, event.from_sid, "adopted", event.sid, event.seq)
    new = replace(taken, from_sid=event.from_sid, at=event.ts, seq=event.seq, path="")
    return replace(state, sessions=put(state.sessions, event.sid, new, _MOST))


def _end(state: Progress, sid: str, status: str, by: str, seq: int) -> Progress:
    old = live(state, sid)
    if old is None:
        return state
    new = replace(old, status=status, by=by, seq=seq)
    return replace(state, sessions=put(state.sessions, sid, new, _MOST))


PROJECTION = Projection(
    "progress",
    1,
    Progress(),
    {
        "session.started": _started,
        "progress.saved": _saved,
        "progress.adopted": _adopted,
        "progress.closed": lambda state, event: _end(state, event.sid, "closed", "", event.seq),
        "progress.discarded": lambda state, event: _end(
            state, event.from_sid or event.sid, "discarded", "", event.seq
        ),
    },
    any_agent=["progress.closed", "progress.discarded"],
)
