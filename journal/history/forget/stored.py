"""The files of a journal home besides its logs: derived ones, exempt ones, and texts.

Invariant: a file that is not named here counts as a text. Derived files are deleted instead of
changed; the exempt ones are listed in FORMAT.md under "Redaction".
"""

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import IO

from journal.checkpoint import SNAPSHOT
from journal.codec import digest
from journal.config import CACHE_FILE, HOME_FILE
from journal.errors import JournalError, JournalOffError
from journal.files import open_regular
from journal.history.archive.files import FOLDER as CONVERSATIONS
from journal.history.archive.files import packed, parts_in
from journal.history.logs import log_directories
from journal.home import IMPORTED, STATUS_LINE
from journal.log.lines import lines_of
from journal.log.packed import pack, unpacked
from journal.log.record import ACTIVE
from journal.log.repair import QUARANTINE
from journal.log.rewrite import LineChange, changed_line
from journal.log.rewrite_watch import PENDING
from journal.log.segment import span_of
from journal.process import is_running
from journal.replace_file import Replacement

_CACHE = "cache"
_EXEMPT = frozenset(
    (
        HOME_FILE,
        "prices.json",
        STATUS_LINE,
        "install.json",
        "install",
        "app",
        "plugin",
        "venv",
        "models",
    )
)
_LOCKS = ("lock", ".lock")
_TOKEN = (".token", ".token.html")
_DERIVED = (SNAPSHOT, CACHE_FILE, ".cache")
_GZIP = b"\x1f\x8b"
_TRIES = 8


def projects_of(home: str) -> list[str]:
    """Return the names of all projects with a directory in a journal home."""
    names = dict.fromkeys(name for name, _, _ in log_directories(home))
    return [name for name in names if name not in _EXEMPT]


def text_files(home: str, projects: Iterable[str]) -> Iterator[str]:
    """Yield each file of the home and of some projects that may have texts, except segments."""
    for name in sorted(os.listdir(home)):
        path = os.path.join(home, name)
        is_ours = name not in _EXEMPT and not name.endswith(_LOCKS)
        if is_ours and (os.path.isfile(path) or os.path.islink(path)):
            yield path
    for project in projects:
        top = os.path.join(home, project)
        for path in _files(top):
            name, folder = os.path.basename(path), os.path.dirname(path)
            is_log = folder in (top, os.path.join(top, IMPORTED))
            if is_log and (span_of(name) or name in (ACTIVE, PENDING) or name.endswith(_DERIVED)):
                continue
            if not name.endswith(_LOCKS):
                yield path


def derived_files(home: str, projects: Iterable[str]) -> Iterator[str]:
    """Yield the files that can be made again from the logs of some projects.

    They include files of all projects together, and half-written ones of killed processes.
    """
    projects, every = list(projects), set(projects_of(home))
    tops = [os.path.join(home, project) for project in projects]
    for name in sorted(os.listdir(cache) if os.path.isdir(cache := f"{home}/{_CACHE}") else ()):
        path = os.path.join(cache, name)
        if name in every and name not in projects:
            continue
        # export/ has only how far the team's tables are: see `team.positions.alter`.
        deep = os.path.isdir(path) and name != "export"
        for found in _files(path, drafts=True) if deep else _files_in(path):
            if not found.endswith((*_LOCKS, *_TOKEN)):
                yield found
    for top in tops:
        for folder in (top, os.path.join(top, IMPORTED)):
            for name in _DERIVED[:2]:
                if os.path.lexists(path := os.path.join(folder, name)):
                    yield path
    yield from (path for top in [home, *tops] for path in _abandoned_drafts(top, deep=top != home))


def replace_in(path: str, change: LineChange, *, dry: bool) -> int:
    """Apply a change to each line of a file; return how many change. dry: only count.

    Raise JournalError if the file cannot be read to its end or replaced.
    """
    what = "cannot be changed"
    try:
        for _ in range(_TRIES):
            count = sum(new is not old for old, new, _ended in _changes(path, change))
            if dry or not count or _replaced(path, change):
                return count
    except FileNotFoundError:
        return 0
    except JournalOffError as error:
        raise JournalError(path, f"{what}: {error.what}", error.remedy) from error
    except (OSError, EOFError, zlib.error) as error:
        raise JournalError(path, f"{what}: {error}", "look at it, or delete it") from error
    raise JournalError(path, "changes all the time", "end sessions, then try again")


def rename_quarantined(directory: str) -> dict[str, str]:
    """Rename each file in quarantine to the digest of its current content.

    Return path as `journal.repaired` has it, but without the digest → the current path.
    """
    found: dict[str, str] = {}
    folder = os.path.join(directory, QUARANTINE)
    with suppress(FileNotFoundError):
        for name in sorted(os.listdir(folder)):
            stem, _, old = name.rpartition(".")
            path = os.path.join(folder, name)
            if name.startswith(".") or len(old) != 16 or not os.path.isfile(path):
                continue
            with open(open_regular(path, os.O_RDONLY), "rb") as file:
                new = digest(file.read())
            if new != old:
                os.rename(path, os.path.join(folder, f"{stem}.{new}"))
            found[f"{QUARANTINE}/{stem}"] = f"{QUARANTINE}/{stem}.{new}"
    return found


def _changes(path: str, change: LineChange) -> Iterator[tuple[bytes, bytes, bool]]:
    """Yield the lines of a file: old, new, and whether it ends in a newline."""
    if os.path.basename(os.path.dirname(path)) == CONVERSATIONS:
        for _head, lines in parts_in(path):
            yield from ((line, changed_line(change, line), True) for line in lines)
        return
    with _open(path) as file:
        for line, ended in lines_of(file, whole=True):
            yield line, changed_line(change, line), ended


class _ChangedError(Exception):
    """Another process wrote to the file meanwhile."""


def _replaced(path: str, change: LineChange) -> bool:
    """Replace a file by its new form; return False if another process wrote to it meanwhile."""
    facts = os.stat(path)
    with suppress(_ChangedError), Replacement(path, sync=True) as target:
        if os.path.basename(os.path.dirname(path)) == CONVERSATIONS:
            for head, lines in parts_in(path):
                data = packed([changed_line(change, line) for line in lines])
                target.write(b"%s %d %d\n" % (head.source.encode(), head.end, len(data)) + data)
        else:
            changed = (new + b"\n" * ended for _, new, ended in _changes(path, change))
            if _is_packed(path):
                pack(changed, target)
            else:
                target.writelines(changed)
        target.flush()
        os.fsync(target.fileno())
        _check_is(facts, path)
        return True
    return False


def _check_is(facts: os.stat_result, path: str) -> None:
    after = os.stat(path)
    if (after.st_ino, after.st_size) != (facts.st_ino, facts.st_size):
        raise _ChangedError


def _open(path: str) -> IO[bytes]:
    raw = open(open_regular(path, os.O_RDONLY), "rb", buffering=0)  # noqa: SIM115
    return unpacked(raw) if _is_packed(path) else raw


def _is_packed(path: str) -> bool:
    with open(open_regular(path, os.O_RDONLY), "rb") as file:
        return file.read(2) == _GZIP


def _files(top: str, *, drafts: bool = False) -> Iterator[str]:
    """Yield the files below a directory; drafts: also those that processes are writing now."""
    for folder, _, names in os.walk(top):
        for name in sorted(names):
            if drafts or not _is_draft(name):
                yield os.path.join(folder, name)


def _files_in(path: str) -> list[str]:
    """Return a file, or the files of a directory without those below it."""
    names = sorted(os.listdir(path)) if os.path.isdir(path) else [""]
    found = [os.path.join(path, name).rstrip(os.sep) for name in names]
    return [file for file in found if not os.path.isdir(file)]


def _is_draft(name: str) -> bool:
    return name.startswith(".") and name.endswith(".tmp")


def _abandoned_drafts(top: str, *, deep: bool) -> Iterator[str]:
    """Yield the drafts of processes that have ended."""
    for folder, below, names in os.walk(top):
        if not deep:
            below.clear()
        for name in names:
            pid = name.removesuffix(".tmp").rpartition(".")[2].partition("-")[0]
            if _is_draft(name) and pid.isdigit() and is_running(int(pid), 0) is False:
                yield os.path.join(folder, name)
