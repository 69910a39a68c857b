"""How long a reading of the context stands for the session."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from journal.log.record import frame
from journal.transcript.threshold import CLIENT
from projections.fold import Fold
from projections.prefilter import warned_level
from projections.pressure import Gauge, Pressure, hints, is_current, limit_of, point_of
from projections.registry import REGISTRY
from tests.projections.timeline import fed, fields_of, timeline, view
from tests.support.rows import each

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


def told(text: str) -> str:
    """Return the level that session a was last told."""
    gauge = view("pressure", text).sessions["a"]
    return warned_level(gauge.told, gauge.lowest, 0.72, 0.90)


TOLD: dict[str, tuple[str, str]] = {
    "nothing-told": ("09:00 reading 130000", ""),
    "info": ("09:00 reading 130000 / 09:00 told info 130000", "info"),
    "still": ("09:00 told info 130000 / 09:00 reading 130000 / 09:00 told info 130000 / 09:01 reading 140000", "info"),
    "dropped": ("09:00 reading 130000 / 09:00 told info 130000 / 09:01 reading 110000", ""),
    "dropped-and-back": ("09:00 reading 130000 / 09:00 told info 130000 / 09:01 reading 110000 / 09:02 reading 130000", ""),
    "urgent": ("09:00 reading 160000 / 09:00 told urgent 160000", "urgent"),
    "urgent-at-its-border": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 reading 150300", "urgent"),
    "urgent-to-info": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 reading 130000",
                       "info"),
    "compaction": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 compact auto / 09:01 done",
                   ""),
    "failed-compaction": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 compact auto",
                          "urgent"),
    "subagent-compaction": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 compact auto by x / 09:01 done by x / 09:01 summary s by x", "urgent"),
    "other-session": ("09:00 reading 160000 / 09:00 told urgent 160000 / b 09:01 compact auto / b 09:01 done / b 09:02 reading 1000", "urgent"),
    "clear": ("09:00 start / 09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 end clear / b 09:01 start clear a / 09:02 start resume", "urgent"),
}  # fmt: skip


@each("text, level", TOLD.values(), ids=TOLD)
def test_what_counts_as_told(text: str, level: str) -> None:
    """A level counts as told until the reading falls below it or a compaction succeeds."""
    assert told(text) == level


def test_three_compactions_correct_the_formula() -> None:
    """From the third automatic compaction on the median of the observed sizes is used."""
    one = "09:00 reading 150000 / 09:00 compact auto / 09:00 done / "
    other = "b 09:00 reading 156000 / b 09:00 compact auto / b 09:00 done / "
    by_hand = "09:00 reading 90000 / 09:00 compact manual / 09:00 done / "
    assert point_of(view("pressure", one + by_hand + other), 167_000) == (167_000, "formula")
    point, source = point_of(view("pressure", one + other + by_hand + one), 167_000)
    assert (point, source[:8]) == (150_000, "observed")
    assert point_of(view("pressure", (one + other) * 2), 167_000)[0] == 153_000
    assert point_of(view("pressure", one * 3), 900_000) == (900_000, "formula")


def test_nothing_corrects_what_claude_code_states() -> None:
    """A threshold that Claude Code or a setting states holds, whatever was observed before."""
    seen = Pressure(observed={"167000": [150_000] * 3})
    computed = Gauge(point=167_000, tokens=1, terms=[["window", "200000", "model table"]])
    stated = Gauge(point=167_000, tokens=1, terms=[["compaction threshold", "167000", CLIENT]])
    assert limit_of(seen, computed)[0] == 150_000
    assert hints(seen)["points"] == {"167000": 150_000}
    state = replace(seen, sessions={"a": stated})
    assert limit_of(state, stated) == (167_000, CLIENT)
    assert limit_of(state, computed) == (167_000, "formula")
    assert hints(state)["points"] == {}
    auto = "09:00 reading 150000 / 09:00 compact auto / 09:00 done"
    for terms, points in ((computed.terms, ["167000"]), (stated.terms, [])):
        events = [fields_of(line) for line in auto.split(" / ")]
        events[0] |= {"point": 167_000, "terms": terms}
        assert list(fed(*events)["pressure"].observed) == points


def test_a_compaction_of_an_idle_session_corrects_nothing() -> None:
    """Claude Code also compacts an idle session, long before the threshold."""
    idle = (
        "09:00 reading 40000 / 09:00 stop 0 / 09:50 compact auto / 09:50 done / 09:59 prompt x / "
    )
    assert point_of(view("pressure", idle * 3), 167_000) == (167_000, "formula")
    begun = (
        "09:00 stop 0 / 09:01 prompt x / 09:01 reading 150000 / 09:02 compact auto / 09:02 done / "
    )
    assert point_of(view("pressure", begun * 3), 167_000)[0] == 150_000


@pytest.mark.parametrize("late", ["08:50 stop 0", "08:50 prompt x"])
def test_a_late_event_does_not_tell_what_is_idle(late: str) -> None:
    """A turn's end or a prompt that was added from the transcript leaves the gauge as it is."""
    text = "09:00 reading 40000 / 09:00 stop 0"
    fields = fields_of(late)
    added = (3, frame(3, {**fields, "via": "reconciled"})[:-1])
    fold = Fold([REGISTRY["pressure"]]).feed([*timeline(text), added])
    assert fold.states["pressure"] == view("pressure", text)
    assert view("pressure", f"{text} / {late}") != view("pressure", text)


UNKNOWN: dict[str, str] = {
    "never": "09:00 start startup / 09:00 model claude-opus-5-5",
    "compacted": "09:00 reading 1000 / 09:00 compact auto / 09:00 done",
    "compacted-by-post": "09:00 reading 1000 / 09:00 compact auto / 09:00 summary s",
    "cleared": "b 09:00 reading 1000 / 09:00 start clear b",
}


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_is_not_zero(text: str) -> None:
    """Without a usable reading there are no tokens, and the view gives the reason."""
    gauge = view("pressure", text).sessions.get("a")
    assert gauge is None or (gauge.tokens is None and gauge.unknown)


def test_without_automatic_compaction_the_window_is_the_limit() -> None:
    """Where automatic compaction is off, no compaction that was observed before corrects it."""
    state = Pressure(observed={"167000": [1, 1, 1]})
    assert limit_of(state, Gauge(point=167_000))[0] == 1
    assert limit_of(state, Gauge(point=167_000, enabled=False))[0] == 167_000
