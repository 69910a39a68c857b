"""Times as a person reads them: local, with the zone named once."""

import time

from journal.clock import DAY_MS, local, millis

_HALF_A_YEAR = 182 * DAY_MS


def local_time(at: int | str | None) -> str:
    """Return date and clock, as in 2026-11-21 09:30, of a time in ms or ISO 8601; "" for none."""
    ms = at if isinstance(at, int) else millis(at or "")
    return "" if ms is None else local(ms)[:16]


def local_second(at: str, now: int) -> str:
    """Return `11-21 09:30:05` of an ISO time in UTC; an invalid time as it is.

    A time of another year than `now` (ms) is returned with its year.
    """
    ms = millis(at)
    text = at[:19].replace("T", " ") if ms is None else local(ms)
    return text.removeprefix(local(now)[:5])


def zone(at: int | str) -> str:
    """Return the name of a time's local zone: `CET (UTC+01:00)`, `UTC+05:45`; "" for no time."""
    ms = at if isinstance(at, int) else millis(at)
    if ms is None:
        return ""
    t = time.localtime(ms // 1000)
    sign, minutes = "-" if t.tm_gmtoff < 0 else "+", abs(t.tm_gmtoff) // 60
    offset = f"UTC{sign}{minutes // 60:02d}:{minutes % 60:02d}" if minutes else "UTC"
    nameless = t.tm_zone[:1] in "+-" or (t.tm_zone in ("UTC", "GMT") and not minutes)
    return offset if nameless else f"{t.tm_zone} ({offset})"


def zoned_time(at: int | str) -> str:
    """Return `local_time` and the name of its zone."""
    return f"{local_time(at)} {zone(at)}"


def zones(now: int) -> str:
    """Return the zone of times around `now` (ms): `CET (UTC+01:00), in summer CEST (UTC+02:00)`."""
    other = now - _HALF_A_YEAR
    is_summer, was_summer = (time.localtime(ms // 1000).tm_isdst > 0 for ms in (now, other))
    if is_summer == was_summer:
        return zone(now)
    return f"{zone(now)}, in {'summer' if was_summer else 'winter'} {zone(other)}"


def zone_between(first: str, last: str) -> str:
    """Return the zone of two times; both zones if the clocks changed between them."""
    return zone(last) if zone(first) == zone(last) else zones(millis(last) or 0)


def zone_note(now: int) -> str:
    """Return the line that names the zone of a list."""
    return f"Times are {zones(now)}."
