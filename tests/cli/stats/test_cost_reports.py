"""What hooks and replies cost; a figure that is unknown is None."""

from __future__ import annotations

from cli.stats import cost_reports
from cli.stats.report import ReportTable
from journal.history.hook_calls import HookCalls
from journal.history.usage.prices import Tokens
from journal.history.usage.report import UsageReport, UsageRow


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


def test_the_costliest_sessions_have_titles_and_unknown_prices_a_mark() -> None:
    """A session shows its title; a cost that lacks replies without a price has `+ ?`."""
    row = UsageRow(("5f0c1d2e-0001",), 2, Tokens(input=1000), 2.0, unpriced={"no-price-1": 1})
    report = cost_reports.usage(*of_row(row), {"5f0c1d2e-0001": "round the totals"})
    tables = [part for part in report.parts if isinstance(part, ReportTable)]
    assert tables[1].rows[0][0] == "5f0c1d2e round the totals"
    assert [table.rows[0][3] for table in tables] == ["$2.00 + ?"] * 2
    assert report.data["session"][0]["title"] == "round the totals"
    row = row._replace(unpriced={})
    report = cost_reports.usage(*of_row(row))
    assert "?" not in str([part.rows for part in report.parts])
    assert report.summary[0].endswith("none of it for compactions")
    report = cost_reports.usage(*of_row(row._replace(compactions=1, compact_cost=0.5)))
    assert report.summary[0].endswith("$0.50 of it for compactions")


def of_row(row: UsageRow) -> list[UsageReport]:
    """Return the reports by day, model and session of one session."""
    found = {"day": [], "model": [row], "session": [row]}
    return [UsageReport((by,), rows, row, "a list") for by, rows in found.items()]
