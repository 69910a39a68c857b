"""Explain why the journal cannot be written, and what to do. Imported only in that case."""

from __future__ import annotations

import errno

from journal.errors import JournalOffError


def off_error(path: str, error: OSError) -> JournalOffError:
    """Return the error that a writer raises for an OSError."""
    return JournalOffError(path, f"cannot be written: {error.strerror or error}", _remedy(error))


def _remedy(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space on that disk"
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return "make it writable, or set JOURNAL_HOME to a directory that is"
    if error.errno == errno.ELOOP:
        return "it is a symbolic link: put a real file or directory in its place"
    return "run: journal doctor"
