"""The command `journal stats`: reports in the terminal, as JSON, or as a page.

Invariant: the only file it writes is that of `--html`. It replaces an existing file only if that is
a page of the journal, or with `--force`.
"""

from __future__ import annotations

import os
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING

from cli.error import OK, one_of
from cli.read import asked_for, session_option
from cli.render.html import write_page
from cli.render.local_time import local_time, zone_note
from cli.render.text import emit, emit_json
from cli.stats import NAMES, cost_reports, reports
from cli.stats.page import page
from cli.stats.report import Report, lines_of
from journal.errors import UsageError
from journal.history.hook_calls import hook_calls
from journal.history.tables.database import History
from journal.history.timeline import SessionTimeline, session_timelines, tables_of
from journal.history.usage.parts import Selection
from journal.history.usage.prices import load_prices
from journal.history.usage.report import session_titles, usage_report
from journal.text import one_line, wrapped

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.history.team.read import TeamHistory

# Report → the tables that it reads; the others read the timelines.
_TABLES = {"hooks": ["_events"], "usage": ["_replies"], "stages": ["_facts"]}
_BY = ("day", "model", "session")
_DATED = ("pressure", "usage", "sessions")  # reports with days and times
_NOTHING_YET = " yet; to "  # before what brings data, in the summary of a report without any


def stats(scope: Scope, *, name: str, since: str, html: str, force: bool = False) -> int:
    """Print one report or all, or write them as a page; return the exit code."""
    names = [one_of("report", name, NAMES)] if name else NAMES
    journals, bound = asked_for(scope, since)
    only = journals[0][0] if len(journals) == 1 else ""
    with closing(History(scope.home, only)) as history:
        timeline = tables_of(history)
        tables = [table for item in names for table in _TABLES.get(item, timeline)]
        history.make(tables)  # together, so that each log is read once
        built = Reports(scope, history, bound)
        found = [built.report(item) for item in names]
    if html:
        where = scope.name_of(only) if only else f"{len(journals)} projects"
        where += f" since {local_time(bound)}" if bound else ""
        made = f"Made by journal, {local_time(scope.now)}. {zone_note(scope.now)}"
        shown = page(found, f"Journal of {where}", made)
        write_page(os.path.abspath(scope.path(html)), shown, replace=force)
    if html and not scope.json:
        emit([one_line(f"Written: {html}")])
    else:
        show(scope, found, name)
    return OK


class Reports:
    """Builds the reports of a history since a time. Data of several reports is read once.

    part: words that end the sentence of a report without data, over a team's tables.
    """

    def __init__(
        self, scope: Scope, history: History | TeamHistory, since: str, part: str = ""
    ) -> None:
        self._scope = scope
        self._part = part
        self._history = history
        self._since = since
        settings = scope.settings
        self._levels = float(settings["pressure.info"]), float(settings["pressure.urgent"])

    @cached_property
    def _sessions(self) -> list[SessionTimeline]:
        return session_timelines(self._history, self._since)

    def report(self, name: str) -> Report:
        """Return one report.

        With --since or over a team's tables, no data means that this part has none, not that there
        is none yet.
        """
        found = self._report(name)
        if not (self._since or self._part):
            return found
        there = " in this period" * bool(self._since) + self._part
        parts = (sentence.partition(_NOTHING_YET) for sentence in found.summary)
        summary = [head + there * bool(yet) for head, yet, _ in parts]
        return found._replace(summary=summary)

    def _report(self, name: str) -> Report:
        if name == "compactions":
            return reports.compactions(self._sessions, self._scope.name_of)
        if name == "pressure":
            return reports.pressure(self._drawn_session(), *self._levels, self._scope.name_of)
        if name == "advice":
            return reports.advice(self._sessions, *self._levels)
        if name == "stages":
            return reports.stages(self._history.spans(self._since))
        if name == "hooks":
            return cost_reports.hooks(hook_calls(self._history, self._since))
        if name == "usage":
            prices, wanted = load_prices(self._scope.home), Selection(self._since)
            by_day, by_model, by_session = (
                usage_report(self._history, prices, (by,), wanted) for by in _BY
            )
            titles = session_titles(self._history) if by_session.rows else {}
            return cost_reports.usage(by_day, by_model, by_session, titles)
        return reports.sessions(self._sessions, self._scope.name_of)

    def _drawn_session(self) -> SessionTimeline | None:
        """Return the session to draw: the requested one, else the latest with a curve."""
        counts = [(session.count("reading"), session) for session in self._sessions]
        read = [session for count, session in counts if count]
        if self._scope.asked:
            sid = session_option(self._scope, [session.sid for session in read])
            for session in read:
                if session.sid == sid:
                    return session
            then = " in this period" if self._since else ""
            what = f"session {sid} has no reading of its context{then}"
            raise UsageError(what, "`journal stats sessions` lists all")
        curves = [session for count, session in counts if count > 1]
        return max(curves or read, key=lambda session: session.last, default=None)


def show(scope: Scope, found: list[Report], name: str) -> None:
    """Print reports as text or JSON. name: of a single report, "" for several."""
    if scope.json:
        emit_json(found[0].data if name else {item.name: item.data for item in found})
        return
    for number, report in enumerate(found):
        emit([""] if number else [])
        emit(lines_of(report, scope.columns, scope.style))
    if any(report.parts and report.name in _DATED for report in found):
        emit(["", *wrapped(zone_note(scope.now), scope.columns)])
