"""The pressure view: how full the context of each session is, and the source of each figure."""

from typing import Any

from cli.view.context import ViewContext
from projections.prefilter import level, warned_level
from projections.pressure import OBSERVED_MIN, Gauge, headroom_of, is_current, limit_of

_NO_READING: dict[str, Any] = {
    "known": False,
    "unknown": "no reading yet",
    "tokens": None,
    "pressure": None,
    "level": None,
    "told": None,
}


def pressure(context: ViewContext) -> dict[str, Any]:
    """Return the fields of one session, or `sessions` by id; then `levels` and `observed`."""
    state = context.state("pressure")
    shown: dict[str, Any] = {"session": context.session or None}
    if context.session:
        last = context.folded.last(context.session)
        shown |= gauge_of(context, context.own("pressure"), last)
    else:
        shown["sessions"] = {
            sid: gauge_of(context, gauge, context.folded.last(sid))
            for sid, gauge in state.sessions.items()
        }
    settings = context.scope.settings
    shown["levels"] = {name: settings[f"pressure.{name}"] for name in ("info", "urgent")}
    shown["observed"] = {
        point: {"compactions": seen, "used": len(seen) >= OBSERVED_MIN}
        for point, seen in state.observed.items()
    }
    return shown


def gauge_of(context: ViewContext, gauge: Gauge | None, last: str) -> dict[str, Any]:
    """Return the fields of a session; unknown ones are null, with the reason in `unknown`.

    last: time of its last event.
    """
    if gauge is None:
        return dict(_NO_READING)
    settings = context.scope.settings
    point, source = limit_of(context.state("pressure"), gauge)
    info, urgent = settings["pressure.info"], settings["pressure.urgent"]
    headroom = headroom_of(context.state("pressure"), gauge)
    reached = level(gauge.tokens, point, info, urgent)
    stale = gauge.tokens is not None and not is_current(
        gauge, last, settings["pressure.stale_after"]
    )
    known = gauge.tokens is not None and not stale
    unknown = gauge.unknown or ("the reading is too old" if stale else "")
    return {
        "known": known,
        "unknown": unknown or None,
        "tokens": gauge.tokens,
        "pressure": _percent(gauge.tokens, point),
        "used": _percent(gauge.tokens, gauge.window),
        "left": headroom.left if known and headroom is not None else None,
        "level": (reached or "none") if known and point else None,
        "told": warned_level(gauge.told, gauge.lowest, info, urgent) or None,
        "point": point or None,
        "point_source": source if point else "unknown",
        "point_formula": gauge.point or None,
        "auto_compact": gauge.enabled,
        "window": gauge.window or None,
        "source": gauge.source or None,
        "model": gauge.model or None,
        "read_at": gauge.at or None,
        "read_seq": gauge.seq or None,
        "compound_since": gauge.quiet,
        "terms": [
            {"name": name, "value": value, "provenance": provenance}
            for name, value, provenance in (term[:3] for term in gauge.terms if len(term) >= 3)
        ],
        "observed_here": len(context.state("pressure").observed.get(str(gauge.point), [])),
        "formula_used": not source.startswith("observed"),
    }


def _percent(part: int | None, whole: int) -> float | None:
    return round(100 * part / whole, 1) if part is not None and whole else None
