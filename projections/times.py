"""Time between events."""

from __future__ import annotations

from journal.clock import millis

__all__ = ["between"]


def between(start: str, end: str) -> int:
    """Milliseconds from one time to another; 0 where either is unknown, or they run backwards."""
    first, last = millis(start), millis(end)
    return max(0, last - first) if first is not None and last is not None else 0
