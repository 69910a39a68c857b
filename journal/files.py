"""Open and read regular files, with a size limit, and find lines from the end of their bytes.

Invariant: no function waits for a FIFO or a device, or follows a link unless the caller asks.
"""

from __future__ import annotations

import os
import stat

from journal.errors import JournalOffError, LinkedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SAFE = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_BLOCK = 16 * 1024 * 1024  # `os.read` reserves as much memory as it may return
_OURS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def open_regular(path: str, flags: int, *, linked: bool = False) -> int:
    """Open a file of the journal home (mode 0600 if `flags` create it); return its descriptor.

    linked: allow a second hard link, for callers that do not write to the file, or whose file is of
    no use in a backup.

    Raises:
        JournalOffError: another user owns the file, or it is not a regular file.
        LinkedError: it has a second hard link.
        OSError: as `os.open`; ELOOP for a symbolic link.

    """
    descriptor = os.open(path, flags | _OURS, 0o600)
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
        os.close(descriptor)
        raise JournalOffError(path, "is not a plain file of this user", f"check it: ls -l {path}")
    if facts.st_nlink > 1 and not linked:
        os.close(descriptor)
        raise LinkedError(path, "has a second hard link", f"check it: ls -l {path}")
    return descriptor


def open_readable(path: str, *, follow: bool = False) -> int:
    """Open any user's regular file for reading; return its descriptor.

    Raises OSError: ELOOP for a link unless `follow`; EINVAL for a FIFO, device, directory or an
    impossible path.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFE | (0 if follow else os.O_NOFOLLOW))
    except ValueError as error:  # a NUL or a lone surrogate in the path
        from errno import EINVAL  # imported only for errors, here and below

        raise OSError(EINVAL, "no path of a file", path) from error
    return _regular(descriptor, path)


def open_foreign(path: str, flags: int, mode: int) -> int:
    """Open any user's regular file (mode `mode` if `flags` create it); return its descriptor.

    Raises OSError: ELOOP for a link; EINVAL for a FIFO or a device.
    """
    return _regular(os.open(path, flags | _SAFE | os.O_NOFOLLOW, mode), path)


def _regular(descriptor: int, path: str) -> int:
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    from errno import EINVAL

    raise OSError(EINVAL, "not a regular file", path)


def is_inside(path: str, directory: str) -> bool:
    """Return whether `path`, with links resolved, is in `directory`; False if one is no path."""
    try:
        root = os.path.realpath(directory)
        return f"{os.path.realpath(path)}{os.sep}".startswith(root.rstrip(os.sep) + os.sep)
    except (OSError, ValueError):  # ValueError: a NUL in a path
        return False


def relative_to(root: str, path: str) -> str:
    """Return a path relative to a directory if it is below it, else as it is. Resolves no link."""
    return os.path.relpath(path, root) if root and path.startswith(root + os.sep) else path


def read_limited(descriptor: int, limit: int) -> bytes:
    """Read an open file from its position to its end; OSError (EFBIG) past `limit` bytes."""
    data = b""
    while block := os.read(descriptor, min(limit + 1 - len(data), _BLOCK)):
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


def read_tail(path: str, most: int) -> bytes:
    """Read the last `most` bytes of a regular file; OSError as `open_readable`."""
    descriptor = open_readable(path)
    try:
        return os.pread(descriptor, most, max(0, os.fstat(descriptor).st_size - most))
    finally:
        os.close(descriptor)


def last_lines(path: str, most: int = 1024 * 1024) -> list[bytes]:
    """Return the complete lines in the last `most` bytes of a file; [] if it cannot be read."""
    try:
        data = read_tail(path, most)
    except OSError:
        return []
    return (data if len(data) < most else data[data.find(b"\n") + 1 :]).splitlines()


def lines_back(data: bytes, needles: tuple[bytes, ...], low: int = 0) -> Iterator[bytes]:
    """Yield the lines of data[low:] that contain a needle, last first; linear in the data."""
    hits = [data.rfind(needle, low) for needle in needles]
    while (hit := max(hits)) >= 0:
        start = data.rfind(b"\n", low, hit) + 1 or low
        end = data.find(b"\n", hit)
        yield data[start:] if end < 0 else data[start:end]
        hits = [
            at if at < start else data.rfind(needle, low, start)
            for at, needle in zip(hits, needles, strict=True)
        ]
