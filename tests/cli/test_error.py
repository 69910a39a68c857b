"""Every error a person can meet: its cause, its text, and one table of all errors.

Each row of CASES causes one; its text is `tests/errors/NAME.txt`, and `docs/errors.md` is made from
these files. `GOLDEN=write pytest tests/cli` rewrites both.
"""

from __future__ import annotations

import contextlib
import io
import os
import pty
import shutil
import sqlite3
import sys
import termios
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb
import pytest

from cli.error import lines_of, report, warn
from journal.errors import UsageError
from journal.text import width
from tests.support.rows import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Workspace

ROOT = Path(__file__).parents[2]
ERRORS = ROOT / "tests" / "errors"
MANUAL = ROOT / "docs" / "errors.md"


class Case(NamedTuple):
    """How the workspace is changed beforehand, the command, and its exit code."""

    words: tuple[str, ...]
    code: int
    before: Callable[[Workspace], object] | None = None
    about: str = ""


def lines(change: Callable[[list[bytes]], object]) -> Callable[[Workspace], object]:
    """Change the lines of the segment."""

    def before(workspace: Workspace) -> None:
        found = workspace.segment.read_bytes().split(b"\n")
        change(found)
        workspace.segment.write_bytes(b"\n".join(found))

    return before


def flip(found: list[bytes]) -> None:
    """Flip a byte of the fifth record."""
    found[4] = found[4].replace(b"cart", b"cars", 1)


def configured(text: str) -> Callable[[Workspace], object]:
    """Write the person's configuration."""
    return lambda workspace: (workspace.home / "config.toml").write_text(text)


def locked(workspace: Workspace) -> None:
    """Hold the journal's lock in this process until the test ends."""
    import fcntl

    workspace.held = (workspace.directory / "lock").open("rb")
    fcntl.flock(workspace.held, fcntl.LOCK_EX)


def blocked(workspace: Workspace) -> None:
    """Put a file in the cache's place."""
    shutil.rmtree(workspace.home / "cache", ignore_errors=True)
    (workspace.home / "cache").write_text("")


def linked(workspace: Workspace) -> None:
    """Put a link in the segment's place."""
    workspace.segment.rename(workspace.top / "elsewhere")
    workspace.segment.symlink_to(workspace.top / "elsewhere")


CASES = {
    "no-journal": Case(("status", "--project", "../elsewhere"), 3,
                       lambda p: (p.top / "elsewhere" / ".git").mkdir(parents=True),
                       "no journal yet"),
    "no-directory": Case(("status", "--project", "/tmp/jg-elsewhere"), 2,
                         about="a project directory that does not exist"),
    "no-command": Case(("evnts",), 2, about="an unknown command"),
    "no-option": Case(("events", "--nonsense"), 2, about="an unknown option"),
    "option-first": Case(("--project", "shop", "status"), 2, about="an option before the command"),
    "not-a-time": Case(("events", "--since", "tuesday"), 2, about="a value that is neither a sequence number nor a time"),
    "not-a-number": Case(("events", "--limit", "-3"), 2, about="a number out of range"),
    "no-view": Case(("view", "weather"), 2, about="an unknown view"),
    "no-session": Case(("view", "pressure", "--session", "zz"), 2, about="an unknown session"),
    "two-sessions": Case(("view", "pressure", "--session", "c"), 2,
                         lambda p: p.hook("UserPromptSubmit", sid="cafe", prompt="x"),
                         "an abbreviated ID that matches several sessions"),
    "empty-note": Case(("note", "  "), 2, about="an empty note"),
    "bad-topic": Case(("learning", "add", "--topic", "../x", "--title", "y"), 2,
                      about="an invalid topic"),
    "no-learning": Case(("learning", "confirm", "anything"), 3, about="no learnings yet"),
    "no-project": Case(("learning", "list", "--project", "/"), 3, about="a directory outside of any project"),
    "project-is-a-file": Case(("status", "--project", ".git/HEAD"), 2, about="a file instead of a project directory"),
    "both-modes": Case(("verify", "--strict", "--salvage"), 2, about="options that cannot be combined"),
    "corrupt": Case(("verify",), 1, lines(flip), "a damaged record"),
    "nul-bytes": Case(("verify",), 1, lines(lambda x: x.insert(3, b"\0" * 40)), "NUL bytes"),
    "gap": Case(("verify",), 1, lines(lambda x: x.pop(3)), "a missing record"),
    "torn": Case(("verify",), 0, lines(lambda x: x.insert(31, b'{"seq":32,"ts"')),
                 "an incomplete record at the end"),
    "incomplete": Case(("view", "learnings"), 1, lines(flip), "a view of a damaged journal"),
    "linked-segment": Case(("note", "x", "--session", "c00f"), 3, linked, "a segment that is a symbolic link"),
    "locked": Case(("note", "x", "--session", "cafe"), 3, locked, "a lock that another process holds"),
    "home-is-a-file": Case(("note", "x", "--session", "cafe"), 3,
                           lambda p: (p.home.rename(p.top / "old"), p.home.write_text("")),
                           "a file at the path of the journal home"),
    "cache-is-a-file": Case(("search", "totals"), 3, blocked, "a file at the path of the cache"),
    "config-syntax": Case(("config",), 1, configured("[capture]\nlevel = off\n"), "a configuration file that is not TOML"),
    "config-key": Case(("config",), 1, configured("[pressure]\ninfoo = 0.5\n"), "an unknown setting"),
    "config-value": Case(("config",), 1, configured("[pressure]\ninfo = 72\n"), "an invalid setting"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_error(name, played, monkeypatch):
    """An error says where, what and what to do next, in 120 columns except for its paths."""
    case = CASES[name]
    monkeypatch.setattr("journal.history.current.PATIENCE", 0.05)
    if case.before:
        case.before(played)
    result = played.journal(*case.words)
    assert result.code == case.code, result
    shown = played.plain("".join(f"{line}\n" for line in errors_in(result.out + result.err)))
    path = ERRORS / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(f"$ journal {' '.join(case.words)}\n{shown}")
    assert path.read_text() == f"$ journal {' '.join(case.words)}\n{shown}"
    assert shown.startswith("journal: ")
    assert all(
        width(line) <= 120
        for line in shown.splitlines()
        if "/tmp/" not in line and not name.startswith("config")
    )


def errors_in(text: str) -> list[str]:
    """Return the lines of errors, warnings and findings with their continuation lines."""
    found: list[str] = []
    for line in text.splitlines():
        begins = line.startswith("journal: ")
        if begins or (found and (line.startswith("  ") or line.lstrip()[:1].isdigit())
                      and not line.startswith("SEGMENT") and "|" in line + "|" and line[0] == " "):  # fmt: skip
            found.append(line)
    return found


def test_the_table_is_current():
    """docs/errors.md has a row and the text of every error."""
    page = ["# Error messages\n",
            "<!-- Written by `GOLDEN=write pytest tests/cli/test_error.py` from tests/errors. -->\n",
            "| error | exit code | place | excerpt | remedy |\n|---|---|---|---|---|"]  # fmt: skip
    texts = {name: (ERRORS / f"{name}.txt").read_text() for name in CASES}
    for name, text in texts.items():
        body = text.splitlines()[1:]
        located = any(line.startswith("journal: ") and ": /" in line for line in body)
        excerpt = any(line.startswith("  | ") or " | " in line[:12] for line in body)
        remedy = any(line.startswith("  ") and "|" not in line[:10] for line in body)
        marks = " | ".join("yes" if fact else "" for fact in (located, excerpt, remedy))
        page.append(f"| [{CASES[name].about}](#{name}) | {CASES[name].code} | {marks} |")
    page += [f"\n### {name}\n\n```text\n{text}```" for name, text in texts.items()]
    written = "\n".join(page) + "\n"
    if os.environ.get("GOLDEN") == "write":
        MANUAL.write_text(written)
    is_current = MANUAL.read_text() == written
    assert is_current, "run: GOLDEN=write .venv/bin/python -m pytest tests/cli/test_error.py"


def test_no_text_without_a_case():
    """Every file in tests/errors belongs to a case."""
    assert {path.stem for path in ERRORS.glob("*.txt")} == set(CASES)


def test_the_unexpected_is_one_line(played, monkeypatch):
    """An internal error is one clear line with its place; a traceback needs JOURNAL_DEBUG=1."""

    def broken(*_: object, **__: object) -> int:
        raise KeyError("seventh")

    monkeypatch.setattr("cli.status.collect", broken)
    result = played.journal("status")
    assert (result.code, result.out) == (3, "")
    first, second = result.err.splitlines()
    assert first.startswith("journal: error: test_error.py:")
    assert "KeyError: 'seventh'" in first
    assert "JOURNAL_DEBUG=1" in second
    assert "Traceback" in played.journal("status", JOURNAL_DEBUG="1").err


def _of_index(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


@each(
    ("error", "remedy"),
    [
        (NotADirectoryError(20, "Not a directory", "/dev/null/x"), "name a directory"),
        (IsADirectoryError(21, "Is a directory", "/tmp"), "name a file"),
        (OSError(28, "No space left on device", "/x"), "free some space, then try again"),
        (PermissionError(13, "Permission denied", "/x"), "make it readable and writable"),
        (OSError(24, "Too many open files", "/x"), "ulimit -n"),
        (MemoryError(), "ulimit -v"),
        (RuntimeError("can't start new thread"), "ulimit -v"),
        (duckdb.OutOfMemoryException("Allocation failure"), "ulimit -v"),
        (_of_index(sqlite3.SQLITE_IOERR_SHMSIZE), "journal doctor"),
        (_of_index(sqlite3.SQLITE_FULL), "free some space"),
        (_of_index(sqlite3.SQLITE_ERROR), "report it"),
    ],
)
def test_what_to_do_about_an_error_of_the_system(error: Exception, remedy: str) -> None:
    """The remedy fits the error: rights are no remedy for a full disk or a wrong kind of file."""
    assert remedy in lines_of(error, {"HOME": "/home/dev"})[-1]


def at_terminal(monkeypatch: pytest.MonkeyPatch, write: Callable[[], object]) -> list[str]:
    """Return the lines that `write` prints on stderr, a terminal of 60 columns."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 60))
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        write()
    shown = ""
    with contextlib.suppress(OSError):  # on Linux the read fails once the other end is closed
        while part := os.read(ours, 4096):
            shown += part.decode()
    os.close(ours)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    return shown.splitlines()


def test_a_warning_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal a warning breaks at spaces; elsewhere it is one line."""
    text = "Found 5 past sessions. " + "Importing them; Ctrl-C stops this. " * 3
    lines = at_terminal(monkeypatch, lambda: warn(text))
    assert max(map(len, lines)) <= 60
    assert " ".join(lines).split() == f"journal: {text}".split()
    warn(text)
    assert sys.stderr.getvalue() == f"journal: {text}\n"


def test_an_error_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal an error and its remedy break at spaces, but not a command to copy."""
    long = "run: uv tool install --force 'context-journal[team] @ file:///home/dev/context-journal'"
    for remedy, most in (("one of: " + ", ".join(CASES), 60), (long, len(long) + 2)):
        error = UsageError("there is no such thing as what was typed on this command line", remedy)
        lines = at_terminal(monkeypatch, lambda error=error: report(error, {}))
        assert max(map(len, lines)) <= most
        assert "".join(lines).replace(" ", "").endswith(remedy.replace(" ", ""))
        report(error, {})
        assert sys.stderr.getvalue().splitlines()[1] == f"  {remedy}"
