"""Helpers of commands that change existing segments: lock, translate errors, detect replacement."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from journal.errors import JournalError
from journal.files import open_regular
from journal.log.append import PATIENCE, Busy, Writer
from journal.log.record import ACTIVE


class ReplacedError(Exception):
    """A segment is another file now: another process sealed, compressed or replaced it."""


def check_same(facts: os.stat_result, path: str) -> None:
    """Raise ReplacedError if a path no longer leads to the file with this state."""
    with suppress(FileNotFoundError):
        if os.path.samestat(facts, os.stat(path)):
            return
    raise ReplacedError


@contextmanager
def as_journal_error(path: str, what: str, remedy: str) -> Iterator[None]:
    """Turn an OSError in the block into a JournalError: what failed, and what to do."""
    try:
        yield
    except OSError as error:
        raise JournalError(path, f"{what}: {error.strerror or error}", remedy) from error


@contextmanager
def locked(directory: str, now: str) -> Iterator[Writer]:
    """Hold a log's lock. Raise JournalError if another process holds it for `PATIENCE` seconds."""
    try:
        writer = Writer(directory, now, deadline=PATIENCE).__enter__()
    except Busy:
        remedy = "try again when that has ended"
        raise JournalError(directory, "is in use by another process", remedy) from None
    with closing(writer), as_journal_error(directory, "cannot be worked on", "run: journal doctor"):
        yield writer


def sync_active(directory: str) -> None:
    """Sync the active segment to the disk, so that sealing it does not do so under the lock."""
    with suppress(OSError, JournalError):
        descriptor = open_regular(os.path.join(directory, ACTIVE), os.O_RDONLY)
        try:
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)
