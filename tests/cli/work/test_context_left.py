"""How much context a session has left, and whether it is enough."""

from __future__ import annotations

import pytest

from cli.work.stage_view import ContextLeft, context_left, needed_text
from journal.config.schema import DEFAULTS
from projections.pressure import Gauge, Pressure
from projections.views import Views

NOW = 1_795_251_600_000  # 2026-11-21T09:00:00Z
READ = "2026-11-21T08:58:00.000Z"


def left(gauge: Gauge, now: int = NOW) -> ContextLeft:
    """Return what a session with this gauge has left."""
    return context_left(Views(pressure=Pressure({"s": gauge})), "s", now, DEFAULTS)


def test_what_is_left_and_why_it_is_unknown() -> None:
    """A fresh reading gives percent until compaction; without tokens or threshold it is unknown."""
    known = left(Gauge(tokens=50_000, point=100_000, window=200_000, at=READ))
    assert (known.percent, known.limit, known.unknown) == (50.0, 100_000, "")
    assert known.text == "50.0% left until compaction"
    assert left(Gauge(unknown="no reading yet")).text == "context left: unknown (no reading yet)"
    no_point = left(Gauge(tokens=50_000, at=READ))
    assert (no_point.percent, no_point.unknown) == (None, "the compaction threshold is not known")


@pytest.mark.parametrize(
    ("percent", "needed", "limit", "enough"),
    [(50.0, 50, 100_000, True), (49.9, 50, 100_000, False), (50.0, 40_000, 100_000, True),
     (50.0, 60_000, 100_000, False), (None, 50, 100_000, None), (50.0, None, 100_000, None)],
)  # fmt: skip
def test_enough_for_the_next_stage(
    percent: float | None, needed: int | None, limit: int, enough: bool | None
) -> None:
    """Up to 100 a threshold is in percent, above that in tokens; unknown stays unknown."""
    thresholds = {} if needed is None else {"sprint": needed}
    assert ContextLeft(percent, "", limit, thresholds).is_enough("sprint") is enough


def test_what_is_needed_in_words() -> None:
    """Percent or tokens."""
    assert needed_text(50) == "50% is needed"
    assert needed_text(40_000) == "40,000 tokens are needed"
