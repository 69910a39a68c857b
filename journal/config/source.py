"""Reading one small file that may have been put there by a stranger.

Invariant: a read is bounded, never waits (a FIFO, a device), and follows a symbolic link only when
told that it may.
"""

from __future__ import annotations

import errno
import os

from journal.files import read_regular

__all__ = ["LIMIT", "UnreadableError", "read"]

LIMIT = 256 * 1024  # bytes


class UnreadableError(Exception):
    """The file is there and is not read; the message says why, `remedy` what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


def read(path: str, *, follow: bool) -> bytes | None:
    """Return the content of a regular file of at most LIMIT bytes, None where there is none."""
    try:
        return read_regular(path, LIMIT, follow=follow)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnreadableError(*_reason(path, error.errno or 0, follow=follow)) from None


def _reason(path: str, code: int, *, follow: bool) -> tuple[str, str]:
    """Return what is wrong with a file, and what to do about it."""
    if not follow and os.path.islink(path):
        return "is a symbolic link and is not read", "put the file itself in its place"
    if code == errno.EINVAL:
        return "is not a regular file", "put a text file in its place, or remove it"
    if code == errno.EFBIG:
        return f"is larger than {LIMIT // 1024} KiB", "a configuration needs a few lines"
    return f"cannot be read: {os.strerror(code)}", "make it readable, or remove it"
