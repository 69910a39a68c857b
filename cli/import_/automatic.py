"""Import past sessions that a command needs, or report that they are not imported.

Invariant: without a user at the terminal, no import delays the command. Sessions that are found but
not imported are reported on stderr, once per command.
"""

from cli.error import warn
from cli.render.text import emit
from cli.scope import Scope
from journal.errors import JournalError
from journal.history.logs import is_imported
from journal.text import one_line, plural, wrapped

_MIB = 1024 * 1024


def need_history(scope: Scope, *, every: bool = False) -> None:
    """Import the past sessions that a command needs, or report on stderr that they are missing.

    every: those of all projects, even if the command concerns one. Raises JournalError if this
    project has no journal and no transcripts.
    """
    every = every or scope.every
    scope.reads(every=every)
    if not need_past(scope, every=every) and not every:
        scope.must_exist()


def need_past(scope: Scope, *, every: bool = False, dry_run: bool = False) -> int:
    """Import the past sessions that a command needs; return how many are still not imported.

    every: those of all projects, not only of the command's. dry_run: only print what it would do.
    A second call returns the same number, and imports and prints nothing.
    """
    if every not in scope.waiting:
        scope.waiting[every] = _import_past(scope, every=every, dry_run=dry_run)
    return scope.waiting[every]


def _import_past(scope: Scope, *, every: bool, dry_run: bool) -> int:
    project = None if every else scope.project
    if project is not None and is_imported(scope.home, project.name):
        return 0
    from journal.history.new_transcripts import past_sessions

    found = past_sessions(scope, every=every)
    if not found.sessions:
        return 0
    what = (
        f"{plural(found.sessions, 'past session')} of {'all projects' if every else 'this project'}"
    )
    if scope.no_import or not scope.settings["import.auto"]:
        warn(f"Found {what}, not imported: run `journal import`.")
        return found.sessions
    if not scope.is_attended:
        imports = "a project imports its own" if every else "this project imports them"
        later = f" The next Claude Code session in {imports} in the background."
        warn(f"Found {what}, not imported yet: run `journal import`." + later * scope.is_set_up())
        return found.sessions
    mib = round(found.size / _MIB)
    what += f" ({mib:,} MiB)" if mib else ""
    if dry_run:
        emit(wrapped(one_line(f"? import {what}"), scope.columns))
        return found.sessions
    warn(f"Found {what}. Importing them; Ctrl-C stops and keeps what is done.")
    return 0 if _imported(scope, every=every) else found.sessions


def _imported(scope: Scope, *, every: bool) -> bool:
    """Import in the foreground; return False if the import ended early."""
    from cli.import_.command import problems, run_import
    from journal.history.new_transcripts import summarize_imported

    try:
        done = run_import(scope, "", "", only=None if every else scope.project)
        summarize_imported(done, scope.iso)
    except KeyboardInterrupt:
        warn("Stopped. To import the rest: journal import")
        return False
    except JournalError as error:
        warn(f"Not all was imported: {error.what}. To import the rest: journal import")
        return False
    warn(f"Imported {plural(done.sink.added['session.started'], 'session')}.")
    for problem in problems(done):
        warn(problem)
    return True
