"""Reports over known history have known rows; an unknown value is None, never zero."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.render.text import Style
from cli.stats import cost_reports, reports
from cli.stats.draw import bars, line_plot
from cli.stats.page import page
from cli.stats.report import ReportTable, newest_bars
from cli.stats.show import lines_of
from journal.clock import iso, millis
from journal.history.hook_calls import HookCalls
from journal.history.timeline import COMPACTIONS, Group, SessionTimeline, TimelineEntry
from journal.history.usage.periods import period_of
from journal.history.usage.prices import Tokens
from journal.history.usage.report import UsageReport, UsageRow
from journal.text import width
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
            session.groups.append(Group(kind, point, detail, False, [(at, seq, tokens)]))
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
    """Readings as shares of T, with compactions and warnings at their times."""
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
    assert [share for _, share in line.points] == [0.5, 0.99, 0.2]
    assert [char for _, char in line.marks] == ["!", "A"]
    assert "99%" in report.summary[1]
    assert reports.pressure(None, 0.72, 0.9).parts == []


def test_what_came_of_advice() -> None:
    """The first reaction after a warning counts; sessions without hooks are separate."""
    found = [
        made("a", (0, "told", 73_000), (1, "compound", 0), (2, "auto", 99_000)),
        made("b", (0, "told", 73_000), (1, "auto", 99_000)),
        made("c", (0, "compound", 0), (1, "told", 73_000)),
        made("d", (0, "reading", 80_000), imported=True),
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
        "1 imported session had no hooks; these levels would have warned 1 time",
    ]


def test_what_was_recorded_in_short_form_is_said() -> None:
    """The summary counts short records by calls and sessions, and omits an empty count."""
    calls = [HookCalls("a", None, 2, short=2), HookCalls(None, "PostToolUse", 2, short=2)]
    assert "2 calls in 1 session recorded in short form" in " ".join(
        cost_reports.hooks(calls).summary
    )
    whole = [item._replace(short=0) for item in calls]
    assert "short form" not in " ".join(cost_reports.hooks(whole).summary)


def test_what_hooks_cost() -> None:
    """Only measured calls have a cost; a session without one is unknown, not free."""
    calls = [
        HookCalls("a", None, 4, 3, 7_000),
        HookCalls(None, "PostToolUse", 1, 1, 1_000, 1_000, 1_000),
        HookCalls(None, "Stop", 5, 2, 6_000, 3_000, 4_000),
        HookCalls("b", None, 2),
    ]
    report = cost_reports.hooks(calls)
    assert report.data["hooks"] == [
        {"hook": "Stop", "calls": 5, "median_ms": 3.0, "p95_ms": 4.0, "total_ms": 6.0},
        {"hook": "PostToolUse", "calls": 1, "median_ms": 1.0, "p95_ms": 1.0, "total_ms": 1.0},
    ]
    assert [(row["session"], row["total_ms"]) for row in report.data["sessions"]] == [
        ("a", 7.0),
        ("b", None),
    ]
    assert "unknown" in cost_reports.hooks([*calls[3:], HookCalls(None, "Stop", 2)]).summary[1]


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


@pytest.mark.parametrize(("count", "says"), [(20, ""), (21, "and 1 more; --json lists all")])
def test_a_table_says_what_it_leaves_out(count: int, says: str) -> None:
    """Twenty rows are shown; how many more there are stands below them."""
    found = [made(f"s{at}", (at, "prompt", 0)) for at in range(count)]
    report = reports.sessions(found)
    shown = list(lines_of(report, 80, Style({"NO_COLOR": "1"})))
    assert sum(" 0 s " in line for line in shown) == 20
    assert [line for line in shown if " more" in line] == ([says] if says else [])
    assert len(report.data) == count
    assert ("1 more" in page([report], "", "")) == bool(says)


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("compactions", ([],), "no compaction in 0 sessions"),
        (
            "advice",
            ([], 0.7, 0.9),
            "no session with hooks yet; to add the hooks: journal setup",
        ),
        ("stages", ([],), "no finished stage yet; to begin a dev cycle: journal stage start"),
        (
            "hooks",
            ([],),
            "no hook call yet; to add the hooks: journal setup",
        ),
        ("sessions", ([],), "0 sessions, 0 prompts, 0 compactions"),
    ],
)
def test_nothing(name: str, given: tuple[Any, ...], says: str) -> None:
    """Without history a report says so, and draws nothing."""
    module = cost_reports if name == "hooks" else reports
    report = getattr(module, name)(*given)
    assert (report.summary, report.parts) == ([says], [])


labels = st.text(max_size=30)
values = st.floats(0, 1e9, allow_nan=False)


@given(st.lists(st.tuples(labels, values, labels), max_size=6), st.integers(40, 120))
def test_bars_stay_within(rows: list[tuple[str, float, str]], columns: int) -> None:
    """One line per row, none wider than requested, whatever the labels."""
    drawn = bars(rows, columns)
    assert len(drawn) == len(rows)
    assert all(width(line) <= columns and line.isprintable() for line in drawn)


def test_bars_are_to_scale() -> None:
    """The longest bar fills the width, half of it half; a small one is visible, zero is not."""
    rows = [("a", 80, "8"), ("b", 40, "4"), ("c", 0, "0")]
    assert [line.count("█") for line in bars(rows, 40)] == [36, 18, 0]
    assert "▏" in bars([("a", 1000, ""), ("b", 0.1, "")], 40)[1]


def test_a_sparse_week_is_not_full() -> None:
    """A bar for one is at most two columns, and bars are at most 100 wide in a wide pipe."""
    assert [line.count("█") for line in bars([("a", 1, "1"), ("b", 3, "3")], 40)] == [2, 6]
    assert width(bars([("a", 9000, "9000")], 1_000_000)[0]) == 100


@given(st.lists(st.tuples(st.floats(0, 1e13), st.floats(0, 3)), max_size=40), st.integers(20, 100))
def test_the_line_stays_within(points: list[tuple[float, float]], columns: int) -> None:
    """No line is wider than requested, whatever the readings."""
    points.sort()
    drawn = line_plot(points, [(5.0, "A")], [(1.0, "threshold"), (0.72, "info")], columns)
    assert all(width(line) <= columns for line in drawn)
    assert bool(drawn) == bool(points)


def test_the_costliest_sessions_have_titles_and_unknown_prices_a_mark() -> None:
    """A session shows its title; a cost that lacks replies without a price has `+ ?`."""
    row = UsageRow(("5f0c1d2e-0001",))
    tokens = Tokens(input=1000)
    row.replies, row.tokens, row.unpriced = 2, tokens, {"no-price-1": 1}
    row._costs.append(2.0)
    day = UsageRow(("2026-11-18",))
    by = [
        UsageReport(("day",), [day], row, "a list"),
        UsageReport(("model",), [row], row, "a list"),
        UsageReport(("session",), [row], row, "a list"),
    ]
    report = cost_reports.usage(*by, {"5f0c1d2e-0001": "round the totals"})
    tables = [part for part in report.parts if isinstance(part, ReportTable)]
    assert tables[1].rows[0][0] == "5f0c1d2e round the totals"
    assert [table.rows[0][3] for table in tables] == ["$2.00 + ?"] * 2
    assert report.data["session"][0]["title"] == "round the totals"
    row.unpriced = {}
    assert "?" not in str([part.rows for part in cost_reports.usage(*by).parts])
    assert report.summary[0].endswith("none of it for compactions")
    row.compactions = 1
    row._compact_costs.append(0.5)
    assert cost_reports.usage(*by).summary[0].endswith("$0.50 of it for compactions")


def test_a_chart_names_what_it_leaves_out() -> None:
    """A chart shows the newest periods; with more of them, its title says how many there are."""
    rows = [(f"day {at}", 1.0, "1") for at in range(20)]
    assert newest_bars("cost ", "day", rows[:14]) == ("cost per day", rows[:14])
    assert newest_bars("cost ", "day", rows) == ("cost per day, the newest 14 of 20", rows[6:])
