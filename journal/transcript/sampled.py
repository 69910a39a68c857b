"""Build the event `pressure.sampled`, the same wherever the reading came from."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call
    from journal.transcript.threshold import Threshold

__all__ = ["limit_of", "sampled"]


def sampled(
    call: Call, point: Threshold, *, source: str, tokens: int, used: int | None, model: str, at: str
) -> dict[str, Any]:
    """Build the event. used: percent of the window as the client counts it, None unknown."""
    body: dict[str, Any] = {
        "tokens": tokens,
        "window": point.window or None,
        "limit": limit_of(point),
        "point": point.tokens or None,
        "source": source,
        "model": model[:80],
        "at": at,
        "terms": [[str(part) for part in term] for term in point.terms],
        "used": used,
    }
    if point.tokens:
        body["pressure"] = round(100 * tokens / point.tokens, 1)
    fields = call.event("pressure.sampled", "", **body)
    if not point.enabled:
        fields["enabled"] = False
    return fields


def limit_of(point: Threshold) -> int | None:
    """Return the window that counts: the auto-compact window where it is the smaller one."""
    sizes = [int(value) for name, value, _ in point.terms if name == "auto-compact window"]
    if not point.window:
        return None
    return min([point.window, *sizes]) if point.enabled else point.window
