"""Locks of work that only one process of a home does at a time.

Each raises JournalError if another process holds it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from journal.errors import JournalError
from journal.files import open_regular


def import_lock(home: str) -> AbstractContextManager[None]:
    """Hold the lock of imports into a home."""
    return _held(home, "import.lock", "import")


def export_lock(home: str) -> AbstractContextManager[None]:
    """Hold the lock of a home's exports to a team's tables."""
    return _held(home, "export.lock", "export to a team's tables")


@contextmanager
def _held(home: str, name: str, what: str) -> Iterator[None]:
    descriptor = open_regular(os.path.join(home, name), os.O_RDWR | os.O_CREAT, linked=True)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(home, f"another {what} is running", "wait for it to end") from error
        yield
    finally:
        os.close(descriptor)
