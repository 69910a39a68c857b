"""`journal setup | uninstall | doctor`: call the functions of install and doctor, print results."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from cli.error import FINDINGS, OK
from cli.render.text import emit, emit_json, labelled
from journal.errors import UsageError
from journal.text import clip, one_line, width, wrapped

if TYPE_CHECKING:
    from cli.doctor.installation import Check
    from cli.install.model import SetupOptions, SetupResult, SetupStep
    from cli.scope import Scope

_SYMBOLS = {
    "done": "+",
    "unchanged": "=",
    "planned": "?",
    "skipped": "-",
    "failed": "!",
    "ok": "ok",
    "note": "note",
    "warn": "WARN",
    "fail": "FAIL",
}
_NEXT = "Next: start claude. Sessions that are already open need a restart."
_COLOURS = {"failed": "red", "fail": "red", "warn": "yellow", "skipped": "yellow"}


def setup(scope: Scope, *, statusline: bool, level: str, client: str, dry_run: bool) -> int:
    """Install as a plugin of the client."""
    from cli.install.setup import setup as install

    options = _options(scope, level, statusline=statusline, client=client, dry_run=dry_run)
    result = install(options)
    code = _result(scope, result)
    if result.ok and not scope.json:
        from cli.import_.automatic import need_past

        need_past(scope, every=True, dry_run=dry_run)
        if not dry_run and not result.to_type:
            emit(wrapped(_NEXT, scope.columns))
    return code


def uninstall(scope: Scope, *, level: str, client: str, dry_run: bool) -> int:
    """Remove what setup installed."""
    from cli.install.uninstall import uninstall as remove

    result = remove(_options(scope, level, client=client, dry_run=dry_run))
    return _result(scope, result)


def doctor(scope: Scope, *, client: str) -> int:
    """Check everything capture, advice and recovery depend on."""
    from cli.doctor import examine

    rows = examine(scope, client)
    return _checked(scope, rows, [asdict(row) for row in rows])


def selftest(scope: Scope, *, client: str) -> int:
    """Run and kill concurrent hook calls in a temporary journal beside the user's own."""
    from cli.doctor.installation import Installation
    from cli.doctor.selftest import rows, run

    found = run(Installation(scope, client))
    return _checked(scope, rows(found), found.data)


def _checked(scope: Scope, rows: list[Check], data: Any) -> int:
    """Print rows, or `data` as JSON, and return the exit code."""
    if scope.json:
        emit_json(data)
    for row in [] if scope.json else rows:
        _print(scope, row, f"{row.name}: {row.what}", 5)
        emit(clip(f"       {one_line(line)}", scope.columns) for line in row.details[:8])
        if row.remedy:
            emit(labelled("     → ", one_line(row.remedy), scope.columns))
    return FINDINGS if any(row.status in ("warn", "fail") for row in rows) else OK


def _options(scope: Scope, level: str, **more: Any) -> SetupOptions:
    from cli.install.model import SetupOptions

    project = os.path.abspath(os.path.join(scope.cwd, scope.asked_project or "."))
    if not os.path.isdir(project):
        raise UsageError(f"--project {scope.asked_project}: no such directory")
    kind: Literal["user", "project"] = "project" if level == "project" else "user"
    return SetupOptions(scope=kind, project=project, env=dict(scope.env), **more)


def _result(scope: Scope, result: SetupResult) -> int:
    if scope.json:
        emit_json(result.as_data())
        return OK if result.ok else FINDINGS
    failed = [step for step in result.checked if step.status == "failed"]
    for step in (*failed, *result.steps):
        _print(scope, step, step.what, 2)
        if step.remedy:
            emit(wrapped(one_line(step.remedy), scope.columns, "    "))
    if planned := any(step.status == "planned" for step in result.steps):
        emit(wrapped("Nothing was changed. ? marks what would be done.", scope.columns))
    if result.to_type:
        head = "After that, type in Claude Code:" if planned else "Type in Claude Code:"
        emit(["", head, *(f"  {one_line(line)}" for line in result.to_type)])
    return OK if result.ok else FINDINGS


def _print(scope: Scope, row: Check | SetupStep, what: str, margin: int) -> None:
    """Print a row after its symbol, which takes `margin` columns."""
    symbol = scope.style(_COLOURS.get(row.status, ""), _SYMBOLS[row.status].ljust(margin))
    where = one_line(f"({row.where})") if row.where else ""
    space = scope.columns - margin
    if width(where) > space:  # a path to copy stays whole
        body = [*wrapped(one_line(what), space), where]
    else:
        body = wrapped(one_line(f"{what} {where}".rstrip()), space)
    emit([symbol + body[0], *(" " * margin + line for line in body[1:])])
