"""Locks of work that only one process of a home does at a time: imports, exports to a team."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from journal.errors import JournalError
from journal.files import open_regular


@contextmanager
def exclusive(home: str, name: str, what: str) -> Iterator[None]:
    """Hold a lock file of a home. Raise JournalError if another process does the same (what)."""
    descriptor = open_regular(os.path.join(home, name), os.O_RDWR | os.O_CREAT, linked=True)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(home, f"another {what} is running", "wait for it to end") from error
        yield
    finally:
        os.close(descriptor)
