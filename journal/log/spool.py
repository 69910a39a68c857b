"""The spool: events wait here while the lock is taken, so that no hook waits for it.

Each call writes its own file; the next lock holder appends the records and removes the file.
Invariant: a file is removed only after its records are in the log. If its writer was killed before
that, the records' keys prevent that they are appended twice.
"""

from __future__ import annotations

import errno
import os
import time
from stat import S_ISREG

from journal.log.counter import MISSED, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from journal.log.opened import OpenLog

BAD = ".bad"
"""Ending of a file that contained something other than records."""

SPOOL = "spool"
"""The folder, beside the log."""

_BATCH = 64  # files that one call appends, so that a hook call stays short
_BYTES = 1024 * 1024  # bytes, for the same reason
_LONGEST = 64 * 1024 * 1024  # bytes of a file of the spool


def put(directory: str, now: str, events: tuple[dict[str, Any], ...]) -> str:
    """Write `events` beside the log; return the path. Raise OSError if that fails, too."""
    from journal.errors import JournalOffError
    from journal.home import ensure_directory
    from journal.log.record import numbered, prepare
    from journal.replace_file import write_atomic

    folder = os.path.join(directory, SPOOL)
    name = f"{time.time_ns():020d}-{os.getpid()}"
    path = os.path.join(folder, name + ".jsonl")
    data = b"".join(
        numbered(0, prepare({**event, "key": event.get("key") or f"{name}-{index}"}, now).body)
        for index, event in enumerate(events)
    )
    for _ in range(8):
        try:
            ensure_directory(folder)
            write_atomic(path, data)
        except FileNotFoundError:
            continue  # a writer emptied the spool and removed it in between
        except JournalOffError as error:
            raise OSError(errno.EACCES, error.what, folder) from error
        return path
    raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), folder)


def waiting(directory: str, endings: str | tuple[str, ...] = ".jsonl") -> int:
    """Return how many calls wait in the spool for the next writer, or files of other endings.

    -1: unknown, because the spool cannot be listed.
    """
    try:
        names = os.listdir(os.path.join(directory, SPOOL))
    except FileNotFoundError:
        return 0
    except OSError:
        return -1
    return sum(name.endswith(endings) for name in names)


def drain(writer: OpenLog) -> int:
    """Append what waits in the spool, and `journal.gap` for lost events; return how many records.

    The lock holder calls it. No content of the spool makes it fail: a file with anything other than
    records is renamed to `.bad`, and an unreadable one stays.
    """
    gap = f"{writer.directory}/{MISSED}"
    if os.access(gap, os.F_OK):
        _append_gap(writer, gap)
    folder = f"{writer.directory}/{SPOOL}"
    # Files that cannot be removed would be appended again and again.
    return _drain(writer, folder) if os.access(folder, os.W_OK) else 0


def _append_gap(writer: OpenLog, gap: str) -> None:
    """Record in the log how many events were lost; once, even if a writer is killed meanwhile."""
    try:
        facts = os.stat(gap, follow_symlinks=False)
        key = f"gap-{facts.st_ino}-{facts.st_mtime_ns}"
        if not S_ISREG(facts.st_mode):
            return  # not ours: its size does not count events
        if facts.st_size and not _is_in(writer.tail, key):
            fields = {"type": "journal.gap", "v": 1, "sid": "", "key": key}
            writer.append({**fields, "missed": counted(facts.st_size)})
        os.unlink(gap)
    except OSError:
        pass  # counted again next time, under the same key


def _drain(writer: OpenLog, folder: str) -> int:
    from journal.log.record import CAP

    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    except OSError:
        return 0
    events: list[dict[str, Any]] = []
    done: dict[str, bool] = {}
    size = 0
    window = writer.tail if names else b""
    for name in names[:_BATCH]:
        path = os.path.join(folder, name)
        found = _read(path)
        if found is None:
            continue
        records, is_whole = found
        if done and size + len(records) * CAP > _BYTES:
            break
        size += len(records) * CAP
        events += [event for event in records if not _is_in(window, str(event.get("key")))]
        done[path] = is_whole
    if events:
        writer.append(*events)
    for path, is_whole in done.items():
        if is_whole:
            _quietly(os.unlink, path)
        else:
            _quietly(os.rename, path, path + BAD)
    if len(done) == len(names):
        _quietly(os.rmdir, folder)  # so that the next writers need not look into it
    return len(events)


def _quietly(call: Callable[..., None], *paths: str) -> None:
    try:  # noqa: SIM105 (contextlib is one more module to load)
        call(*paths)
    except OSError:
        pass


def _is_in(window: bytes, key: str) -> bool:
    from journal.codec import dumps

    return b'"key":' + dumps(key) in window


def _read(path: str) -> tuple[list[dict[str, Any]], bool] | None:
    """Return the events of a file and whether it has nothing else; None if it cannot be read."""
    from journal.files import read_regular
    from journal.log.record import is_whole, unframe

    try:
        data = read_regular(path, _LONGEST)
    except OSError:
        return None
    events = []
    lines = data.split(b"\n")
    for line in lines:
        if is_whole(line):
            try:
                fields = unframe(line)
            except ValueError:
                continue
            fields.pop("seq")
            if isinstance(fields.get("type"), str):
                events.append(fields)
    # A whole file ends in a newline.
    return events, not lines[-1] and 0 < len(events) == len(lines) - 1
