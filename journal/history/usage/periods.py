"""Assign replies to periods: local days, weeks and months, and blocks of five hours.

Invariant: a period's bounds do not depend on the query.
"""

import time
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from journal.blocks import HOUR, block_start

_FIRST, _LAST = -62_134_000_000_000, 253_370_000_000_000  # ms, within the years 1 and 9998
_FILLED = 31  # a month of days


class ReplyBlock(NamedTuple):
    """A block of five hours, in ms: its first hour, its first and its last reply."""

    start: int
    first: int
    last: int


def period_of(kind: str, ms: int) -> str:
    """Return the local day, the Monday of the week, or the month of a time: 2026-11-21, 2026-11.

    A time outside of the calendar counts as its first or last.
    """
    ms = min(max(ms, _FIRST), _LAST)
    year, month, day, *_rest, weekday, _, _ = time.localtime(ms // 1000)
    if kind == "month":
        return f"{year:04d}-{month:02d}"
    if kind == "week":
        return (date(year, month, day) - timedelta(days=weekday)).isoformat()
    return f"{year:04d}-{month:02d}-{day:02d}"


def period_bounds(kind: str, name: str) -> tuple[int, int]:
    """Return the first ms of a period and the first ms after it."""
    first = date.fromisoformat(name if kind != "month" else f"{name}-01")
    if kind == "month":
        after = (first + timedelta(days=31)).replace(day=1)
    else:
        after = first + timedelta(days=7 if kind == "week" else 1)
    return _midnight(first), _midnight(after)


def between(kind: str, names: Iterable[str]) -> list[str]:
    """Return all periods from the first to the last of the given ones, in order.

    A gap of more than `_FILLED` periods is not filled: nobody reads that many empty rows.
    """
    known = sorted(set(names))
    found = known[:1]
    for name in known[1:]:
        gap: list[str] = []
        last = found[-1]
        while len(gap) <= _FILLED:
            last = period_of(kind, period_bounds(kind, last)[1])
            if last >= name:
                break
            gap.append(last)
        found += [*gap, name] if len(gap) <= _FILLED else [name]
    return found


def blocks(hours: Iterable[tuple[int, int]]) -> list[ReplyBlock]:
    """Return the blocks of replies. hours: first and last reply of each hour, in order.

    These hours exclude their start and include their end, because the end of a block belongs to the
    block; so no hour is split between two blocks.
    """
    found: list[ReplyBlock] = []
    for first, last in hours:
        current = found[-1] if found else None
        start = block_start(first, current.start, current.last) if current else 0
        if current and start == current.start:
            found[-1] = current._replace(last=last)
        else:
            found.append(ReplyBlock(first - first % HOUR, first, last))
    return found


def block_at(found: Sequence[ReplyBlock], ms: int) -> ReplyBlock:
    """Return the block of a reply."""
    return found[bisect_right(found, ms, key=lambda block: block.first) - 1]


def _midnight(day: date) -> int:
    """Return the first ms of a local day; if the clock skips midnight, the ms after the skip."""
    return int(time.mktime((day.year, day.month, day.day, 0, 0, 0, 0, 0, -1))) * 1000
