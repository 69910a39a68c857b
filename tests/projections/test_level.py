"""Levels of pressure, the age of a reading, and the client's percentage."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from journal.transcript.threshold import used_percent
from projections.prefilter import level
from tests.support.rows import each


@each(
    ("tokens", "point", "expected"),
    [
        (0, 167_000, ""),
        (120_239, 167_000, ""),
        (120_240, 167_000, "info"),
        (150_299, 167_000, "info"),
        (150_300, 167_000, "urgent"),
        (500_000, 167_000, "urgent"),
        (None, 167_000, ""),
        (150_300, None, ""),
        (150_300, 0, ""),
        (150_300, -1, ""),
    ],
)
def test_level(tokens: int | None, point: int | None, expected: str) -> None:
    """At the threshold the level is reached; an unknown reading reaches none."""
    assert level(tokens, point, 0.72, 0.90) == expected


@given(point=st.integers(1, 10_000).map(lambda n: n * 100), percent=st.integers(1, 100))
def test_a_threshold_is_reached_exactly(point: int, percent: int) -> None:
    """For no window and percentage does rounding move the threshold by a token."""
    at = point * percent // 100
    assert level(at, point, percent / 100, 2.0) == "info"
    assert level(at - 1, point, percent / 100, 2.0) == ""


def test_urgent_goes_first() -> None:
    """If both levels are reached, urgent wins, even if configured in the wrong order."""
    assert level(95, 100, 0.72, 0.90) == "urgent"
    assert level(65, 100, 0.72, 0.60) == "urgent"


@each(
    ("tokens", "window", "percent"),
    [(44_985, 1_000_000, 4), (45_000, 1_000_000, 5), (1_200_015, 1_000_000, 100), (0, 200_000, 0),
     (200_000, 200_000, 100), (999, 200_000, 0), (1_000, 200_000, 1), (5, 0, 0), (5, -1, 0), (-5, 100, 0)],
)  # fmt: skip
def test_used_percent(tokens: int, window: int, percent: int) -> None:
    """The percentage is rounded half up and clamped, as the client does it."""
    assert used_percent(tokens, window) == percent
