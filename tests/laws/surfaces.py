"""Journals of several projects, and what each surface counts of their sessions.

A surface returns (project, session) -> name -> number, for the names it has.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import duckdb

from cli.scope import Scope
from cli.stats import reports
from cli.view.context import build_view
from journal.history.export import run
from journal.history.export.columns import ExportOptions
from journal.history.export.target import target_of
from journal.history.merged import Timeline
from journal.history.sessions import merged
from journal.history.tables.database import History
from journal.history.timeline import session_timelines
from journal.log.append import Writer
from projections.fold import Fold
from projections.sessions import PROJECTION as SESSIONS
from tests.projections.timeline import fields_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    Counts = dict[tuple[str, str], dict[str, int]]

NOW = "2026-11-22T00:00:00.000Z"
COUNTED = ("prompts", "turns", "tools", "failures", "subagents", "compactions", "attempts")

_BY_SESSION = {
    "sessions": "select project, session, prompts, turns, tools, failures, subagents, compactions "
    "from {sessions}",
    "compactions": "select project, session, count(*) filter (done) as compactions, "
    "count(*) as attempts from {compactions} group by all",
    "turns": "select project, session, count(*) as prompts from {turns} "
    "where origin is distinct from 'task-notification' group by all",
    "tools": "select project, session, count(*) as tools, count(*) filter (not ok) as failures "
    "from {tools} where session <> '' group by all",
}


class Journals:
    """A journal home of one or more projects, each with the log of the hooks and an imported one."""

    def __init__(self, top: str) -> None:
        self.top = Path(top)
        self.home = str(self.top / "home")
        self.env = {"JOURNAL_HOME": self.home, "HOME": top, "JOURNAL_NOW": NOW}
        self.scopes: dict[str, Scope] = {}

    def scope(self, project: str) -> Scope:
        """Return the scope of a project, creating it if necessary."""
        if project not in self.scopes:
            place = self.top / project
            (place / ".git").mkdir(parents=True)
            self.scopes[project] = Scope(self.env, project=str(place), cwd=str(place))
        return self.scopes[project]

    def add(self, lines: Iterable[tuple[str, str]], project: str = "shop", first: int = 1) -> None:
        """Append each line to the log of the hooks ("live"), to the imported one, or to both.

        The ids that Claude Code gives a prompt and a call are made from the line's number.
        """
        events = enumerate(lines, first)
        self.append(
            [(_with_id(fields_of(line), number), where) for number, (line, where) in events],
            project,
        )

    def append(self, events: Iterable[tuple[dict[str, Any], str]], project: str) -> None:
        """Append each event to the log of the hooks, to the imported one, or to both."""
        directory = self.scope(project).directory
        with (
            Writer(directory, "2026-11-21T08:00:00.000Z", sync="none") as live,
            Writer(f"{directory}/imported", live.now, sync="none") as imported,
        ):
            for fields, where in events:
                if where != "imported":
                    live.append(dict(fields))
                if where != "live":
                    imported.append({**fields, "imported": True})

    def named(self) -> dict[str, Scope]:
        """Return the projects' scopes by the names of their journals."""
        return {scope.project.name: scope for scope in self.scopes.values()}


def _with_id(fields: dict[str, Any], number: int) -> dict[str, Any]:
    if fields["type"] == "prompt.submitted":
        return {**fields, "prompt": f"p{number}"}
    if fields["type"].startswith("tool.f"):
        return {**fields, "use": f"u{number}"}
    return fields


def view(journals: Journals) -> Counts:
    """Return the counts of `journal view sessions`."""
    return {
        (project, item["session"]): {name: item[name] for name in COUNTED}
        for project, scope in journals.named().items()
        for item in build_view(scope, "sessions")["sessions"]
    }


def _sql(journals: Journals) -> dict[str, Counts]:
    """Return the counts of `journal sql`, by table."""
    history = History(journals.home)
    try:
        found = {}
        for table, query in _BY_SESSION.items():
            (result,) = history.query(query.format(**{table: table}))
            found[f"sql {table}"] = _by_session(result.names, result.all())
        return found
    finally:
        history.close()


def _export(journals: Journals) -> dict[str, Counts]:
    """Return the counts of `journal export`, read as any engine would, by table."""
    to = journals.top / "lake"
    target = target_of(str(to), "", {})
    with patch.object(run, "TIMES", {table: run.TIMES[table] for table in _BY_SESSION}):
        run.export(journals.home, list(journals.named()), target, ExportOptions())
    found: dict[str, Counts] = {}
    for table, query in _BY_SESSION.items():
        name, files = f"export of {table}", f"{to}/{table}/**/*.parquet"
        found[name] = {}
        if any((to / table).rglob("*.parquet")):
            source = f"read_parquet('{files}', hive_partitioning=true)"
            rows = duckdb.sql(query.format(**{table: source}))
            found[name] = _by_session(rows.columns, rows.fetchall())
    return found


def _by_session(names: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> Counts:
    items = (dict(zip(names, row, strict=True)) for row in rows)
    return {(item.pop("project"), item.pop("session")): item for item in items}


def _stats(journals: Journals) -> dict[str, Counts]:
    """Return the counts of `journal stats sessions --json` and, by project only, of `compactions`."""
    counted: Counts = {}
    compactions: Counts = {}
    for project, scope in journals.named().items():
        with closing(History(scope.home, project)) as history:
            timelines = session_timelines(history)
            rows = reports.sessions(timelines).data
        for row in rows:
            numbers = {name: row[name] for name in ("prompts", "compactions")}
            counted[row["project"], row["session"]] = numbers
        compactions[project, ""] = {"compactions": len(reports.compactions(timelines).data)}
    return {"stats sessions": counted, "stats compactions": compactions}


def triggers(journals: Journals) -> dict[str, Counter[tuple[str, str | None, int | None]]]:
    """Return the compactions by project, trigger and tokens, of the surfaces that show them."""
    found = {"sql": Counter[tuple[str, str | None, int | None]](), "stats": Counter()}
    with closing(History(journals.home)) as history:
        (result,) = history.query(
            "select project, trigger, nullif(tokens_before, 0) from compactions where done"
        )
        found["sql"].update(result.all())
    for project, scope in journals.named().items():
        with closing(History(scope.home, project)) as history:
            rows = reports.compactions(session_timelines(history)).data
        found["stats"].update((row["project"], row["trigger"], row["tokens"]) for row in rows)
    return found


def _page(journals: Journals) -> Counts:
    """Return the counts of `GET /api/sessions`, which the page shows too."""
    from cli.serve.data.service import Service

    service = Service(journals.home, journals.env)
    try:
        rows = service.sessions(limit=500).items
    finally:
        service.index.close()
    names = ("prompts", "tools", "failures", "compactions")
    return {(row.project, row.id): {name: getattr(row, name) for name in names} for row in rows}


def _page_compactions(journals: Journals) -> Counts:
    """Return the counts of the page's second tab, by project only."""
    from cli.serve.data.pressure import pressure_since

    found: Counts = {(project, ""): {"compactions": 0} for project in journals.named()}
    for row in pressure_since(journals.home, "", (0.7, 0.9)).compactions:
        found[row["project"], ""]["compactions"] += 1
    return found


def _timeline(journals: Journals) -> Counts:
    """Return the counts of the timeline (`journal events`, `replay`), folded per log and merged."""
    found: Counts = {}
    for project, scope in journals.named().items():
        folds = {side: Fold([SESSIONS]) for side in ("live", "imported")}
        for entry in Timeline(scope.directory).entries():
            folds[entry.side].feed([(entry.seq, entry.line)])
        states = {side: fold.states["sessions"] for side, fold in folds.items()}
        for sid, item in merged(states["live"], states["imported"].sessions).items():
            found[project, sid] = {name: getattr(item.session, name) for name in COUNTED}
    return found


def surfaces(journals: Journals) -> dict[str, Counts]:
    """Return the counts of every surface but the view; those of page and API if `ui` is installed."""
    page = {}
    if find_spec("nicegui"):
        page = {"the API": _page(journals), "the page's compactions": _page_compactions(journals)}
    return {
        **_stats(journals),
        "the timeline": _timeline(journals),
        **page,
        **_sql(journals),
        **_export(journals),
    }
