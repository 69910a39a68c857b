"""Title, status, outcome and duration of a digest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.clock import elapsed_ms
from projections.digest import Digest, duration_ms, outcome, status
from tests.projections.digested import fed, folded, one, tool


@pytest.mark.parametrize(
    ("text", "status_", "outcome_"),
    [
        pytest.param("09:00 start / 09:01 prompt x", "open", "open", id="open"),
        pytest.param("09:00 start / 09:01 end", "completed", "ended", id="ended"),
        pytest.param("09:00 start / 09:01 end / 09:02 start resume", "open", "open", id="resumed"),
        pytest.param("09:00 prompt x / 09:01 failed overloaded / 09:02 end", "completed",
                     "ended by error (overloaded)", id="error"),
        pytest.param("09:00 failed overloaded / 09:01 stop / 09:02 end", "completed", "ended",
                     id="error got over"),
        pytest.param("09:00 about exported z", "completed", "exported", id="exported"),
    ],
)  # fmt: skip
def test_status_and_outcome(text: str, status_: str, outcome_: str) -> None:
    """A session is over if it ended and was not resumed; its outcome is one word."""
    found = next(iter(folded(text).values()))
    assert (status(found), outcome(found)) == (status_, outcome_)


def test_an_outcome_of_tests() -> None:
    """The last test run decides a session's outcome."""
    end = {"type": "session.ended", "reason": "other"}
    red, green = (tool("Bash", "pytest", tests=word) for word in ("failed", "passed"))
    assert outcome(fed(red, green, end)) == "tests passed"
    assert outcome(fed(green, red, end)) == "tests failed"
    assert outcome(fed({**end, "inferred": True})) == "ended (inferred)"


def test_duration_leaves_out_the_time_between() -> None:
    """Duration counts from start to last activity, without the time between end and resumption."""
    assert duration_ms(one("09:00 start / 09:10 end")) == 600_000
    resumed = "09:00 start / 09:10 end / 09:40 start resume / 09:45 end"
    assert duration_ms(one(resumed)) == 900_000
    assert duration_ms(Digest()) == 0


@given(st.datetimes(), st.integers(0, 10**11))
def test_times_without_a_clock(moment: Any, gap: int) -> None:
    """Time differences agree with the calendar, to the millisecond."""
    from datetime import timedelta

    later = moment + timedelta(milliseconds=gap) if moment.year < 9000 else moment

    def text(value: Any) -> str:
        return (
            f"{value:%Y}".zfill(4)
            + value.strftime("-%m-%dT%H:%M:%S.")
            + (f"{value.microsecond // 1000:03}Z")
        )

    exact = (later.replace(microsecond=later.microsecond // 1000 * 1000)
             - moment.replace(microsecond=moment.microsecond // 1000 * 1000))  # fmt: skip
    assert elapsed_ms(text(moment), text(later)) == exact // timedelta(milliseconds=1)
    assert elapsed_ms(text(later), text(moment)) == 0 or later == moment


@pytest.mark.parametrize("text", ["", "yesterday", "2026-11-2"])
def test_no_time(text: str) -> None:
    """An invalid time gives no duration."""
    assert elapsed_ms(text, "2026-11-21T09:00:00.000Z") == 0
