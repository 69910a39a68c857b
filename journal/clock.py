"""The clock of the journal: milliseconds since the epoch, written as ISO 8601 in UTC.

`JOURNAL_NOW` fixes it, for tests and replays. No other module reads the system clock.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DAY_MS = 86_400_000
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_dates: dict[str, int] = {}  # results of `_days`: many times share few dates


def now_ms(env: Mapping[str, str]) -> int:
    """Return milliseconds since the epoch; a valid `JOURNAL_NOW` (ISO 8601) has precedence."""
    fixed = env.get("JOURNAL_NOW")
    if fixed:
        value = millis(fixed)
        if value is not None:
            return value
    return int(time.time() * 1000)


def iso(ms: int) -> str:
    """Return a time in ms as `2026-11-21T20:31:13.123Z`."""
    seconds, rest = divmod(ms, 1000)
    t = time.gmtime(seconds)
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (*t[:6], rest)  # noqa: UP031 (4 us less)


def local(ms: int) -> str:
    """Return a time as `2026-11-21 20:31:13` in this process's zone (TZ, else the system's)."""
    t = time.localtime(ms // 1000)
    return "%04d-%02d-%02d %02d:%02d:%02d" % t[:6]  # noqa: UP031 (as above)


def millis(text: str) -> int | None:
    """Parse an ISO 8601 time (UTC unless it names a zone) into ms since the epoch, or None."""
    value = _millis_utc(text)
    if value is not None or not text:
        return value
    # takes 1.2 ms; only for other forms
    from datetime import datetime, timedelta, timezone

    utc = timezone.utc  # noqa: UP017 (datetime.UTC costs the same)
    try:
        when = datetime.fromisoformat(text.strip())
        if when.tzinfo is None:
            when = when.replace(tzinfo=utc)
        return (when - datetime(1970, 1, 1, tzinfo=utc)) // timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return None


def elapsed_ms(start: str, end: str) -> int:
    """Return the milliseconds from `start` to `end` (ISO times).

    Return 0 if either is unknown or the end is before the start.
    """
    first, last = millis(start), millis(end)
    return max(0, last - first) if first is not None and last is not None else 0


def _millis_utc(text: str) -> int | None:
    """Parse the form that the journal and the client write, without importing datetime."""
    if len(text) < 20 or text[-1] != "Z" or text[19] not in ".Z" or not text.isascii():
        return None
    digits = text[11:13] + text[14:16] + text[17:19] + text[20:-1]
    if text[10] + text[13] + text[16] != "T::" or not digits.isdigit():
        return None
    if len(text) == 21 or (text[19] == "Z" and len(text) > 20):  # a fraction needs point and digits
        return None
    date = text[:10]
    days = _dates[date] if date in _dates else _days(date)
    rest, milliseconds = divmod(int((digits + "000")[:9]), 1000)
    hour, minute, second = rest // 10_000, rest // 100 % 100, rest % 100
    if days is None or hour > 23 or minute > 59 or second > 59:
        return None
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milliseconds


def _days(date: str) -> int | None:
    """Return the days from the epoch to a date such as `2026-11-21`, or None if it is none."""
    digits = date[:4] + date[5:7] + date[8:]
    if date[4] + date[7] != "--" or not digits.isdigit():
        return None
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not (year and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] + (leap and month == 2)):
        return None
    # The proleptic Gregorian calendar, with years that begin in March.
    y = year - (month <= 2)
    era = y // 400
    yoe = y - era * 400
    doy = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    if len(_dates) > 1000:
        _dates.clear()
    _dates[date] = days = era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468
    return days
