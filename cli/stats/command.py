"""The command `journal stats`: reports in the terminal, as JSON, or as a page.

Invariant: it writes no file but the one named with `--html`, and replaces an existing file only if
that is a page of the journal, or with `--force`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cli.error import OK
from cli.read import asked_for, sid_of, ts_of
from cli.render.html import write_page
from cli.render.local_time import zoned_time
from cli.render.text import emit, emit_json
from cli.stats import reports
from cli.stats.page import page
from cli.stats.show import lines_of
from journal.errors import JournalError, UsageError
from journal.history.tables.database import History
from journal.history.timeline import sessions_of, spans_of
from journal.history.usage.prices import load_prices
from journal.history.usage.report import usage_report
from journal.log.read import Reader
from journal.log.record import type_of
from journal.text import one_line
from projections.messages import HOOK_OF

if TYPE_CHECKING:
    from cli.scope import Scope
    from cli.stats.reports import Report
    from journal.history.timeline import SessionTimeline
    from journal.history.usage.report import UsageReport

__all__ = ["NAMES", "stats"]

NAMES = ("compactions", "pressure", "advice", "stages", "hooks", "usage", "sessions")
_SHORT = b',"short":true,'
_HOOKS = {
    **HOOK_OF, "session.ended": "SessionEnd", "turn.failed": "StopFailure",
    "compact.finished": "PostCompact", "subagent.started": "SubagentStart",
    "subagent.ended": "SubagentStop", "model.switched": "PostModelSwitch",
}  # fmt: skip


def stats(
    scope: Scope, *, name: str, all_projects: bool, since: str, html: str, force: bool = False
) -> int:
    """Show one report, or all of them."""
    if name and name not in NAMES:
        raise UsageError(f"there is no report {name}", f"one of: {', '.join(NAMES)}")
    journals, bound = asked_for(scope, since, all_projects=all_projects)
    all_reports = _Reports(scope, journals, bound)
    wanted = [name] if name else list(NAMES)
    found = [all_reports.report(item) for item in wanted]
    if html:
        _write(scope, html, found, journals, force=force)
    if scope.json:
        emit_json(found[0].data if name else {item.name: item.data for item in found})
    elif html:
        emit([one_line(f"written to {html}")])
    else:
        for at, report in enumerate(found):
            emit([""] if at else [])
            emit(lines_of(report, scope.columns, scope.style))
    return OK


class _Reports:
    """Reports over some journals; data that several of them need are read once."""

    def __init__(self, scope: Scope, journals: list[tuple[str, str]], since: str) -> None:
        self.scope = scope
        self.journals = journals
        self.since = since
        self.info = float(scope.settings["pressure.info"])
        self.urgent = float(scope.settings["pressure.urgent"])
        self._sessions: list[SessionTimeline] | None = None

    @property
    def sessions(self) -> list[SessionTimeline]:
        if self._sessions is None:
            self._sessions = [
                session
                for name, directory in self.journals
                for session in sessions_of(name, directory, self.since)
            ]
        return self._sessions

    def report(self, name: str) -> Report:
        if name == "compactions":
            return reports.compactions(self.sessions)
        if name == "pressure":
            return reports.pressure(self._one(), self.info, self.urgent)
        if name == "advice":
            return reports.advice(self.sessions, self.info, self.urgent)
        if name == "stages":
            spans = [
                span
                for _, directory in self.journals
                for span in spans_of(directory)
                if span.finished >= self.since
            ]
            return reports.stages(spans)
        if name == "hooks":
            return reports.hooks(*_calls(self.journals, self.since))
        if name == "usage":
            return reports.usage(*self._usage())
        return reports.sessions(self.sessions)

    def _usage(self) -> list[UsageReport]:
        """Return tokens and cost of the projects by day, model and session."""
        home, names = self.scope.home, [name for name, _ in self.journals]
        history = History(home, names[0] if len(names) == 1 else "")
        try:
            prices = load_prices(home)
            return [
                usage_report(history, prices, (by,), since=self.since)
                for by in ("day", "model", "session")
            ]
        finally:
            history.close()

    def _one(self) -> SessionTimeline | None:
        """Return the session to draw: the requested one, else the latest with a reading."""
        read = [s for s in self.sessions if any(m.kind == "reading" for m in s.entries)]
        asked = self.scope.asked
        if asked:
            named = [session for session in read if session.sid.startswith(asked)]
            if len(named) != 1:
                what = "no session with a reading" if not named else f"{len(named)} sessions"
                raise JournalError("", f"{what} by the name {asked}", "journal stats sessions")
            return named[0]
        return max(read, key=lambda session: session.last, default=None)


def _calls(
    journals: list[tuple[str, str]], since: str
) -> tuple[dict[str, dict[str, list[int | None]]], dict[str, int]]:
    """Return hook calls by session and hook, each with its microseconds (None if not recorded).

    Each event that a hook recorded counts as one call; its member `us` is the time it took. Also
    return the number of calls recorded in short form, by session.
    """
    short: dict[str, int] = {}
    found: dict[str, dict[str, list[int | None]]] = {}
    for _, directory in journals:
        for batch in Reader(directory).batches():
            for _, line in batch:
                hook = _HOOKS.get(type_of(line))
                if hook is not None and ts_of(line) >= since:
                    of_session = found.setdefault(sid_of(line), {})
                    of_session.setdefault(hook, []).append(_us(line))
                    if _SHORT in line:
                        short[sid_of(line)] = short.get(sid_of(line), 0) + 1
    return found, short


def _us(line: bytes) -> int | None:
    at = line.rfind(b',"us":')
    digits = line[at + 6 : at + 18].partition(b",")[0].partition(b"}")[0] if at > 0 else b""
    return int(digits) if digits.isdigit() else None


def _write(
    scope: Scope, path: str, found: list[Report], journals: list[tuple[str, str]], *, force: bool
) -> None:
    full = os.path.abspath(os.path.join(scope.cwd, os.path.expanduser(path)))
    where = journals[0][0] if len(journals) == 1 else f"{len(journals)} projects"
    made = f"Made by journal, {zoned_time(scope.now)}"
    write_page(full, page(found, f"Journal of {where}", made), replace=force)
