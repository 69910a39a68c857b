"""The command `journal export`.

Invariant: only what the chosen redaction level allows leaves the machine; the output names it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cli.error import FINDINGS, OK, warn
from cli.render.text import emit, emit_json
from journal.errors import UsageError
from journal.history.export.columns import LEVELS
from journal.history.export.repos import find_repos
from journal.history.export.run import ExportOptions, export
from journal.history.export.target import target_of
from journal.history.tables.logs import find_logs
from journal.identity import remember_repo
from journal.text import wrapped

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["run"]


def run(scope: Scope, *, to: str, redact: str, author: str, host: str, dry_run: bool) -> int:
    """Export history."""
    level = redact or LEVELS[0]
    if scope.asked_project:
        scope.must_exist()
    inside = os.path.abspath(os.path.join(scope.cwd, os.path.expanduser(to)))
    if "://" not in to and (inside + os.sep).startswith(scope.home + os.sep):
        raise UsageError(f"--to {to} is inside the journal home", "name a directory outside it")
    named = scope.project.name if scope.asked_project else ""
    projects = list(dict.fromkeys(log.project for log in find_logs(scope.home, named, "")))
    if scope.project.root:
        remember_repo(scope.directory, scope.project.root)
    find_repos(scope.home, projects, scope.env)
    target = target_of(to, scope.cwd, scope.env)
    from cli.sql.command import progress

    done = export(
        scope.home,
        projects,
        target,
        ExportOptions(level, author, host, scope.settings["export.person"]),
        dry=dry_run,
        progress=progress(),
    )
    if scope.json:
        emit_json(
            {
                "to": to,
                "redact": level,
                "dry_run": dry_run,
                "projects": projects,
                "written": done.written,
                "rows": done.rows,
                "kept": done.kept,
                "removed": done.removed,
                "lines_excluded": done.excluded,
            }
        )
    else:
        verb = "would write" if dry_run else "wrote"
        text = (
            f"{verb} {len(done.written):,} files ({done.rows:,} rows) of {len(projects):,} "
            f"projects to {to}; {done.kept:,} unchanged; redacted: {level}"
        )
        emit(wrapped(text, scope.columns))
    if done.excluded:
        warn(f"{done.excluded:,} lines excluded; journal verify shows where")
    return FINDINGS if done.faulty else OK
