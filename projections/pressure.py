"""How full the context is, per session, measured against the point where auto-compact fires.

Invariant: unknown is not zero. After a compaction nothing is known until the next reading.
The levels are not here: they are configuration; `warned_level` says what still counts as warned of.
"""

from msgspec import Struct
from msgspec.structs import replace

from journal.clock import millis
from projections.level import SKEW_MS, Headroom
from projections.projection import Parts, Projection, inherit, main_thread, main_thread_parts, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.compact import CompactFinished, CompactStarted
    from journal.events.pressure import AdviceGiven, PressureSampled
    from journal.events.session import ModelSwitched, SessionStarted
    from journal.events.stock import CompoundRan
    from journal.events.turn import TurnEnded

__all__ = [
    "OBSERVED_MIN",
    "PROJECTION",
    "Gauge",
    "Pressure",
    "headroom_of",
    "hints",
    "is_current",
    "limit_of",
    "observe",
    "point_of",
]

OBSERVED_MIN = 3  # automatic compactions seen before their median corrects the formula
_MOST_OBSERVED = 15
_MOST_POINTS = 8


class Gauge(Struct, frozen=True, omit_defaults=True):
    """One session's reading.

    limit: the window that counts, smaller than the model's where the client compacts earlier.
    tokens None: unknown, and `unknown` says why. point: by formula; at: time of the reading.
    told: level of the last warning; lowest: lowest pressure (fraction) read since then.
    quiet: a compound ran since this reading, which answers its urgency.
    attempt: the compaction that is under way, as [trigger, tokens, point]. rest: end of the last
    turn: what follows until the next prompt is not activity. true_window: from the status line.
    autocompact: auto-compact window that the client was started with, 0 for none.
    """

    tokens: int | None = None
    window: int = 0
    limit: int = 0
    point: int = 0
    enabled: bool = True
    source: str = ""
    model: str = ""
    at: str = ""
    seq: int = 0
    unknown: str = "no reading yet"
    told: str = ""
    lowest: float = 0
    quiet: bool = False
    attempt: list[str | int] = []
    rest: str = ""
    true_window: int = 0
    autocompact: int = 0
    terms: list[list[str]] = []


_BLANK = Gauge()


class Pressure(Struct, frozen=True, omit_defaults=True):
    """sessions: sid → Gauge. observed: point by formula → tokens at automatic compactions."""

    sessions: dict[str, Gauge] = {}
    observed: dict[str, list[int]] = {}


def headroom_of(state: Pressure, gauge: Gauge | None) -> Headroom | None:
    """Return the room of a session: None where the tokens or the threshold are unknown.

    The one measure for everything that mentions room. A reading's age is the caller's to judge.
    """
    if gauge is None or gauge.tokens is None:
        return None
    limit, _ = limit_of(state, gauge)
    return Headroom(gauge.tokens, limit, gauge.enabled) if limit else None


def limit_of(state: Pressure, gauge: Gauge) -> tuple[int, str]:
    """Return the tokens at which a session's room ends, and whence; 0 is unknown.

    That is the compaction threshold, or the window where nothing compacts automatically.
    """
    if not gauge.enabled:
        return gauge.window or gauge.point, "window (automatic compaction is off)"
    return point_of(state, gauge.point)


def point_of(state: Pressure, point: int) -> tuple[int, str]:
    """Tokens at which auto-compact fires, and whence: "formula" or "observed (median of N)"."""
    seen = state.observed.get(str(point)) if point else None
    if seen is not None and len(seen) >= OBSERVED_MIN:
        ordered = sorted(seen)
        middle = len(ordered) // 2
        median = ordered[middle] if len(ordered) % 2 else sum(ordered[middle - 1 : middle + 1]) // 2
        return median, f"observed (median of {len(seen)} automatic compactions)"
    return point, "formula"


def is_current(gauge: Gauge, end: str, seconds: float) -> bool:
    """Return whether a reading was young at `end`, measured in activity.

    That is the time since the reading, less what the session waited for the person.
    """
    at, now = millis(gauge.at), millis(end)
    if at is None or now is None:
        return False
    rest = millis(gauge.rest) if gauge.rest else None
    idle = now - rest if rest is not None and at <= rest <= now else 0
    return now - at - idle <= 1000 * seconds and at - now <= SKEW_MS


def hints(state: Pressure) -> dict[str, object]:
    """Return the last reading and warning of each session, and which observed points hold.

    sessions: sid -> warned (level of the last warning, "" for none), lowest (pressure since that
    warning, as a fraction), tokens, point (by formula), window, model, true_window (as the status
    line reports it), autocompact (as the client was started). points: point by formula, as text ->
    the observed point that replaces it.
    """
    return {
        "sessions": {sid: _session_hints(gauge) for sid, gauge in state.sessions.items()},
        "points": {
            key: point_of(state, int(key))[0]
            for key, seen in state.observed.items()
            if len(seen) >= OBSERVED_MIN
        },
    }


def _session_hints(gauge: Gauge) -> dict[str, object]:
    return {
        "warned": gauge.told,
        "lowest": gauge.lowest,
        "window": gauge.window,
        "tokens": gauge.tokens or 0,
        "point": gauge.point,
        "model": gauge.model,
        "true_window": gauge.true_window,
        "autocompact": gauge.autocompact,
    }


_BY_CLIENT = ("statusline", "client")


def _sampled(gauge: Gauge, event: "PressureSampled", state: Pressure) -> Gauge:
    point = event.point or (gauge.point if event.model in ("", gauge.model) else 0)
    actual = point_of(state, point)[0]
    lowest = gauge.lowest
    if actual:
        lowest = min(lowest, event.tokens / actual)
    return replace(
        gauge,
        tokens=event.tokens,
        window=event.window or gauge.window,
        limit=event.limit or event.window or gauge.limit,
        point=point,
        enabled=event.enabled,
        source=event.source,
        model=event.model or gauge.model,
        at=event.at or event.ts,
        seq=event.seq,
        unknown="",
        lowest=lowest,
        quiet=False,
        true_window=event.window if event.source in _BY_CLIENT else gauge.true_window,
        terms=event.terms or gauge.terms,
    )


def _advised(gauge: Gauge | None, event: "AdviceGiven", _state: Pressure) -> Gauge | None:
    if event.what != "pressure" or gauge is None:
        return gauge
    lowest = event.tokens / event.point if event.point else 0
    return replace(gauge, told=event.level, lowest=lowest)


def _started(state: Pressure, event: "SessionStarted") -> Pressure:
    if not event.sid:
        return state
    if event.source == "compact":
        return _compacted(state, event.sid)
    sessions = inherit(state.sessions, event)
    if sessions is None:
        tells_size = event.model or event.context_tokens or event.autocompact
        if event.sid not in state.sessions and not tells_size:
            return state
        sessions = put(state.sessions, event.sid, state.sessions.get(event.sid) or Gauge())
    gauge = sessions[event.sid]
    if event.source == "clear":
        gauge = replace(gauge, tokens=None, unknown="the context was cleared", told="", lowest=0)
    if event.model and event.model != gauge.model:
        gauge = replace(gauge, model=event.model, window=0, limit=0, point=0, true_window=0)
    if event.autocompact != gauge.autocompact:
        gauge = replace(gauge, autocompact=event.autocompact)
    if event.context_tokens:
        gauge = replace(
            gauge,
            tokens=event.context_tokens,
            source="start",
            at=event.ts,
            unknown="",
            seq=event.seq,
        )
    sessions[event.sid] = gauge
    return replace(state, sessions=sessions)


def _compacting(gauge: Gauge, event: "CompactStarted", _state: Pressure) -> Gauge:
    if event.via:  # what came late says nothing of the context now
        return gauge
    tokens = event.tokens or gauge.tokens or 0
    attempt: list[str | int] = [event.trigger, tokens, event.point or gauge.point]
    return replace(gauge, attempt=attempt)


def observe(observed: dict[str, list[int]], point: int, tokens: int) -> dict[str, list[int]]:
    """Add an automatic compaction: at `tokens`, where the formula said `point` (token counts).

    Keeps the newest 8 points, so that a project that changed its model or settings forgets slowly,
    and the newest 15 compactions of each.
    """
    key = str(point)
    others = {name: seen for name, seen in observed.items() if name != key}
    while len(others) >= _MOST_POINTS:
        del others[next(iter(others))]
    return {**others, key: [*observed.get(key, []), tokens][-_MOST_OBSERVED:]}


def _compacted(state: Pressure, sid: str) -> Pressure:
    """Forget the reading once a compaction has really happened, and learn where it fired."""
    gauge = state.sessions.get(sid) or Gauge()
    observed = state.observed
    trigger, tokens, point = gauge.attempt or ("", 0, 0)
    if trigger == "auto" and tokens and point:
        observed = observe(observed, int(point), int(tokens))
    gauge = replace(
        gauge, tokens=None, unknown="compacted, no reply since", told="", lowest=0, attempt=[]
    )
    return Pressure(put(state.sessions, sid, gauge), observed)


def _finished(state: Pressure, event: "CompactFinished") -> Pressure:
    """PostCompact alone is proof enough, should the client ever not start the session again."""
    gauge = state.sessions.get(event.sid)
    if event.via or gauge is None or not gauge.attempt:
        return state
    return _compacted(state, event.sid)


def _compound(gauge: Gauge | None, _event: "CompoundRan", _state: Pressure) -> Gauge | None:
    return replace(gauge, quiet=True) if gauge is not None else None


def _rested(gauge: Gauge | None, event: "TurnEnded", _state: Pressure) -> Gauge | None:
    return replace(gauge, rest=event.ts) if gauge is not None else None


def _switched(gauge: Gauge | None, event: "ModelSwitched", _state: Pressure) -> Gauge | None:
    if gauge is None:
        return None
    # Another model has another window and point: both are unknown until the next reading.
    return replace(gauge, model=event.after, window=0, limit=0, point=0, true_window=0)


PROJECTION = Projection(
    "pressure",
    2,
    Pressure(),
    main_thread({"session.started": _started, "compact.finished": _finished}),
    Parts(
        {
            **main_thread_parts(
                {"pressure.sampled": _sampled, "compact.started": _compacting}, _BLANK
            ),
            **main_thread_parts({"advice.given": _advised}),
        },
        {
            "compound.ran": _compound,
            **main_thread_parts({"turn.ended": _rested, "model.switched": _switched}),
        },
    ),
)
