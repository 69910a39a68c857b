"""How long a reading of the context stands for the session."""

from __future__ import annotations

import pytest

from projections.pressure import Gauge, is_current

READ_AT = "2026-03-01T10:00:00.000Z"


@pytest.mark.parametrize(
    ("rest", "end", "current"),
    [
        ("", "2026-03-01T10:01:00.000Z", True),
        ("", "2026-03-01T10:01:00.001Z", False),
        ("2026-03-01T10:00:20.000Z", "2026-03-01T18:00:00.000Z", True),
        ("2026-03-01T10:01:00.001Z", "2026-03-01T18:00:00.000Z", False),
        ("2026-03-01T09:59:59.000Z", "2026-03-01T10:01:00.001Z", False),
        ("2026-03-01T10:02:00.000Z", "2026-03-01T10:01:30.000Z", False),
        ("", "", False),
    ],
    ids=[
        "in time",
        "too late",
        "the person was away",
        "away after it was too late",
        "away before the reading",
        "away after the end",
        "no time",
    ],
)
def test_age_of_a_reading(rest: str, end: str, *, current: bool) -> None:
    """A reading is current for 60 s of activity; time spent waiting for the person is none."""
    gauge = Gauge(tokens=100_000, at=READ_AT, rest=rest)
    assert is_current(gauge, end, 60) is current


def test_no_reading() -> None:
    """A session without a reading has no current one."""
    assert not is_current(Gauge(), READ_AT, 60)


@pytest.mark.parametrize(
    ("end", "current"),
    [("2026-03-01T09:59:00.000Z", True), ("2026-03-01T09:58:59.999Z", False)],
)
def test_reading_from_the_future(end: str, *, current: bool) -> None:
    """A reading may be a minute ahead of the clock, as clocks differ, and no more."""
    assert is_current(Gauge(tokens=1, at=READ_AT), end, 60) is current
