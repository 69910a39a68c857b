"""How long a reading of the context stands for the session."""

from __future__ import annotations

import pytest

from projections.pressure import Gauge, is_current

READ_AT = "2026-03-01T10:00:00.000Z"


@pytest.mark.parametrize(
    ("rest", "resumed", "end", "current"),
    [
        ("", "", "10:01:00.000", True),
        ("", "", "10:01:00.001", False),
        ("10:00:20.000", "", "18:00:00.000", True),
        ("10:01:00.001", "", "18:00:00.000", False),
        ("10:00:20.000", "18:00:00.000", "18:00:40.000", True),
        ("10:00:20.000", "18:00:00.000", "18:00:40.001", False),
        ("09:59:59.000", "", "18:00:00.000", True),
        ("09:59:58.000", "09:59:59.000", "10:01:00.000", True),
        ("09:59:58.000", "09:59:59.000", "10:01:00.001", False),
        ("10:02:00.000", "", "10:01:30.000", False),
    ],
    ids=[
        "in time",
        "too late",
        "the person is away",
        "away after it was too late",
        "the person is back",
        "back for too long",
        "away since before the reading",
        "back before the reading",
        "back before the reading, too late",
        "away after the end",
    ],
)
def test_age_of_a_reading(rest: str, resumed: str, end: str, *, current: bool) -> None:
    """A reading is current for 60 s of activity; time spent waiting for the person is none."""
    rest, resumed, end = (f"2026-03-01T{clock}Z" if clock else "" for clock in (rest, resumed, end))
    gauge = Gauge(tokens=100_000, at=READ_AT, rest=rest, resumed=resumed)
    assert is_current(gauge, end, 60) is current


@pytest.mark.parametrize(("busy", "current"), [(60_000, True), (59_999, False)])
def test_a_long_tool_call_is_no_activity(busy: int, *, current: bool) -> None:
    """The time that one tool ran does not age the reading from before it."""
    assert is_current(Gauge(tokens=1, at=READ_AT), "2026-03-01T10:02:00.000Z", 60, busy) is current


def test_no_reading() -> None:
    """A session without a reading has no current one."""
    assert not is_current(Gauge(), READ_AT, 60)
    assert not is_current(Gauge(tokens=1, at=READ_AT), "", 60)


@pytest.mark.parametrize(
    ("end", "current"),
    [("2026-03-01T09:59:00.000Z", True), ("2026-03-01T09:58:59.999Z", False)],
)
def test_reading_from_the_future(end: str, *, current: bool) -> None:
    """A reading may be a minute ahead of the clock, as clocks differ, and no more."""
    assert is_current(Gauge(tokens=1, at=READ_AT), end, 60) is current
