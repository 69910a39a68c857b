"""Charts as data: lines, marks and counts."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.page.charts import count_by_week, events_of, sawtooth, weekly_bars
from journal.history.timeline import EntryGroup, SessionTimeline, TimelineEntry

NOW = 1_795_273_200_000  # Saturday 2026-11-21T15:00:00Z


def session(*readings: tuple[int, int]) -> SessionTimeline:
    """Build a session with a threshold of 160,000 tokens. readings: (ms, tokens)."""
    made = SessionTimeline("shop-1", "s", imported=False, title="<b>t</b>")
    for at, tokens in readings:
        row = (at, at, tokens)
        made.groups.append(EntryGroup("reading", 160_000, "", False, 1, at, at, tokens, [row]))
    return made


def eventful() -> SessionTimeline:
    """Build a session with readings, warnings and compactions, of which one each has no tokens."""
    made = session((1, 80_000), (3, 14_400))
    made.groups += [
        EntryGroup("told", 160_000, "info", False, 1, 1, 1, 120_000, [(1, 11, 120_000)]),
        EntryGroup("told", 0, "urgent", False, 1, 2, 2, 0, [(2, 12, 0)]),
    ]
    made.compactions = [
        TimelineEntry(2, "auto", 158_000, 160_000, "", 3),
        TimelineEntry(4, "manual", 0, 0, "", 4),
    ]
    return made


def test_what_is_known_is_drawn_at_its_height() -> None:
    """Readings, compactions and warnings in percent; one without a known height is a line."""
    series = sawtooth(eventful(), 0.7, 0.9)["series"]
    line, compactions, warnings = series
    assert line["data"] == [[1, 50.0], [2, 98.8], [3, 9.0]]
    assert [mark["yAxis"] for mark in line["markLine"]["data"]] == [100.0, 90.0, 70.0]
    assert compactions["data"] == [[2, 98.8]]
    assert compactions["markLine"]["data"] == [{"xAxis": 4}]
    assert warnings["data"] == [[1, 75.0]]
    assert warnings["markLine"]["data"] == [{"xAxis": 2}]


@pytest.mark.parametrize("top, limit", [(50.0, 120), (98.8, 120), (120.0, 140), (230.0, 240)])
def test_the_axis_holds_all_of_it(top: float, limit: int) -> None:
    """The axis includes the compaction threshold and every reading."""
    found = session((1, round(top * 1600)))
    assert sawtooth(found, 0.7, 0.9)["yAxis"]["max"] == limit


def test_no_text_becomes_markup() -> None:
    """Tooltips are drawn as text, and the options are plain data."""
    options = sawtooth(eventful(), 0.7, 0.9)
    assert options["tooltip"]["renderMode"] == "richText"
    assert "<b>" not in json.dumps(options)


def test_what_happened_in_order() -> None:
    """Warnings and compactions are in one list, 0 if the tokens are unknown."""
    assert events_of(eventful()) == [
        (1, "warning: info", 120_000), (2, "automatic compaction", 158_000),
        (2, "warning: urgent", 0), (4, "compaction by hand", 0),
    ]  # fmt: skip


def test_weeks_begin_on_monday_and_end_with_this_one() -> None:
    """Twelve weeks with their compactions; older or invalid times are not counted."""
    rows = [("shop", "2026-11-16T00:00:00Z"), ("shop", "2026-11-15T23:59:59Z"),
            ("docs", "2026-11-21T14:00:00Z"), ("shop", "2026-01-01T00:00:00Z"), ("shop", "?")]  # fmt: skip
    mondays, projects = count_by_week(rows, NOW)
    assert (len(mondays), mondays[0], mondays[-1]) == (12, "2026-08-31", "2026-11-16")
    assert projects == {"shop": [0] * 10 + [1, 1], "docs": [0] * 11 + [1]}


def test_projects_beyond_the_colours_are_one() -> None:
    """The projects with the most compactions keep their names; the total stays the same."""
    rows = [(f"p{number}", "2026-11-20T10:00:00Z") for number in range(12)] * 2
    rows += [("most", "2026-11-20T10:00:00Z")] * 5
    mondays, projects = count_by_week(rows, NOW)
    assert next(iter(projects)) == "most"
    assert list(projects)[-1] == "other projects"
    assert sum(map(sum, projects.values())) == len(rows)
    bars = weekly_bars(mondays, projects)["series"]
    assert len({bar["color"] for bar in bars}) == len(bars)
