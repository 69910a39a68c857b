"""How full the context of each session is, relative to the compaction threshold.

Invariant: unknown is not zero; after a compaction the tokens are unknown until the next reading.
The levels are configuration, see `projections.prefilter`.
"""

from msgspec import Struct
from msgspec.structs import replace

from journal.clock import millis
from journal.transcript.threshold import NO_COMPACTION, stated_by
from projections.headroom import Headroom
from projections.projection import Projection, inherit, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.compact import CompactFinished, CompactStarted
    from journal.events.pressure import AdviceGiven, PressureSampled
    from journal.events.session import ModelSwitched, SessionStarted
    from journal.events.stock import CompoundRan
    from journal.events.turn import PromptSubmitted, TurnEnded

OBSERVED_MIN = 3  # automatic compactions after which their median replaces the formula
_MOST_OBSERVED = 15
_MOST_POINTS = 8
_SKEW = 60_000  # milliseconds that a reading may lie in the future: clocks differ


class Attempt(Struct, frozen=True, omit_defaults=True):
    """A compaction that has begun. trigger: "auto", "manual", or "idle" in a waiting session."""

    trigger: str = ""
    tokens: int = 0
    point: int = 0


class Gauge(Struct, frozen=True, omit_defaults=True):
    """The last reading of one session.

    tokens: context tokens, None if unknown; `unknown` then has the reason. window: size of the
    context window. limit: the part of it that Claude Code uses. point: the compaction threshold by
    formula. at, seq: time and event of the reading. told: level of the last warning. lowest: lowest
    pressure (a fraction) since that warning. quiet: whether a compound ran since the reading.
    attempt: the compaction that has begun. rest: end of the last turn;
    resumed: time of the first prompt after it, "" while the session waits for one. true_window: the
    window by the status line. autocompact: the auto-compact window that Claude Code was started
    with, 0 for none. switched: when the model was switched; replies before that are of another.
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
    attempt: Attempt | None = None
    rest: str = ""
    resumed: str = ""
    true_window: int = 0
    autocompact: int = 0
    switched: str = ""
    terms: list[list[str]] = []


_BLANK = Gauge()


class Pressure(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → Gauge.

    observed: threshold by formula, as text → context tokens at automatic compactions.
    """

    sessions: dict[str, Gauge] = {}
    observed: dict[str, list[int]] = {}


def headroom_of(state: Pressure, gauge: Gauge | None) -> Headroom | None:
    """Return how much context a session has left, None if tokens or threshold are unknown.

    The caller must check the age of the reading, see `current_headroom`.
    """
    if gauge is None or gauge.tokens is None:
        return None
    limit, _ = limit_of(state, gauge)
    by_hand = all(name != NO_COMPACTION for name, *_ in gauge.terms)
    return Headroom(gauge.tokens, limit, gauge.enabled, by_hand) if limit else None


def limit_of(state: Pressure, gauge: Gauge) -> tuple[int, str]:
    """Return the tokens at which a session's context ends (0 if unknown), and the source of that.

    That is the compaction threshold or, if automatic compaction is off, where prompts are refused.
    """
    if not gauge.enabled:
        return gauge.point or gauge.window, "usable window (automatic compaction is off)"
    point, source = point_of(state, gauge.point)
    return point, (point == gauge.point and stated_by(gauge.terms)) or source


def point_of(state: Pressure, point: int) -> tuple[int, str]:
    """Return the compaction threshold in tokens, and its source.

    point: the threshold by formula, or one that Claude Code or a setting states in some session:
    no compaction corrects that. The source is "formula" or "observed (median of N …)".
    """
    seen = state.observed.get(str(point)) if point else None
    if seen is not None and len(seen) >= OBSERVED_MIN and not _is_stated(state, point):
        ordered = sorted(seen)
        median = (ordered[(len(seen) - 1) // 2] + ordered[len(seen) // 2]) // 2
        return median, f"observed (median of {len(seen)} automatic compactions)"
    return point, "formula"


def _is_stated(state: Pressure, point: int) -> bool:
    return any(one.point == point and stated_by(one.terms) for one in state.sessions.values())


def is_current(gauge: Gauge, end: str, seconds: float, busy: int = 0) -> bool:
    """Return whether at most `seconds` of activity lie between a reading and time `end`.

    Time in which the session waited for the user is not activity, nor is `busy`, the milliseconds
    that one tool ran.
    """
    at, now = millis(gauge.at), millis(end)
    if at is None or now is None:
        return False
    rest = millis(gauge.rest) if gauge.rest else None
    resumed = millis(gauge.resumed) or now
    idle = max(0, min(resumed, now) - max(rest, at)) if rest is not None else 0
    return now - at - idle - busy <= 1000 * seconds and at - now <= _SKEW


def current_headroom(
    state: Pressure, sid: str, end: str, seconds: float, busy: int = 0
) -> Headroom | None:
    """Return how much context a session has left; None if that is unknown or not current."""
    gauge = state.sessions.get(sid)
    if gauge is None or not is_current(gauge, end, seconds, busy):
        return None
    return headroom_of(state, gauge)


def hints(state: Pressure) -> dict[str, object]:
    """Return the last reading and warning of each session, and the observed thresholds.

    pressure: session id → warned (level of the last warning, "" for none), lowest, tokens, window,
    point, model, true_window, autocompact, switched; see `Gauge`. points: threshold by formula, as
    text → the observed threshold that replaces it.
    """
    return {
        "pressure": {
            sid: {
                "warned": gauge.told,
                "lowest": gauge.lowest,
                "window": gauge.window,
                "tokens": gauge.tokens or 0,
                "point": gauge.point,
                "model": gauge.model,
                "true_window": gauge.true_window,
                "autocompact": gauge.autocompact,
                "switched": gauge.switched,
            }
            for sid, gauge in state.sessions.items()
        },
        "points": {
            key: point_of(state, int(key))[0]
            for key, seen in state.observed.items()
            if len(seen) >= OBSERVED_MIN and not _is_stated(state, int(key))
        },
    }


_BY_CLIENT = ("statusline", "client")


def _sampled(gauge: Gauge, event: "PressureSampled", state: Pressure, _sessions: object) -> Gauge:
    point = event.point or (gauge.point if event.model in ("", gauge.model) else 0)
    actual = point if stated_by(event.terms) else point_of(state, point)[0]
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
        terms=[*event.terms] or gauge.terms,
    )


def _advised(gauge: Gauge, event: "AdviceGiven") -> Gauge:
    if event.what != "pressure" or gauge is _BLANK:
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
        has_size = event.model or event.context_tokens or event.autocompact
        if event.sid not in state.sessions and not has_size:
            return state
        sessions = put(state.sessions, event.sid, state.sessions.get(event.sid) or _BLANK)
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


def _compaction_started(gauge: Gauge, event: "CompactStarted") -> Gauge:
    if event.via:  # a late event does not describe the current context
        return gauge
    tokens = event.tokens or gauge.tokens or 0
    # One in an idle session is to spare the prompt cache: it says nothing of the threshold.
    trigger = "idle" if gauge.rest and not gauge.resumed else event.trigger
    return replace(gauge, attempt=Attempt(trigger, tokens, event.point or gauge.point))


def observe(observed: dict[str, list[int]], point: int, tokens: int) -> dict[str, list[int]]:
    """Add an automatic compaction at `tokens` for which the formula gave `point`.

    The newest 8 points are remembered, because a project may change its model or settings and
    change them back, and the newest 15 compactions of each.
    """
    key = str(point)
    others = {name: seen for name, seen in observed.items() if name != key}
    while len(others) >= _MOST_POINTS:
        del others[next(iter(others))]
    return {**others, key: [*observed.get(key, []), tokens][-_MOST_OBSERVED:]}


def _compacted(state: Pressure, sid: str) -> Pressure:
    """Drop the reading of a compacted session, and remember at how many tokens it compacted."""
    gauge = state.sessions.get(sid) or _BLANK
    observed = state.observed
    last = gauge.attempt
    is_measured = last and last.trigger == "auto" and last.tokens and last.point
    if last and is_measured and not stated_by(gauge.terms):
        observed = observe(observed, last.point, last.tokens)
    gauge = replace(
        gauge, tokens=None, unknown="compacted, no reply since", told="", lowest=0, attempt=None
    )
    return Pressure(put(state.sessions, sid, gauge), observed)


def _compaction_finished(state: Pressure, event: "CompactFinished") -> Pressure:
    """Accept PostCompact as proof, in case Claude Code does not start the session again."""
    gauge = state.sessions.get(event.sid)
    if event.via or gauge is None or not gauge.attempt:
        return state
    return _compacted(state, event.sid)


def _compound_ran(gauge: Gauge, _event: "CompoundRan") -> Gauge:
    return gauge if gauge is _BLANK else replace(gauge, quiet=True)


def _turn_ended(gauge: Gauge, event: "TurnEnded") -> Gauge:
    if gauge is _BLANK or event.via:  # a late event does not tell whether the session is idle now
        return gauge
    return replace(gauge, rest=event.ts, resumed="")


def _prompted(gauge: Gauge, event: "PromptSubmitted") -> Gauge:
    if event.via or not gauge.rest or gauge.resumed:
        return gauge
    return replace(gauge, resumed=event.ts)


def _switched(gauge: Gauge, event: "ModelSwitched") -> Gauge:
    # The window and threshold of the new model are unknown until the next reading.
    unknown = {"window": 0, "limit": 0, "point": 0, "true_window": 0}
    return replace(gauge, model=event.after, switched=event.ts, **unknown)


PROJECTION = Projection(
    "pressure",
    7,
    Pressure(),
    {"session.started": _started, "compact.finished": _compaction_finished},
    blank=_BLANK,
    active={"compact.started": _compaction_started, "advice.given": _advised},
    passive={
        "compound.ran": _compound_ran,
        "turn.ended": _turn_ended,
        "prompt.submitted": _prompted,
        "model.switched": _switched,
    },
    wide={"pressure.sampled": _sampled},
    any_agent=["compound.ran"],
)
