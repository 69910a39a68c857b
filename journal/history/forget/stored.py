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
from journal.replace_file import Replacement, is_left_behind

TEXT, DERIVED, OWN = "text", "derived", "own"
_CACHE = "cache"
_INSTALL = "install"  # folder with the user's settings as they were before `journal setup`
_OWN = frozenset((HOME_FILE, "prices.json", STATUS_LINE, "install.json", _INSTALL))
_EXEMPT = _OWN | {"app", "plugin", "venv", "models"}
_LOCKS = ("lock", ".lock")
_TOKEN = (".token", ".token.html")
_GZIP = b"\x1f\x8b"
_TRIES = 8


def projects_of(home: str) -> list[str]:
    """Return the names of all projects with a directory in a journal home."""
    names = dict.fromkeys(name for name, _, _ in log_directories(home))
    return [name for name in names if name not in _EXEMPT]


def files_of(home: str, projects: Iterable[str], kind: str) -> Iterator[str]:
    """Yield the files of a kind, TEXT, DERIVED or OWN, of the home itself and of some projects.

    Derived files can be made again from the logs of these projects. They include files of all
    projects together, and half-written ones of killed processes. Segments of logs are neither.
    Folders that cannot be listed are yielded as TEXT, because they may have any.
    """
    projects = {*projects, _INSTALL}  # a folder as well, though of no project
    others = set(projects_of(home)) - projects
    tops = [os.path.join(home, name) for name in sorted(os.listdir(home)) if name != _CACHE]
    cache = os.path.join(home, _CACHE)
    found = sorted(os.listdir(cache)) if os.path.isdir(cache) else []
    cached = [os.path.join(cache, name) for name in found]
    unread: list[str] = []
    for top in (*tops, *cached):
        name = os.path.basename(top)
        if name not in others and (top in cached or name in projects or not os.path.isdir(top)):
            yield from (path for path in _files(top, unread) if _kind_of(path, home) == kind)
    if kind == TEXT:
        yield from unread


def _kind_of(path: str, home: str) -> str:
    """Return the kind of a file: OWN if the user writes it, "" for one that stays as it is."""
    first, *rest = os.path.relpath(path, home).split(os.sep)
    name = os.path.basename(path)
    if name.endswith(_LOCKS):
        return ""
    if first in _OWN:
        return OWN
    if first == _CACHE:
        # export/ holds positions in the team's tables, which `team.positions.mark_altered` changes.
        is_exempt = name.endswith(_TOKEN) or (rest[0] == "export" and len(rest) > 2)
        return "" if is_exempt else DERIVED
    if name.startswith(".") and name.endswith(".tmp"):  # of the process that is writing it
        return DERIVED if is_left_behind(name) else ""
    if not rest:
        return "" if name in _EXEMPT else TEXT
    if rest in ([name], [IMPORTED, name]):
        if name in (SNAPSHOT, CACHE_FILE):
            return DERIVED
        if span_of(name) or name in (ACTIVE, PENDING):
            return ""
    return TEXT


def _files(top: str, unread: list[str]) -> Iterator[str]:
    """Yield the files below a directory, or the file; add folders that cannot be listed."""
    if not os.path.isdir(top):
        if os.path.isfile(top) or os.path.islink(top):
            yield top
        return
    for folder, _, names in os.walk(top, onerror=lambda error: unread.append(error.filename)):
        yield from (os.path.join(folder, name) for name in sorted(names))


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
