"""How much of a session's context remains, as a command sees it: percent, or unknown and why.

Invariant: time in which a session only waits for the person does not age its reading.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from journal.clock import iso, millis
from projections.messages import gate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.pressure import Gauge
    from projections.views import Views

__all__ = ["limit_of", "remaining", "said", "thresholds"]


def remaining(
    views: Views, sid: str, now: int, settings: Mapping[str, Any]
) -> tuple[float | None, str]:
    """Percent that remains at `now` (ms), or None and why it is unknown."""
    gauge = views.pressure.sessions.get(sid)
    if gauge is None:
        return None, "no reading yet"
    event = SimpleNamespace(sid=sid, ts=iso(now), ms=_waited(views, sid, gauge, now))
    left = gate.remaining(views, event, settings)
    if left is not None:
        return left, ""
    if gauge.tokens is None:
        return None, gauge.unknown or "no reading yet"
    if not (gauge.limit or gauge.window):
        return None, "the size of the window is not known"
    return None, f"the reading of {gauge.at[11:19]} UTC is too old"


def limit_of(views: Views, sid: str) -> int:
    """Tokens that count as the whole context, 0 where that is not known."""
    gauge = views.pressure.sessions.get(sid)
    return (gauge.limit or gauge.window) if gauge is not None else 0


def thresholds(limit: int, settings: Mapping[str, Any]) -> dict[str, int]:
    """What must remain after each stage: up to 100 in percent, above that in tokens."""
    return {stage: gate.threshold(stage, limit, settings) for stage in ("sprint", "audit", "ship")}


def said(left: float | None, why: str) -> str:
    """`65.3% of the context remains`, or that it is unknown and why."""
    if left is None:
        return f"how much context remains is unknown: {why}"
    return f"{left}% of the context remains"


def _waited(views: Views, sid: str, gauge: Gauge, now: int) -> int:
    """Milliseconds since the last turn ended, if none has begun since."""
    rest, read = millis(gauge.rest) if gauge.rest else None, millis(gauge.at) or 0
    trail = views.recovery.sessions.get(sid)
    asked = (millis(trail.prompts[0][0]) or 0) if trail is not None and trail.prompts else 0
    if rest is None or rest < read - 1000 or rest < asked:
        return 0
    return max(0, now - max(rest, read))
