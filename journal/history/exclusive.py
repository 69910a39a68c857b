"""Locks of work that only one process of a home does at a time: imports, exports to a team."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from journal.errors import JournalError
from journal.files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def exclusive(home: str, name: str, what: str) -> Iterator[None]:
    """Hold a lock file of a home. Raise JournalError if another process does the same (what)."""
    descriptor = open_regular(os.path.join(home, name), os.O_RDWR | os.O_CREAT, linked=True)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(
                home, f"another {what} is under way", "wait for it to end"
            ) from error
        yield
    finally:
        os.close(descriptor)
