"""Counts beside a log, each the size of a file without content: a full disk has room for that."""

from __future__ import annotations

import os
from stat import S_ISREG

from journal.errors import JournalOffError
from journal.files import open_regular

MISSED = "missed"
"""Events that could not be stored at all, and of which the log does not know yet."""

OVERLAPS = "overlaps"
"""Writers that found another one at work, though each of them held the lock."""


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
    """Return a count; -1 if what is in its place is not a file."""
    try:
        facts = os.stat(os.path.join(directory, name), follow_symlinks=False)
    except OSError:
        return 0
    return facts.st_size if S_ISREG(facts.st_mode) else -1
