"""Counters beside a log. Each is the size of a sparse file, which needs no space on a full disk."""

from __future__ import annotations

import os
from stat import S_ISREG

from journal.errors import JournalOffError
from journal.files import open_regular

MISSED = "missed"
"""Counter of events that could not be stored at all and that the log does not mention yet."""

OVERLAPS = "overlaps"
"""Counter of writers that found another writer at work although they held the lock."""


def add_to(directory: str, name: str, count: int = 1) -> None:
    """Add to a count. Never raises."""
    from fcntl import LOCK_EX, flock

    try:
        path = os.path.join(directory, name)
        descriptor = open_regular(path, os.O_WRONLY | os.O_CREAT, linked=True)
        try:
            flock(descriptor, LOCK_EX)  # held for two calls
            os.ftruncate(descriptor, os.fstat(descriptor).st_size + count)
        finally:
            os.close(descriptor)
    except (OSError, JournalOffError):
        pass


def count_in(directory: str, name: str) -> int:
    """Return a count; -1 if something other than a file has its name."""
    try:
        facts = os.stat(os.path.join(directory, name), follow_symlinks=False)
    except OSError:
        return 0
    return facts.st_size if S_ISREG(facts.st_mode) else -1
