"""Durations between events."""

from __future__ import annotations

from journal.clock import millis


def elapsed_ms(start: str, end: str) -> int:
    """Return the milliseconds from `start` to `end` (ISO times).

    Return 0 if either is unknown or the end is before the start.
    """
    first, last = millis(start), millis(end)
    return max(0, last - first) if first is not None and last is not None else 0
