"""Times of events as numbers, without a clock or a library that has one.

Invariant: pure arithmetic on the form the journal writes, `2026-11-21T20:31:13.123Z`.
"""

from __future__ import annotations

__all__ = ["between", "millis"]

_DAY = 86_400_000


def millis(ts: str) -> int:
    """Milliseconds since 0000-03-01 of a time in the journal's form; -1 for what is none."""
    parts = (ts[:4], ts[5:7], ts[8:10], ts[11:13], ts[14:16], ts[17:19])
    if not all(part.isascii() and part.isdigit() for part in parts):
        return -1
    year, month, day, hour, minute, second = map(int, parts)
    fraction = (ts[20:].rstrip("Z") + "000")[:3] if ts[19:20] == "." else "000"
    # Days of the Gregorian calendar, the year beginning in March so that a leap day is its last.
    year -= month <= 2
    days = 365 * year + year // 4 - year // 100 + year // 400
    days += (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    seconds = (hour * 60 + minute) * 60 + second
    return days * _DAY + seconds * 1000 + (int(fraction) if fraction.isdigit() else 0)


def between(start: str, end: str) -> int:
    """Milliseconds from one time to another; 0 where either is unknown, or they run backwards."""
    first, last = millis(start), millis(end)
    return max(0, last - first) if first >= 0 and last >= 0 else 0
