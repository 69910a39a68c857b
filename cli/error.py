"""What went wrong, as a person reads it: `journal: error: PATH:LINE: what`, excerpt, remedy.

Invariant: one place turns exceptions into lines and exit codes; nothing from a file or an event
reaches the terminal unescaped.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from cli.render import clean, clip, excerpt_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from journal.problem import Finding

__all__ = ["FINDINGS", "OK", "UNREADABLE", "USAGE", "CliError", "UsageError", "code_of",
           "finding_lines", "lines_of", "report", "warn"]  # fmt: skip

OK = 0
FINDINGS = 1
USAGE = 2
UNREADABLE = 3

_COLUMNS = 120


class CliError(Exception):
    """Something a person can mend. where: a path, with `:LINE` where there is one, or ""."""

    code = UNREADABLE

    def __init__(self, where: str, what: str, remedy: str = "", excerpt: str | bytes = b"") -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.where = where
        self.what = what
        self.remedy = remedy
        self.excerpt = excerpt


class UsageError(CliError):
    """The command was not called as it can be."""

    code = USAGE

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__("", what, remedy)


def code_of(error: BaseException) -> int:
    """Exit code of an exception."""
    return error.code if isinstance(error, CliError) else UNREADABLE


def lines_of(error: BaseException) -> list[str]:
    """Lines a person reads: place and fault, excerpt where there is one, remedy."""
    known = _known(error)
    if known is None:
        known = CliError(
            _raised_at(error),
            f"unexpected {type(error).__name__}: {error}",
            "set JOURNAL_DEBUG=1 for the traceback, and report it",
        )
    head = f"{clean(known.where)}: " if known.where else ""
    lines = [f"journal: error: {head}{clean(known.what)}"]
    if known.excerpt:
        lines.append(excerpt_of(known.excerpt, _COLUMNS))
    if known.remedy:
        lines.append(f"  {clean(known.remedy)}")
    return lines


def finding_lines(finding: Finding, kind: str = "error") -> list[str]:
    """Lines of one thing a reader noticed in a segment."""
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    lines = [f"journal: {kind}: {clean(place)}: {finding.verdict}: {clean(finding.what)}"]
    if finding.excerpt:
        lines.append(excerpt_of(finding.excerpt, _COLUMNS))
    return lines


def warn(what: str) -> None:
    """Say something on stderr that is no failure."""
    print(f"journal: {clean(what)}", file=sys.stderr)


def report(error: BaseException, env: Mapping[str, str]) -> int:
    """Print what `error` says, and give the exit code."""
    if env.get("JOURNAL_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    for line in lines_of(error):
        print(line, file=sys.stderr)
    return code_of(error)


def _known(error: BaseException) -> CliError | None:
    from journal.log.append import Busy
    from journal.problem import JournalError

    if isinstance(error, CliError):
        return error
    if isinstance(error, JournalError):
        return CliError(error.path, error.what, error.remedy or "run: journal doctor")
    if isinstance(error, Busy):
        what = "another process has held the journal's lock for seconds"
        return CliError(str(error), what, "try again; journal doctor says what waits")
    if isinstance(error, OSError) and error.strerror:
        where = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
        return CliError(where, error.strerror.lower(), "make it readable and writable for you")
    if type(error).__name__ == "InstallError":
        return CliError(
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
