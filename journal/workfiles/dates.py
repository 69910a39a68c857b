"""Find calendar dates in texts, without `re` and `datetime`, which load slowly.

Invariant: `find_date` returns only valid dates, all of which `date_order` accepts.
"""

from __future__ import annotations

from journal.clock import DAY_MS, millis
from journal.workfiles.markdown import ASCII_KIN

_DIGITS = "0123456789"
# The characters after year, month and day.
_STYLES = (("-", "-", ""), ("/", "/", ""), ("年", "月", "日"), ("년", "월", "일"))
_LEADS = " \t,[]@-\u2013\u2014"  # allowed between a date and its time


def find_date(text: str) -> str:
    """Return the first valid date in a text, "" if there is none.

    The result is `2026-11-21`, `2026-11-21T10:30` or `2026-11-21T10:30:05`, with `Z` or `+09:00` if
    the text has a zone. Recognized are `2026-11-21`, `2026/11/21`, `2026年11月21日` and
    `2026년 11월 21일`, and a time after it (`T10:30Z`, ` 10:30`, `(Sat) 9:30 pm`).
    """
    plain = text.translate(ASCII_KIN)
    at = 0
    while at < len(plain):
        if plain[at] not in _DIGITS:
            at += 1
            continue
        stop = _digits_end(plain, at)
        if stop - at == 4 and (found := _date_at(plain, at)):
            day, after = found
            return day + _time_at(plain, after)
        at = stop
    return ""


def date_order(date: str) -> tuple[int, int]:
    """Return (day number, second of the day) of a date that `find_date` returned, for sorting.

    The second is -1 if there is no time. A time with a zone is converted to UTC.
    """
    zone = date[-6:] if date[16:] and date[-6] in "+-" else ""
    clock = date[11:].removesuffix(zone).removesuffix("Z")
    seconds = "" if clock[5:] else ":00"
    ms = millis(f"{date[:10]}T{clock or '00:00'}{seconds}Z") or 0
    if zone:
        ms -= int(f"{zone[0]}1") * (int(zone[1:3]) * 60 + int(zone[4:])) * 60_000
    day, rest = divmod(ms, DAY_MS)
    return day, rest // 1000 if clock else -1


def _digits_end(text: str, at: int) -> int:
    while at < len(text) and text[at] in _DIGITS:
        at += 1
    return at


def _number(text: str, at: int) -> tuple[int, int]:
    """Read one or two digits: (value, end); the value is -1 if there are none or more."""
    stop = _digits_end(text, at)
    return (int(text[at:stop]), stop) if 0 < stop - at <= 2 else (-1, at)


def _date_at(text: str, at: int) -> tuple[str, int] | None:
    year = int(text[at : at + 4])
    for first, second, third in _STYLES:
        if not text.startswith(first, at + 4):
            continue
        spaced = bool(third)
        month, stop = _number(text, _blanks(text, at + 5) if spaced else at + 5)
        if not text.startswith(second, stop):
            return None
        day, end = _number(text, _blanks(text, stop + 1) if spaced else stop + 1)
        if first == "-" and end - at != 10:  # ISO 8601 requires two digits
            return None
        date = f"{year:04}-{month:02}-{day:02}"
        valid = min(month, day) > 0 and millis(f"{date}T00:00:00Z") is not None
        return (date, end + len(third)) if valid and text.startswith(third, end) else None
    return None


def _blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _time_at(text: str, at: int) -> str:
    """Read a time right after a date: `T10:30:05Z`, or "" if there is none."""
    sure = text[at : at + 1] in {"T", "t"}
    at = at + 1 if sure else _lead(text, at)
    hour, stop = _number(text, at)
    if hour < 0 or text[stop : stop + 1] != ":" or _digits_end(text, stop + 1) != stop + 3:
        return ""
    minute, stop = _number(text, stop + 1)
    seconds = ""
    if text[stop : stop + 1] == ":" and _digits_end(text, stop + 1) == stop + 3:
        second, stop = _number(text, stop + 1)
        if second > 59:
            return ""
        seconds = f":{second:02}"
        if text[stop : stop + 1] in {".", ","}:  # a fraction
            stop = max(stop, _digits_end(text, stop + 1))
    hour = _half_day(hour, text[_blanks(text, stop) :][:4].lower().replace(".", ""))
    if not (0 <= hour <= 23 and minute <= 59):
        return ""
    return f"T{hour:02}:{minute:02}{seconds}{_zone_at(text, stop, sure=sure or bool(seconds))}"


def _lead(text: str, at: int) -> int:
    """Return the offset at which a time may begin: after blanks and a weekday in brackets."""
    while at < len(text):
        if text[at] in _LEADS:
            at += 1
        elif text[at] in "(（":  # noqa: RUF001 (also the full-width bracket)
            close = max(text.find(")", at, at + 12), text.find("）", at, at + 12))  # noqa: RUF001
            if close < 0:
                break
            at = close + 1
        else:
            break
    return at


def _half_day(hour: int, mark: str) -> int:
    """Return the hour of 24 after reading `am` or `pm`, -1 if the hour is invalid."""
    if mark[:2] not in {"am", "pm"} or mark[2:3].isalpha():
        return hour
    if not 1 <= hour <= 12:
        return -1
    return hour % 12 + (12 if mark[0] == "p" else 0)


def _zone_at(text: str, at: int, *, sure: bool) -> str:
    """Read a zone: `Z`, `+09:00`, or "" if there is none.

    sure: whether the time belongs to a timestamp; otherwise `10:30-11:00` is a span of time.
    """
    near = _blanks(text, at)
    if text[at : at + 1] in {"Z", "z"} or text.startswith("UTC", near):
        return "Z"
    sign = text[near : near + 1]
    if sign not in {"+", "-"} or not (sure or (sign == "+" and near == at)):
        return ""
    stop = _digits_end(text, near + 1)
    hours, minutes = text[near + 1 : near + 3], text[near + 3 : stop]
    if stop == near + 3 and text[stop : stop + 1] == ":":
        minutes = text[stop + 1 : _digits_end(text, stop + 1)]
    if stop < near + 3 or len(minutes) not in {0, 2} or int(hours) > 14 or int(minutes or 0) > 59:
        return ""
    return f"{sign}{hours}:{minutes or '00'}"
