"""The command `journal team`: the reports of `stats` and `usage` over the tables of a team.

Invariant: it reads; the figures are those the same report gives over the journals themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.error import OK
from cli.render.text import emit, emit_json
from cli.stats import reports
from cli.stats.show import lines_of
from cli.usage import show_report, usage_groups
from journal.bound import parse_time
from journal.errors import UsageError
from journal.history.team.read import Asked, TeamHistory
from journal.history.team.store import Store
from journal.history.usage.prices import load_prices
from journal.history.usage.report import usage_report

if TYPE_CHECKING:
    from cli.scope import Scope
    from cli.stats.reports import Report

__all__ = ["NAMES", "team"]

NAMES = ("compactions", "advice", "stages", "sessions", "usage")


def team(scope: Scope, *, name: str, at: str, by: list[str] | None, asked: Asked) -> int:
    """Print one report, or all but `usage`."""
    if name and name not in NAMES:
        raise UsageError(f"there is no report {name}", f"one of: {', '.join(NAMES)}")
    asked = asked._replace(since=parse_time(asked.since, scope.now))
    groups = usage_groups(by or ["project"])
    history = TeamHistory(Store(at, scope.cwd, scope.env), asked)
    try:
        if name == "usage":
            prices = load_prices(scope.home)
            report = usage_report(history, prices, groups, since=asked.since)
            show_report(scope, report, (asked.since, ""), {})
            return OK
        found = [_report(scope, history, item) for item in ([name] if name else NAMES[:-1])]
        if scope.json:
            emit_json(found[0].data if name else {item.name: item.data for item in found})
            return OK
        for number, item in enumerate(found):
            emit([""] if number else [])
            emit(lines_of(item, scope.columns, scope.style))
        return OK
    finally:
        history.close()


def _report(scope: Scope, history: TeamHistory, name: str) -> Report:
    if name == "compactions":
        return reports.compactions(history.sessions())
    if name == "stages":
        return reports.stages(history.spans())
    if name == "sessions":
        return reports.sessions(history.sessions())
    info, urgent = (float(scope.settings[f"pressure.{level}"]) for level in ("info", "urgent"))
    return reports.advice(history.sessions(), info, urgent)
