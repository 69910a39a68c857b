"""Open and read single files: regular ones only, and bounded.

Invariant: nothing here waits for a FIFO or a device, and a link is followed only where the caller
asks for it.
"""

from __future__ import annotations

import os
import stat

from journal.errors import JournalOffError, LinkedError

__all__ = [
    "is_inside",
    "open_readable",
    "open_regular",
    "read_limited",
    "read_regular",
    "read_tail",
]

_SAFE = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_OURS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def open_regular(path: str, flags: int, *, linked: bool = False) -> int:
    """Open a file of the journal home (made 0600 where `flags` create it) and return its number.

    linked: a second hard link is fine, because the caller changes nothing in the file.

    Raises JournalOffError for a file of another user and for what is no regular file; LinkedError
    for one with a second hard link; OSError as `os.open` does, ELOOP for a symbolic link.
    """
    descriptor = os.open(path, flags | _OURS, 0o600)
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
        os.close(descriptor)
        raise JournalOffError(path, "is not a plain file of this user", f"look at it: ls -l {path}")
    if facts.st_nlink > 1 and not linked:
        os.close(descriptor)
        raise LinkedError(path, "has a second hard link", f"look at it: ls -l {path}")
    return descriptor


def open_readable(path: str, *, follow: bool = False) -> int:
    """Open a regular file of anybody for reading and return its number.

    Raises OSError: ELOOP for a link unless `follow`, EINVAL for a FIFO, device or directory and
    for a path no file can have.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFE | (0 if follow else os.O_NOFOLLOW))
    except ValueError as error:  # a NUL or a lone surrogate in the path
        from errno import EINVAL  # here and below: only a fault loads it

        raise OSError(EINVAL, "no path of a file", path) from error
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    from errno import EINVAL

    raise OSError(EINVAL, "not a regular file", path)


def is_inside(path: str, directory: str) -> bool:
    """Return whether `path`, its links followed, is below `directory`."""
    root = os.path.realpath(directory)
    return os.path.realpath(path).startswith(root.rstrip(os.sep) + os.sep)


def read_limited(descriptor: int, limit: int) -> bytes:
    """Read an open file from its position to its end; OSError (EFBIG) past `limit` bytes."""
    data = b""
    while block := os.read(descriptor, limit + 1 - len(data)):
        data += block
        if len(data) > limit:
            from errno import EFBIG

            raise OSError(EFBIG, f"more than {limit} bytes")
    return data


def read_regular(path: str, limit: int, *, follow: bool = False) -> bytes:
    """Read a regular file of at most `limit` bytes; OSError as `open_readable`, EFBIG past it."""
    descriptor = open_readable(path, follow=follow)
    try:
        return read_limited(descriptor, limit)
    finally:
        os.close(descriptor)


def read_tail(path: str, most: int, *, follow: bool = False) -> bytes:
    """Read the last `most` bytes of a regular file; OSError as `open_readable`."""
    descriptor = open_readable(path, follow=follow)
    try:
        return os.pread(descriptor, most, max(0, os.fstat(descriptor).st_size - most))
    finally:
        os.close(descriptor)
