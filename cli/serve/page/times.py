"""Times as the person reads them: server and browser are on one machine, and so is its clock."""

from __future__ import annotations

import time

from journal.clock import millis

__all__ = ["ago", "day_and_time", "stamp"]

_MINUTE = 60_000
_STEPS = ((1440 * _MINUTE, "d"), (60 * _MINUTE, "h"), (_MINUTE, "min"))


def day_and_time(at: str) -> tuple[str, str]:
    """Date and clock of an ISO time, "" for none."""
    ms = millis(at) if at else None
    if ms is None:
        return "", ""
    day, clock = stamp(ms).split(" ")
    return day, clock


def stamp(ms: int) -> str:
    """Date and clock, as in 2026-11-21 09:30."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(ms / 1000))


def ago(at: str, now: int) -> str:
    """How long ago an ISO time was. now: ms."""
    ms = millis(at) if at else None
    if ms is None:
        return "at an unknown time"
    passed = now - ms
    for size, unit in _STEPS:
        if passed >= size:
            return f"{passed // size} {unit} ago"
    return "now"
