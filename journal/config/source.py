"""Reading one small file that may have been put there by a stranger.

Invariant: a read is bounded, never waits (a FIFO, a device), and follows a symbolic link only when
told that it may.
"""

from __future__ import annotations

import os
import stat

__all__ = ["LIMIT", "UnreadableError", "read"]

LIMIT = 256 * 1024  # bytes


class UnreadableError(Exception):
    """The file is there and is not read; the message says why, `remedy` what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


def read(path: str, *, follow: bool) -> bytes | None:
    """Give the content of a regular file of at most LIMIT bytes, None where there is none."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if not follow and os.path.islink(path):
            raise UnreadableError(
                "is a symbolic link and is not read", "put the file itself in its place"
            ) from None
        raise UnreadableError(
            f"cannot be read: {os.strerror(error.errno or 0)}", "make it readable, or remove it"
        ) from None
    try:
        return _content(descriptor)
    except OSError as error:
        raise UnreadableError(
            f"cannot be read: {os.strerror(error.errno or 0)}", "make it readable, or remove it"
        ) from None
    finally:
        os.close(descriptor)


def _content(descriptor: int) -> bytes:
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        raise UnreadableError("is not a regular file", "put a text file in its place, or remove it")
    content = b""
    while len(content) <= LIMIT:
        piece = os.read(descriptor, LIMIT + 1 - len(content))
        if not piece:
            return content
        content += piece
    raise UnreadableError(
        f"is larger than {LIMIT // 1024} KiB", "a configuration needs a few lines"
    )
