"""Print errors: `journal: error: PATH:LINE: what`, an excerpt, a remedy.

Invariant: one place turns exceptions into lines and exit codes; nothing from a file or an event
reaches the terminal unescaped, and no error is about a file of our own cache.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.render.progress import clear_progress
from cli.render.text import columns, excerpt_of
from journal.errors import JournalError, JournalOffError, UsageError, raised_at
from journal.home import journal_home
from journal.text import escaped, wrapped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from journal.log.findings import Finding

OK = 0
FINDINGS = 1
USAGE = 2
UNREADABLE = 3
_SQL, _FULL = 1, 13  # codes of SQLite: a statement of ours is wrong; the disk is full
_REMEDIES = {
    errno.ENOTDIR: "name a directory",
    errno.EEXIST: "name a directory",
    errno.EISDIR: "name a file",
    errno.ENOENT: "check the path; a new file needs a directory that exists",
    errno.ENOSPC: "free some space, then try again",
    errno.EDQUOT: "free some space, then try again",
    errno.EMFILE: "raise the limit (ulimit -n), then try again",
}


def lines_of(error: BaseException, env: Mapping[str, str]) -> list[str]:
    """Return the lines of an exception: path and fault, excerpt if there is one, remedy."""
    shown = expected_error(error, env) or JournalError(
        raised_at(error),
        f"unexpected {type(error).__name__}: {error}",
        "set JOURNAL_DEBUG=1 for the traceback, and report it",
    )
    head = f"{escaped(shown.path)}: " if shown.path else ""
    lines = [f"journal: error: {head}{escaped(shown.what)}"]
    if shown.excerpt:
        lines.append(excerpt_of(shown.excerpt))
    if shown.remedy:
        lines.append(f"  {escaped(shown.remedy)}")
    return lines


def finding_lines(finding: Finding) -> list[str]:
    """Return the lines of a finding in a segment."""
    where = f"{finding.path}:{finding.line}" if finding.line else finding.path
    lines = [f"journal: finding: {escaped(where)}: {finding.verdict}: {escaped(finding.what)}"]
    if finding.excerpt:
        lines.append(excerpt_of(finding.excerpt))
    return lines


def one_of(kind: str, name: str, names: Collection[str]) -> str:
    """Return a typed name; raise UsageError if it is not one of `names`. kind: what they name."""
    if name in names:
        return name
    from journal.text import suggestion

    remedy = f"{suggestion(name, names)} one of: {', '.join(names)}".lstrip()
    raise UsageError(f"unknown {kind} {name}", remedy)


def only_one(options: Mapping[str, object]) -> str:
    """Return the option that has a value, "" if none has. Raise UsageError if several have one.

    options: option as it is typed → its value.
    """
    names = [name for name, value in options.items() if value]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(names)} cannot be combined", "give only one of them")
    return names[0] if names else ""


def warn(what: str) -> None:
    """Print a warning on stderr; in a terminal its lines break at spaces."""
    clear_progress()
    for line in wrapped(f"journal: {escaped(what)}", columns({}, sys.stderr)):
        print(line, file=sys.stderr)


def report(error: BaseException, env: Mapping[str, str]) -> int:
    """Print an error and return its exit code."""
    clear_progress()
    if env.get("JOURNAL_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    with suppress(OSError):  # a full disk: the exit code still says that it failed
        for line in lines_of(error, env):
            print("\n".join(_fitted(line)), file=sys.stderr)
    return error.code if isinstance(error, JournalError) else UNREADABLE


def _fitted(line: str) -> list[str]:
    """Wrap an error line to the terminal's width, but never within a command to copy."""
    width = columns({}, sys.stderr)
    if line.startswith("  | ") or "run: " in line:
        return [line]
    return wrapped(line.lstrip(), width, "  " if line.startswith(" ") else "")


def expected_error(error: BaseException, env: Mapping[str, str]) -> JournalError | None:
    """Return an expected exception as a JournalError for people; None for an unexpected one.

    An error about a file of our cache does not name the file: it is not a file of the user.
    """
    shown = _as_journal_error(error)
    cache = os.path.join(journal_home(env), "cache")
    if shown is None or not f"{shown.path}{os.sep}".startswith(cache + os.sep):
        return shown
    what = f"the journal's cache cannot be used: {shown.what.replace(shown.path, 'a file')}"
    return JournalError("", what, "rebuild it: journal rebuild; if that fails: journal doctor")


def _as_journal_error(error: BaseException) -> JournalError | None:
    from journal.log.append import Busy

    if isinstance(error, JournalOffError) and not error.remedy:
        return JournalError(error.path, error.what, "run: journal doctor")
    if isinstance(error, JournalError):
        return error
    if isinstance(error, Busy):
        what = "another process holds the journal's lock"
        return JournalError(str(error), what, "try again; journal doctor shows events that wait")
    if (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryException"
        or str(error) == "can't start new thread"
    ):
        remedy = "end other programs, or raise the limit (ulimit -v); then try again"
        return JournalError("", "there is not enough memory", remedy)
    code = getattr(error, "sqlite_errorcode", _SQL) & 0xFF
    if code == _FULL:
        return JournalError("", "no space left on device", _REMEDIES[errno.ENOSPC])
    if code != _SQL:
        what = f"the journal's search index cannot be used: {error}"
        return JournalError("", what, "journal doctor shows what is wrong")
    if isinstance(error, OSError) and error.strerror:
        where = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
        remedy = _REMEDIES.get(error.errno or 0, "make it readable and writable for your user")
        return JournalError(where, error.strerror.lower(), remedy)
    return None
