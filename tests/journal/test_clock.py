"""The journal's clock: milliseconds and ISO 8601, in agreement with `datetime`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from freezegun import freeze_time
from hypothesis import example, given
from hypothesis import strategies as st

from journal.clock import iso, millis, now_ms
from tests.support.rows import each

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOMENTS = st.datetimes(timezones=st.just(UTC))


def _millis(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


@given(MOMENTS)
@example(datetime(2024, 2, 29, 23, 59, 59, 999000, tzinfo=UTC))
@example(datetime(2000, 2, 29, tzinfo=UTC))
@example(datetime(1900, 2, 28, tzinfo=UTC))
@example(datetime(1969, 12, 31, 23, 59, 59, 1000, tzinfo=UTC))
def test_both_ways_agree_with_datetime(moment: datetime) -> None:
    """Any time from year 1 to 9999 is written as datetime writes it, and read back exactly."""
    ms = _millis(moment)
    text = moment.strftime("%m-%dT%H:%M:%S")
    assert iso(ms) == f"{moment.year:04d}-{text}.{moment.microsecond // 1000:03d}Z"
    assert millis(iso(ms)) == ms


@given(MOMENTS, st.sampled_from(["", "Z", "+00:00", "+05:30", "-11:00"]))
def test_other_spellings_are_read(moment: datetime, zone: str) -> None:
    """Time zones are applied, no zone means UTC, and other spellings read as datetime reads them."""
    text = moment.replace(tzinfo=None).isoformat() + zone
    expected = datetime.fromisoformat(text)
    if expected.tzinfo is None:
        expected = expected.replace(tzinfo=UTC)
    assert millis(text) == _millis(expected)


@each(
    "text",
    ["", "now", "2026", "2026-02-29T00:00:00Z", "2023-02-29T00:00:00.000Z", "2100-02-29T00:00:00Z",
     "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
     "2026-01-01T24:30:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026/01/01T00:00:00Z",
     "2026-01-01T00.00.00Z", "+026-01-01T00:00:00Z", "2026- 1-01T00:00:00Z", "2026-01-01T00:00:0_Z",
     "2026-01-01T00:00:00.xZ", "2026-01-01T00:00:00.1_1Z", "2026-01-01T00:00:00.-1Z",
     "٢٠٢٦-01-01T00:00:00Z", "2026-01-01T00:00:00ZZ", "2026-01-01T00:00:00Z5Z", "0000-01-01T00:00:00Z", "x" * 10_000],
)  # fmt: skip
def test_what_is_no_time(text: str) -> None:
    """A date that is not in the calendar, or a text that only resembles a time, is None."""
    assert millis(text) is None


@pytest.mark.parametrize(
    ("text", "ms"),
    [("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00.1239Z", 123),
     ("2024-02-29T12:00:00Z", 1709208000000), (" 1970-01-02 ", 86_400_000)],
)  # fmt: skip
def test_what_is_one(text: str, ms: int) -> None:
    """Fractions of any length are read as milliseconds, and leap days exist in leap years only."""
    assert millis(text) == ms


def test_the_environment_fixes_the_clock() -> None:
    """JOURNAL_NOW sets the clock if it can be read; otherwise the real time is used."""
    assert now_ms({"JOURNAL_NOW": "2026-11-21T20:31:13.123Z"}) == 1795293073123
    with freeze_time("2026-11-22T00:00:00.5Z") as clock:
        for wrong in ({}, {"JOURNAL_NOW": ""}, {"JOURNAL_NOW": "soon"}):
            assert now_ms(wrong) == 1795305600500
        clock.tick(0.25)
        assert now_ms({}) == 1795305600750
        assert now_ms({"JOURNAL_NOW": "2026-11-21T20:31:13.123Z"}) == 1795293073123
