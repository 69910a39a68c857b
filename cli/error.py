"""What went wrong, as a person reads it: `journal: error: PATH:LINE: what`, excerpt, remedy.

Invariant: one place turns exceptions into lines and exit codes; nothing from a file or an event
reaches the terminal unescaped.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from cli.render.text import excerpt_of
from journal.errors import JournalError, JournalOffError
from journal.text import clip, escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from journal.errors import Finding

__all__ = [
    "FINDINGS",
    "OK",
    "UNREADABLE",
    "USAGE",
    "code_of",
    "finding_lines",
    "lines_of",
    "report",
    "warn",
]

OK = 0
FINDINGS = 1
USAGE = 2
UNREADABLE = 3

_COLUMNS = 120


def code_of(error: BaseException) -> int:
    """Exit code of an exception."""
    return error.code if isinstance(error, JournalError) else UNREADABLE


def lines_of(error: BaseException) -> list[str]:
    """Lines a person reads: place and fault, excerpt where there is one, remedy."""
    known = _known(error)
    if known is None:
        known = JournalError(
            _raised_at(error),
            f"unexpected {type(error).__name__}: {error}",
            "set JOURNAL_DEBUG=1 for the traceback, and report it",
        )
    head = f"{escaped(known.path)}: " if known.path else ""
    lines = [f"journal: error: {head}{escaped(known.what)}"]
    if known.excerpt:
        lines.append(excerpt_of(known.excerpt, _COLUMNS))
    if known.remedy:
        lines.append(f"  {escaped(known.remedy)}")
    return lines


def finding_lines(finding: Finding, kind: str = "error") -> list[str]:
    """Lines of one thing a reader noticed in a segment."""
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    lines = [f"journal: {kind}: {escaped(place)}: {finding.verdict}: {escaped(finding.what)}"]
    if finding.excerpt:
        lines.append(excerpt_of(finding.excerpt, _COLUMNS))
    return lines


def warn(what: str) -> None:
    """Say something on stderr that is no failure."""
    print(f"journal: {escaped(what)}", file=sys.stderr)


def report(error: BaseException, env: Mapping[str, str]) -> int:
    """Print what `error` says, and give the exit code."""
    if env.get("JOURNAL_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    for line in lines_of(error):
        print(line, file=sys.stderr)
    return code_of(error)


def _known(error: BaseException) -> JournalError | None:
    from journal.log.append import Busy

    if isinstance(error, JournalOffError) and not error.remedy:
        return JournalError(error.path, error.what, "run: journal doctor")
    if isinstance(error, JournalError):
        return error
    if isinstance(error, Busy):
        what = "another process has held the journal's lock for seconds"
        return JournalError(str(error), what, "try again; journal doctor says what waits")
    if isinstance(error, OSError) and error.strerror:
        where = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
        return JournalError(where, error.strerror.lower(), "make it readable and writable for you")
    if type(error).__name__ == "InstallError":
        return JournalError(
            clip(str(getattr(error, "where", "")), 400),
            str(getattr(error, "what", error)),
            str(getattr(error, "remedy", "")),
        )
    return None


def _raised_at(error: BaseException) -> str:
    trace = error.__traceback__
    where = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        where = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where
