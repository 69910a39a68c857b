"""`journal sql` and `journal schema`.

Invariant: rows go to stdout; notes and progress go to stderr.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from cli.damage import add_findings
from cli.error import FINDINGS, OK, only_one, warn
from cli.import_.automatic import need_history
from cli.render.progress import progress
from journal.errors import JournalError, UsageError
from journal.log.findings import Findings
from journal.text import escaped, plural
from journal.workfiles.files import without_surrogates

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.history.tables.database import History


def sql(
    scope: Scope,
    query: str,
    *,
    file: str,
    param: list[str] | None,
    csv: bool,
    markdown: bool,
    parquet: str,
    unsafe: bool,
) -> int:
    """Run a query over the journals; return the exit code."""
    forms = {"--json": scope.json, "--csv": csv, "--markdown": markdown, "--parquet": parquet}
    form = only_one(forms)[2:] or "table"
    params = _params(param or [])
    text = _query(scope, query, file)
    if not text and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("no query", "give one, or --file FILE, or - and the query on stdin")
    if text and not text.strip(" \t\r\n;"):
        raise UsageError("the query is empty", "for example: journal sql 'from sessions limit 5'")
    need_history(scope)
    target = _target(scope, parquet)
    with closing(_open_history(scope, target, unsafe=unsafe)) as history:
        if not text:
            from cli.sql.prompt import run_prompt

            run_prompt(scope, history, params, form)
        elif target:
            _to_parquet(scope, history, text, params, target, parquet)
        else:
            _print_rows(scope, history, text, params, form)
        finish(history)
        return _identity(history)


def _open_history(scope: Scope, target: str, *, unsafe: bool) -> History:
    """Open the tables of the project that is named, else of all. target: file to write, or ""."""
    from journal.history.tables.database import History
    from journal.identity import remember_repo

    if scope.project.root:
        remember_repo(scope.directory, scope.project.root, scope.env)
    return History(
        scope.home,
        scope.only,
        unsafe=unsafe,
        outputs=[target] if target else [],
        person=scope.settings["export.person"],
        progress=progress(),
    )


def _print_rows(
    scope: Scope, history: History, text: str, params: dict[str, str], form: str
) -> None:
    """Print the rows of the last statement; each result has to be taken to run the next."""
    from cli.sql.show import show

    last = None
    for result in history.query(text, params):
        last = result
    if last is not None:
        show(last, form, scope.columns)


def finish(history: History) -> None:
    """Report repeated hook calls, and pass on the findings of the logs that the query read."""
    sys.stdout.flush()
    if repeated := sum(log.repeated for log in history.logs):
        warn(f"{plural(repeated, 'repeated hook call')} counted once")
    for log in history.logs:
        if log.found is not None or not history.reads_logs:
            add_findings(log.directory, log.found or Findings(log.directory))


def _identity(history: History) -> int:
    """Report an identity that cannot be read; return the exit code."""
    if (error := history.identity_error) is None:
        return OK
    warn(f"warning: {error.path} {error.what}, so columns with the identity are NULL")
    print(f"  {escaped(error.remedy)}", file=sys.stderr)
    return FINDINGS


def _params(given: list[str]) -> dict[str, str]:
    found = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"--param {item}: not NAME=VALUE", "in the query it is $NAME")
        found[name] = value
    return found


def _query(scope: Scope, query: str, file: str) -> str:
    only_one({"QUERY": query, "--file": file})
    if file or query == "-":
        return without_surrogates(scope.read_file(file or query)) or " "
    return without_surrogates(query)


def _target(scope: Scope, parquet: str) -> str:
    """Return the temporary path to write to: the requested path with an additional suffix."""
    if not parquet:
        return ""
    path = scope.path_outside_home("--parquet", parquet)
    if os.path.lexists(path) and not os.path.isfile(path):  # /dev/null would be replaced
        raise JournalError(path, "is not a regular file", "name another one")
    if not os.path.isdir(os.path.dirname(path)):
        raise JournalError(path, "cannot be written here", "name a file in a directory that exists")
    return f"{path}.{os.getpid()}.part"


def _to_parquet(
    scope: Scope, history: History, text: str, params: dict[str, str], target: str, parquet: str
) -> None:
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    try:
        count = history.write_parquet(text, params, target)
        os.replace(target, scope.path(parquet))
    finally:
        if os.path.lexists(target):
            os.unlink(target)
    warn(f"{plural(count, 'row')} written to {parquet}")
