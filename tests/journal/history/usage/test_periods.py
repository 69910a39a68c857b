"""Periods: local days, weeks and months, and blocks as ccusage defines them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from journal.clock import millis
from journal.history.usage.periods import between, block_at, blocks, period_bounds, period_of

HOUR = 3_600_000


def ms(text: str) -> int:
    """Return a time in ms."""
    found = millis(text)
    assert found is not None
    return found


@pytest.mark.parametrize("zone,at,day,week,month", [
    ("UTC", "2026-11-01T23:59:59.999Z", "2026-11-01", "2026-10-26", "2026-11"),
    ("Europe/Berlin", "2026-10-31T23:30:00.000Z", "2026-11-01", "2026-10-26", "2026-11"),
    ("America/New_York", "2026-11-01T03:59:00.000Z", "2026-10-31", "2026-10-26", "2026-10"),
    ("Asia/Kathmandu", "2026-11-21T18:15:00.000Z", "2026-11-22", "2026-11-16", "2026-11"),
])  # fmt: skip
def test_a_period_is_local(zone, at, day, week, month, in_zone):
    """The day, the week's Monday and the month are in local time."""
    in_zone(zone)
    assert [period_of(kind, ms(at)) for kind in ("day", "week", "month")] == [day, week, month]


@pytest.mark.parametrize("kind", ["day", "week", "month"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 4_000_000_000_000))
def test_the_bounds_hold_the_time(kind, at, in_zone):
    """A time is within the bounds of its period, also when the clock changes."""
    in_zone("Europe/Berlin")
    start, end = period_bounds(kind, period_of(kind, at))
    assert start <= at < end
    assert (period_of(kind, start), period_of(kind, end - 1)) == (period_of(kind, at),) * 2


@pytest.mark.parametrize("kind", ["day", "week", "month"])
def test_gaps_are_filled_up_to_31_periods(kind, in_zone):
    """Periods between two of them are returned, but not the many up to a time of a wrong clock."""
    in_zone("Europe/Berlin")
    names = [
        period_of(kind, ms(at)) for at in ("2026-10-01T12:00:00.000Z", "2026-11-02T12:00:00.000Z")
    ]
    filled = between(kind, names[::-1])
    assert (filled[0], filled[-1], len(filled)) == (
        *names,
        {"day": 33, "week": 6, "month": 2}[kind],
    )
    for at in ("9999-12-31T12:00:00.000Z", "2029-08-01T12:00:00.000Z"):
        far = period_of(kind, ms(at))
        assert between(kind, [far, *names]) == [*filled, far]
    assert between(kind, []) == []


def reference(times: list[int]) -> list[int]:
    """Return the start of each reply's block, reply by reply as ccusage does."""
    starts: list[int] = []
    last = 0
    for at in times:
        if not starts or at - starts[-1] > 5 * HOUR or at - last > 5 * HOUR:
            starts.append(at - at % HOUR)
        else:
            starts.append(starts[-1])
        last = at
    return starts


TIMES = st.lists(
    st.integers(0, 40).flatmap(
        lambda hour: st.sampled_from([0, 1, 59_999, HOUR // 2, HOUR - 1]).map(
            lambda x: hour * HOUR + x
        )
    ),
    min_size=1,
).map(sorted)


@given(TIMES)
def test_blocks_are_those_of_ccusage(times):
    """Blocks computed from hours equal those computed reply by reply, also at full hours."""
    hours: dict[int, list[int]] = {}
    for at in times:
        hours.setdefault((at - 1) // HOUR, []).append(at)
    found = blocks((min(items), max(items)) for items in hours.values())
    assert [block_at(found, at).start for at in times] == reference(times)
