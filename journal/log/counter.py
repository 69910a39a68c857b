"""Counters beside a log. Each is the size of a sparse file, which needs no space on a full disk.

On a full Btrfs a file cannot grow within a block, so there the size is the count in blocks.
"""

from __future__ import annotations

import os
from stat import S_ISREG

from journal.errors import JournalOffError
from journal.files import open_regular

MISSED = "missed"
"""Counter of events that could not be stored at all and that the log does not mention yet."""

OVERLAPS = "overlaps"
"""Counter of writers that found another writer at work although they held the lock."""

_BLOCK = 4096  # bytes; sizes from here on are counts in blocks


def add_to(directory: str, name: str, count: int = 1) -> None:
    """Add to a count. Never raises."""
    from fcntl import LOCK_EX, flock

    try:
        path = os.path.join(directory, name)
        descriptor = open_regular(path, os.O_WRONLY | os.O_CREAT, linked=True)
        try:
            flock(descriptor, LOCK_EX)  # held for two calls
            total = counted(os.fstat(descriptor).st_size) + count
            try:
                os.ftruncate(descriptor, total if total < _BLOCK else total * _BLOCK)
            except OSError:
                os.ftruncate(descriptor, 0)
                os.ftruncate(descriptor, total * _BLOCK)
        finally:
            os.close(descriptor)
    except (OSError, JournalOffError):
        pass


def counted(size: int) -> int:
    """Return the count that a file of `size` bytes stands for."""
    return size if size < _BLOCK else size // _BLOCK + size % _BLOCK


def count_in(directory: str, name: str) -> int:
    """Return a count; -1 if something other than a file has its name."""
    try:
        facts = os.stat(os.path.join(directory, name), follow_symlinks=False)
    except OSError:
        return 0
    return counted(facts.st_size) if S_ISREG(facts.st_mode) else -1
