"""Dates in headings: which texts contain one, and how two are ordered."""

# ruff: noqa: RUF001 full-width signs are what is tested

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from journal.workfiles.dates import date_order, find_date
from tests.support.rows import each

READ = {
    "iso": ("2026-11-21", "2026-11-21"),
    "in-words": ("Fixed the parser (2026-11-21, late)", "2026-11-21"),
    "bracketed": ("[2026-11-21] fix", "2026-11-21"),
    "slashes": ("2026/11/21 fix", "2026-11-21"),
    "slashes-short": ("2026/1/5", "2026-01-05"),
    "japanese": ("2026年11月21日 修正", "2026-11-21"),
    "japanese-short": ("修正 2026年1月5日", "2026-01-05"),
    "japanese-wide-digits": ("２０２６年１１月２１日", "2026-11-21"),
    "korean": ("2026년 11월 21일", "2026-11-21"),
    "korean-tight": ("2026년11월21일", "2026-11-21"),
    "space-time": ("2026-11-21 10:30 fix", "2026-11-21T10:30"),
    "t-zulu": ("2026-11-21T10:30Z", "2026-11-21T10:30Z"),
    "seconds-offset": ("2026-11-21T10:30:05+09:00", "2026-11-21T10:30:05+09:00"),
    "offset-tight": ("2026-11-21 10:30:05 -0530", "2026-11-21T10:30:05-05:30"),
    "offset-of-one-digit": ("2026-11-21T10:30:05+9", "2026-11-21T10:30:05"),
    "fraction": ("2026-11-21T10:30:05.123Z", "2026-11-21T10:30:05Z"),
    "utc": ("2026-11-21 10:30 UTC", "2026-11-21T10:30Z"),
    "weekday": ("2026-11-21 (Sat) 9:05", "2026-11-21T09:05"),
    "weekday-wide": ("2026-11-21（土）10:30", "2026-11-21T10:30"),
    "bracket-time": ("[2026-11-21] 10:30 fix", "2026-11-21T10:30"),
    "pm": ("2026-11-21 1:30 PM", "2026-11-21T13:30"),
    "midnight-am": ("2026-11-21 12:05 a.m.", "2026-11-21T00:05"),
    "am-is-a-word": ("2026-11-21 9:05 amended", "2026-11-21T09:05"),
    "a-span-is-no-zone": ("2026-11-21 10:30-11:00 review", "2026-11-21T10:30"),
    "japanese-time": ("2026年11月21日 10:30", "2026-11-21T10:30"),
    "leap-day": ("2028-02-29", "2028-02-29"),
    "first-valid": ("2026-13-45 then 2026-11-21", "2026-11-21"),
    "no-such-time": ("2026-11-21 25:61", "2026-11-21"),
    "second-of-two": ("release 10.2 of 2026-11-21", "2026-11-21"),
}
UNREAD = {
    "empty": "",
    "words": "Fixed the parser",
    "month-13": "2026-13-45",
    "day-0": "2026-11-00",
    "no-leap-day": "2027-02-29",
    "century": "1900-02-29",
    "year-0": "0000-01-01",
    "long-year": "12026-11-21",
    "long-day": "2026-11-211",
    "short-iso": "2026-1-5",
    "mixed-signs": "2026-11/21",
    "year-only": "2026",
    "half-japanese": "2026年11月",
    "superscript": "2026-11-²¹",
    "version": "v2026.11",
}


@each("text, date", READ.values(), ids=READ)
def test_a_date_is_read(text: str, date: str) -> None:
    """A date or date-time anywhere in a text is found and returned in one form."""
    assert find_date(text) == date


@each("text", UNREAD.values(), ids=UNREAD)
def test_what_is_no_date_is_not_read(text: str) -> None:
    """An invalid or incomplete date is not read."""
    assert find_date(text) == ""


@given(st.dates(), st.dates())
def test_days_are_ordered_as_the_calendar_does(one: dt.date, other: dt.date) -> None:
    """The distance between two days is that of the calendar."""
    left, right = date_order(one.isoformat()), date_order(other.isoformat())
    assert right[0] - left[0] == (other - one).days
    assert left[1] == right[1] == -1


ZONES = st.integers(-14 * 60, 14 * 60).map(lambda m: dt.timezone(dt.timedelta(minutes=m)))
TIMES = st.datetimes(dt.datetime(1970, 1, 3), dt.datetime(2100, 1, 1), timezones=ZONES)  # noqa: DTZ001


@given(TIMES, TIMES)
def test_times_are_ordered_across_zones(one: dt.datetime, other: dt.datetime) -> None:
    """Two times with zones are ordered by their instants, to the second."""
    one, other = one.replace(microsecond=0), other.replace(microsecond=0)
    left, right = (date_order(find_date(f"## {t.isoformat()} x")) for t in (one, other))
    assert (left < right) == (one < other)


@given(st.text(alphabet="0123456789-/:TZ+ 年月日년월일([])apm.", max_size=40))
def test_any_text_is_read_without_error(text: str) -> None:
    """Any text is read without an error, and a date found in it is valid and can be ordered."""
    date = find_date(text)
    if date:
        dt.date.fromisoformat(date[:10])
        day, second = date_order(date)
        assert day > -2
        assert -1 <= second < 86400
        assert find_date(date) == date
