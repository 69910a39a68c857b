"""Parse a bound of history as a user types it: a sequence number, a time, or an age."""

import time
from typing import Any

from journal.clock import DAY_MS, iso, local, millis
from journal.errors import UsageError

_UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": DAY_MS, "w": 7 * DAY_MS}
_DAYS = {"today": 0, "yesterday": 1}


def parse_bound(text: str, now: int, *, end: bool = False) -> int | str:
    """Parse SEQ|TIME into a seq (int) or a time (ISO 8601 in UTC).

    TIME: ISO 8601 (local unless it names a zone), a date, today, yesterday, or an age such as 90s,
    30m, 2h, 3d, 1w.
    end: a date means its last millisecond rather than its first. now: ms.

    Raises:
        UsageError: the text is neither.

    """
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    return _time(text, now, "is neither a sequence number nor a time", end=end)


def _time(text: str, now: int, otherwise: str, *, end: bool) -> str:
    """Parse a TIME. otherwise: what an error says of another text."""
    unit = _UNITS.get(text[-1:])
    if unit and text[:-1].isascii() and text[:-1].isdigit() and len(text) < 10:
        return iso(now - int(text[:-1]) * unit)
    if (ago := _DAYS.get(text.lower())) is not None:
        year, month, day = time.localtime(now // 1000)[:3]
        noon = time.mktime((year, month, day - ago, 12, 0, 0, 0, 0, -1))
        text = local(int(noon) * 1000)[:10]
    value = millis(text)
    if value is None:
        raise UsageError(
            f"{text!r} {otherwise}",
            "a time is 2026-11-21, 2026-11-21T20:31, yesterday, 30m, 2h, 3d or 1w",
        )
    is_whole_day = end and len(text) == len("2026-11-21")
    if not text.upper().endswith("Z") and not set("+-") & set(text[10:]):  # it names no zone
        year, month, day, *clock = time.gmtime(value // 1000)[:6]
        fields = (year, month, day + is_whole_day, *clock, 0, 0, -1)
        return iso(int(time.mktime(fields)) * 1000 + value % 1000 - is_whole_day)  # type: ignore[arg-type]
    return iso(value + (DAY_MS - 1) * is_whole_day)


def parse_time(text: str, now: int, *, end: bool = False) -> str:
    """Parse a TIME of `parse_bound` into ISO 8601 in UTC; "" stays "".

    Raises:
        UsageError: the text is not a time (a sequence number belongs to one journal).

    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        raise UsageError(f"{text} is a sequence number, not a time", "2026-11-21, 30d or 12w")
    return _time(text, now, "is not a time", end=end) if text else ""


def parse_range(since: str, until: str, now: int) -> tuple[str, str]:
    """Parse --since and --until, see `parse_time`; raise UsageError if nothing lies between."""
    low, high = parse_time(since, now), parse_time(until, now, end=True)
    check_order(low, high)
    return low, high


def check_order(low: Any, high: Any) -> None:
    """Raise UsageError if both bounds are times, or events of one log, and the first is later."""
    times = isinstance(low, str) and isinstance(high, str)
    events = isinstance(low, tuple) and isinstance(high, tuple) and low[0] == high[0]
    if (times or events) and low and high and low > high:
        raise UsageError("--since is later than --until", "swap them")
