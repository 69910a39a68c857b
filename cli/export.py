"""The command `journal export`: to plain Parquet files, or to the tables of a team.

Invariant: only what the chosen redaction level allows leaves the machine; the output names it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.error import FINDINGS, OK, warn
from journal.errors import UsageError
from journal.history.export.columns import LEVELS, ExportOptions
from journal.text import escaped, plural

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.history.team.forked import Plan, Pushed
    from journal.history.team.store import Store


class ExportCall(NamedTuple):
    """The options of the command; "" for those that are not given."""

    to: str
    form: str = ""
    redact: str = ""
    author: str = ""
    host: str = ""
    dry_run: bool = False
    compact: bool = False
    forget: str = ""


def run(scope: Scope, call: ExportCall) -> int:
    """Export history, or compact or delete what was exported."""
    path = call.to if "://" in call.to else scope.path_outside_home("--to", call.to)
    if call.compact and (call.forget or call.dry_run):
        raise UsageError("--compact cannot be combined", "leave out --forget and --dry-run")
    if _form(call, path) == "parquet":
        return _plain(scope, call)
    from journal.history.team.store import Store

    store = Store(call.to, scope.cwd, scope.env)
    if call.compact:
        return _compact(scope, call, store)
    return _forget(scope, call, store) if call.forget else _push(scope, call, store)


def _form(call: ExportCall, path: str) -> str:
    """Return the form of the target: the option's, else delta for a bucket or existing tables."""
    bucket = "://" in call.to and not call.to.startswith("file://")
    is_delta = os.path.isdir(os.path.join(path, "events", "_delta_log"))
    form = call.form or ("delta" if bucket or is_delta else "parquet")
    other = is_delta if form == "parquet" else os.path.isdir(os.path.join(path, "_manifest"))
    if other:
        what = f"--to {call.to} holds {'a team' if is_delta else 'plain Parquet files'}"
        raise UsageError(f"{what}: --format {form} does not go with it", "name another directory")
    return form


def _projects(scope: Scope) -> list[str]:
    """Return the projects to export, their repositories looked up."""
    from journal.history.export.run import find_repos
    from journal.history.tables.logs import find_logs
    from journal.identity import remember_repo

    projects = list(dict.fromkeys(log.project for log in find_logs(scope.home, scope.only, "")))
    if scope.project.root:
        remember_repo(scope.directory, scope.project.root, scope.env)
    find_repos(scope.home, projects, scope.env)
    return projects


def _options(scope: Scope, call: ExportCall) -> ExportOptions:
    """Return the export's options. Raise JournalError if the named project has no journal."""
    if not scope.every:
        scope.must_exist()
    scope.reads()
    person = scope.settings["export.person"]
    return ExportOptions(call.redact or LEVELS[0], call.author, call.host, person)


def _facts(call: ExportCall, form: str, level: str, projects: list[str]) -> dict[str, Any]:
    """Return the fields that --json has for both forms."""
    facts = {"to": call.to, "format": form, "redact": level, "dry_run": call.dry_run}
    return {**facts, "projects": projects}


# -- the tables of a team -------------------------------------------------------------------------


def _push(scope: Scope, call: ExportCall, store: Store) -> int:
    from cli.render.progress import progress
    from journal.history.team.columns import team_columns
    from journal.history.team.forked import Pushed, push_forked

    options = _options(scope, call)
    given = (scope.home, scope.only, store, options)

    def prepare(folder: str) -> Plan | None:
        from journal.history.team.prepare import prepare_rows

        return prepare_rows(*given, _projects(scope), folder, progress())

    plan = None if call.dry_run else push_forked(scope.home, store, prepare)
    if plan:
        projects, done = plan.projects, Pushed(plan.rows, [], plan.excluded)
    else:
        from journal.history.team.push import push

        projects = _projects(scope)
        done = push(*given, dry=call.dry_run, progress=progress())
    columns = {table: [name for name, _kind in team_columns(table)] for table in done.rows}
    data = {
        **_facts(call, "delta", options.level, projects),
        "rows": done.rows,
        "replaced": done.replaced,
        "lines_excluded": done.excluded,
    }
    if call.dry_run:
        data["columns"] = columns
    return scope.show(data, map(escaped, _added(call, options.level, len(projects), done)))


def _added(call: ExportCall, level: str, projects: int, done: Pushed) -> list[str]:
    """Return lines with how many rows of each table were added, or would be."""
    verb = "would add" if call.dry_run else "added"
    total = sum(done.rows.values())
    where = f"of {plural(projects, 'project')} to {call.to}"
    lines = [f"{verb} {plural(total, 'row')} {where}; redacted: {level}"]
    lines += [f"  {table}: {count:,}" for table, count in done.rows.items()]
    if call.dry_run and done.rows:
        lines.append("journal schema names the columns; docs/team.md says what full leaves out")
    why = "its log is not the one exported before; its rows are replaced"
    lines += [f"{project}: {why}" for project in done.replaced]
    return lines


def _compact(scope: Scope, call: ExportCall, store: Store) -> int:
    from journal.history.team.compact import compact

    done = compact(store)
    text = (
        f"{call.to}: joined {plural(done.read, 'file')} into {done.written:,}, dropped "
        f"{plural(done.rows, 'replaced row')}, deleted {plural(done.deleted, 'unused file')}"
    )
    busy = [f"left for the next run: {', '.join(done.busy)}"] if done.busy else []
    return scope.show({"to": call.to, **done._asdict()}, map(escaped, [text, *busy]))


def _forget(scope: Scope, call: ExportCall, store: Store) -> int:
    from journal.history.team.forget import forget, parse_forget

    kind, name = parse_forget(call.forget)
    done = forget(store, kind, name, scope.iso, dry=call.dry_run)
    total = sum(done.rows.values())
    if not total:
        hint = " (a project's name ends in 8 hex digits, see journal status)" * (kind == "project")
        warn(f"there is no row of {kind} {name}{hint}")
    if call.dry_run:
        text = f"would delete {plural(total, 'row')} of {kind} {name} from {call.to}"
    else:
        text = (
            f"deleted {plural(total, 'row')} of {kind} {name} from {call.to}, and "
            f"{plural(done.files, 'file')}; {plural(done.left, 'row')} of it left"
        )
        if done.waiting:
            text += (
                f"; {plural(done.waiting, 'file')} of an interrupted export may hold some: run "
                "this again in an hour"
            )
    scope.show({"to": call.to, kind: name, **done._asdict()}, [escaped(text)])
    return FINDINGS if not call.dry_run and (done.left or done.waiting) else OK


# -- plain files ----------------------------------------------------------------------------------


def _plain(scope: Scope, call: ExportCall) -> int:
    if call.compact:
        raise UsageError(
            "--compact works only on a team's tables", "plain files need no compaction"
        )
    if call.forget:
        return _forget_plain(scope, call)
    from cli.render.progress import progress
    from journal.history.export.run import export
    from journal.history.export.target import target_of

    options, projects = _options(scope, call), _projects(scope)
    target = target_of(call.to, scope.cwd, scope.env)
    done = export(scope.home, projects, target, options, dry=call.dry_run, progress=progress())
    data = {
        **_facts(call, "parquet", options.level, projects),
        "written": done.written,
        "rows": done.rows,
        "kept": done.kept,
        "removed": done.removed,
        "lines_excluded": done.excluded,
    }
    text = (
        f"{'would write' if call.dry_run else 'wrote'} {plural(len(done.written), 'file')} "
        f"({plural(done.rows, 'row')}) of {plural(len(projects), 'project')} to {call.to}; "
        f"{done.kept:,} unchanged; redacted: {options.level}"
    )
    return scope.show(data, [escaped(text)])


def _forget_plain(scope: Scope, call: ExportCall) -> int:
    kind, _, name = call.forget.partition(":")
    if kind != "project" or not name:
        raise UsageError(
            f"--forget {call.forget}: plain files are by project",
            "project:NAME; the tables of a team (--format delta) forget repositories and persons",
        )
    from journal.history.export.run import forget_project
    from journal.history.export.target import target_of

    target = target_of(call.to, scope.cwd, scope.env)
    removed = forget_project(scope.home, name, target, dry=call.dry_run)
    verb = "would remove" if call.dry_run else "removed"
    text = f"{verb} {plural(len(removed), 'file')} of project {name} from {call.to}"
    return scope.show({"to": call.to, "removed": removed}, [escaped(text)])
