"""Where an event waits when the lock is stuck, so that a stopped holder never hangs the client.

Each call writes a file of its own; the next lock holder appends what is there and removes it.
Invariant: a file is removed only after its records are in the log; a repeat is told by its key.
"""

from __future__ import annotations

import os
import time

from journal.log.record import frame, is_whole, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.log.append import Writer

__all__ = ["drain", "missed", "put"]

_DIRECTORY = "spool"
_MISSED = "missed"
_BATCH = 64  # files taken in one go, so that one hook call stays short


def put(directory: str, now: str, events: tuple[dict[str, Any], ...]) -> str:
    """Write `events` beside the log; give the path. OSError when that fails too."""
    folder = os.path.join(directory, _DIRECTORY)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    name = f"{time.time_ns():020d}-{os.getpid()}"
    path = os.path.join(folder, name + ".jsonl")
    data = b"".join(
        frame(0, {"ts": now, **event, "key": event.get("key") or f"{name}-{index}"})
        for index, event in enumerate(events)
    )
    # A reader must never take half a file: it becomes visible under its name only when whole.
    temporary = path + ".part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)
    os.rename(temporary, path)
    return path


def missed(directory: str) -> None:
    """Count one event that could not be kept at all. Never raises."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(os.path.join(directory, _MISSED), flags, 0o600)
        try:
            os.write(descriptor, b".")
        finally:
            os.close(descriptor)
    except OSError:
        pass


def drain(writer: Writer) -> int:
    """Append what waits in the spool, and `journal.gap` for what was lost; give the records added.

    Called by the lock holder. A file that cannot be read is left where it is.
    """
    gap = os.path.join(writer.directory, _MISSED)
    try:
        count = os.stat(gap).st_size
    except OSError:
        count = 0
    if count:
        writer.append({"type": "journal.gap", "v": 1, "sid": "", "missed": count})
        os.unlink(gap)
    folder = os.path.join(writer.directory, _DIRECTORY)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return 0
    added = 0
    for name in [name for name in names if name.endswith(".jsonl")][:_BATCH]:
        path = os.path.join(folder, name)
        events = _read(path)
        if events:
            writer.append(*events)
            added += len(events)
        if events is not None:
            os.unlink(path)
    return added


def _read(path: str) -> list[dict[str, Any]] | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            data = os.read(descriptor, 1024 * 1024)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    events = []
    for line in data.split(b"\n"):
        if is_whole(line):
            fields = unframe(line)
            fields.pop("seq")
            events.append(fields)
    return events
