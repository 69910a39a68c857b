"""How much pressure is worth a word, and whether a reading is young enough to be believed.

Pure: unknown tokens or an unknown compaction point never reach a level.
"""

from __future__ import annotations

__all__ = ["SKEW_MS", "fresh", "level", "used_percent"]

SKEW_MS = 60_000
"""A reading further in the future than this was dated by a wrong clock."""


def level(tokens: int | None, point_tokens: int | None, info: float, urgent: float) -> str:
    """Return "", "info" or "urgent": tokens / point_tokens against the two shares of 1."""
    if tokens is None or point_tokens is None or point_tokens <= 0:
        return ""
    pressure = tokens / point_tokens  # divided, not info * point: exact at the threshold itself
    if pressure >= urgent:
        return "urgent"
    return "info" if pressure >= info else ""


def fresh(reading_ms: int | None, now_ms: int, idle_ms: int, limit_ms: int) -> bool:
    """Whether a reading is at most `limit_ms` of session activity old.

    idle_ms: the part of the time since the reading in which the session did nothing.
    """
    if reading_ms is None or reading_ms > now_ms + SKEW_MS:
        return False
    return max(0, now_ms - reading_ms - max(0, idle_ms)) <= limit_ms


def used_percent(tokens_without_output: int, window: int) -> int:
    """Return the client's used percentage of the full window: half up, 0..100 (0: no window)."""
    if window <= 0:
        return 0
    return max(0, min(100, (200 * tokens_without_output + window) // (2 * window)))
