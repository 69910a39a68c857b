"""The command `journal team`: the reports of `stats` and `usage` over the tables of a team.

Invariant: it reads; the figures are those the same report gives over the journals themselves.
"""

from contextlib import closing

from cli.error import FINDINGS, OK, one_of, warn
from cli.scope import Scope
from cli.stats import NAMES
from cli.stats.command import Reports, show
from cli.usage import show_report, usage_groups
from journal.bound import parse_time
from journal.errors import UsageError
from journal.history.team.read import TeamFilter, TeamHistory
from journal.history.team.store import Store
from journal.history.usage.parts import Selection
from journal.history.usage.prices import load_prices
from journal.history.usage.report import usage_report
from journal.text import plural


def team(scope: Scope, *, name: str, at: str, by: list[str] | None, filters: TeamFilter) -> int:
    """Print one report or all; `usage` alone in the form of `journal usage`."""
    names = [one_of("report", name, NAMES)] if name else NAMES
    if by and name != "usage":
        raise UsageError("--by is for the usage report", "journal team usage")
    filters = filters._replace(since=parse_time(filters.since, scope.now))
    groups = usage_groups(by or ["project"])
    with closing(TeamHistory(Store(at, scope.cwd, scope.env), filters)) as history:
        scope.name_of = history.name_of
        if name == "usage":
            wanted = Selection(filters.since)
            report = usage_report(history, load_prices(scope.home), groups, wanted)
            show_report(scope, report, (filters.since, ""), {})
        else:
            made = Reports(scope, history, filters.since, part=" here")
            show(scope, [made.report(item) for item in names], name)
        if history.refused:
            what = plural(history.refused, "row")
            warn(f"left out {what} that no journal wrote: without a project, or out of range")
            return FINDINGS
        return OK
