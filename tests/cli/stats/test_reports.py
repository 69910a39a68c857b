"""Reports over known history have known rows; an unknown value is None, never zero."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.render.local_time import local_time
from cli.stats import cost_reports, reports
from cli.stats.report import ReportTable
from journal.clock import iso, millis
from journal.history.timeline import COMPACTIONS, EntryGroup, SessionTimeline, TimelineEntry
from journal.history.usage.periods import period_of
from projections.stage import Span

T0 = millis("2026-11-18T10:00:00.000Z") or 0  # a Wednesday
MINUTE = 60_000


def made(
    sid: str, *moments: tuple[int, str, int], project: str = "shop", imported: bool = False
) -> SessionTimeline:
    """Build a session of (minute, kind, tokens)."""
    session = SessionTimeline(project, sid, imported=imported)
    for seq, (minute, kind, tokens) in enumerate(moments, 1):
        detail = "info" if kind == "told" else ""
        at, point = T0 + minute * MINUTE, 100_000 if tokens else 0
        if kind in COMPACTIONS:
            session.compactions.append(TimelineEntry(at, kind, tokens, point, detail, seq))
        else:
            row = (at, seq, tokens)
            session.groups.append(EntryGroup(kind, point, detail, False, 1, at, at, tokens, [row]))
    return session


def test_weeks_and_projects() -> None:
    """Compactions by week, from Monday, and by project; a week without one shows 0."""
    found = [
        made("a", (0, "auto", 90_000), (60 * 24 * 14, "manual", 40_000)),
        made("b", (0, "prompt", 0)),
        made("c", (1, "auto", 0), project="shed"),
    ]
    report = reports.compactions(found)
    per_week, table = report.parts
    assert [(row[0], row[1]) for row in per_week.rows] == [
        ("2026-11-16", 2),
        ("2026-11-23", 0),
        ("2026-11-30", 1),
    ]
    assert table.rows == [("shop", 2, 1, 1.0, 65_000), ("shed", 1, 1, 1.0, None)]
    assert [row["tokens"] for row in report.data] == [90_000, 40_000, None]


@given(st.integers(0, 4_000_000_000_000))
def test_a_week_begins_on_monday(ms: int) -> None:
    """The week of any time is a Monday at most six days before."""
    from datetime import date

    monday = date.fromisoformat(period_of("week", ms))
    assert monday.weekday() == 0
    assert 0 <= (date.fromisoformat(iso(ms)[:10]) - monday).days <= 6


def test_the_sawtooth() -> None:
    """Readings and compactions as shares of T, with warnings at their times."""
    session = made(
        "a",
        (0, "reading", 50_000),
        (5, "told", 73_000),
        (6, "reading", 99_000),
        (7, "auto", 99_000),
        (8, "reading", 20_000),
    )
    report = reports.pressure(session, 0.72, 0.9)
    (line,) = report.parts
    assert [share for _, share in line.points] == [0.5, 0.99, 0.99, 0.2]
    assert [char for _, char in line.marks] == ["!", "A"]
    assert "99%" in report.summary[1]
    assert reports.pressure(None, 0.72, 0.9).parts == []


def test_what_came_of_advice() -> None:
    """The first reaction after a warning counts; sessions without hooks are separate."""
    found = [
        made("a", (0, "told", 73_000), (1, "compound", 0), (2, "auto", 99_000)),
        made("b", (0, "told", 73_000), (1, "auto", 99_000)),
        made("c", (0, "compound", 0), (1, "told", 73_000)),
        made("d", (0, "reading", 80_000), (1, "reading", 95_000), imported=True),
    ]
    report = reports.advice(found, 0.72, 0.9)
    assert report.data[0] == {
        "level": "info",
        "given": 3,
        "compound": 1,
        "manual": 0,
        "auto": 1,
        "nothing": 1,
    }
    assert report.summary == [
        "3 warnings given in 3 sessions, 1 heeded",
        "1 imported session had no hooks; these levels would have warned 2 times",
    ]


def test_what_stages_took() -> None:
    """Percent of the window and tokens by stage; unknown if neither end has a reading."""
    spans = [
        Span(stage="sprint", finished="t", before=90, left=60, cost=50_000),
        Span(stage="audit", finished="t"),
    ]
    assert reports.stages(spans).data == [
        {"stage": "sprint", "runs": 1, "median_percent": 30, "most_percent": 30, "tokens": 50_000},
        {"stage": "audit", "runs": 1, "median_percent": None, "most_percent": None, "tokens": None},
    ]


def test_sessions() -> None:
    """The latest first, with its length, prompts, compactions and how full it got."""
    found = [made("a", (0, "prompt", 0), (90, "reading", 81_000)), made("b", (100, "prompt", 0))]
    rows = reports.sessions(found).data
    assert [
        (row["session"], row["minutes"], row["prompts"], row["most_percent"]) for row in rows
    ] == [("b", 0, 1, None), ("a", 90, 1, 81)]


def test_the_project_is_a_column_only_where_there_are_several() -> None:
    """A name that would stand in each row takes no room from the titles."""
    one, other = made("a", (0, "prompt", 0)), made("b", (95, "prompt", 0), project="till")
    alone, both = (reports.sessions(found).parts[0] for found in ([one], [one, other]))
    assert isinstance(alone, ReportTable)
    assert isinstance(both, ReportTable)
    assert alone.heads == ("STARTED", "SESSION", "LASTED", "PROMPTS", "COMPACT", "MAX %", "TITLE")
    assert both.heads[:4] == ("STARTED", "SESSION", "PROJECT", "LASTED")
    assert [row[2] for row in both.rows] == ["till", "shop"]
    assert both.rows[0][0] == local_time(other.first), "with its year"


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("compactions", ([],), "no session yet; to import past sessions: journal import"),
        (
            "advice",
            ([], 0.7, 0.9),
            "no prompt or reading from hooks yet; to see whether they are set up: journal doctor",
        ),
        ("stages", ([],), "no finished stage yet; to begin a dev cycle: journal stage start"),
        (
            "hooks",
            ([],),
            "no hook call yet; to see whether they are set up: journal doctor",
        ),
        ("sessions", ([],), "0 sessions, 0 prompts, 0 compactions"),
    ],
)
def test_nothing(name: str, given: tuple[Any, ...], says: str) -> None:
    """Without history a report says so, and draws nothing."""
    module = cost_reports if name == "hooks" else reports
    report = getattr(module, name)(*given)
    assert (report.summary, report.parts) == ([says], [])
