"""Open, read and replace single files: regular ones only, bounded, whole or not at all.

Invariant: nothing here waits for a FIFO or a device, a link is followed only where the caller asks
for it, and a reader sees the old content of a replaced file or the new one, never a part.
"""

from __future__ import annotations

import errno
import os
import stat
from _thread import get_ident

from journal.errors import JournalOffError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO

__all__ = [
    "Replacement",
    "open_readable",
    "open_regular",
    "read_limited",
    "read_regular",
    "sync_directory",
    "write_atomic",
]

_SAFE = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_OURS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def open_regular(path: str, flags: int) -> int:
    """Open a file of the journal home (made 0600 where `flags` create it) and return its number.

    Raises JournalOffError for a file of another user or one with a second hard link, and for what
    is no regular file; OSError as `os.open` does, ELOOP for a link.
    """
    descriptor = os.open(path, flags | _OURS, 0o600)
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_nlink > 1:
        os.close(descriptor)
        raise JournalOffError(path, "is not a plain file of this user", f"look at it: ls -l {path}")
    return descriptor


def open_readable(path: str, *, follow: bool = False) -> int:
    """Open a regular file of anybody for reading and return its number.

    Raises OSError: ELOOP for a link unless `follow`, EINVAL for a FIFO, device or directory and
    for a path no file can have.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFE | (0 if follow else os.O_NOFOLLOW))
    except ValueError as error:  # a NUL or a lone surrogate in the path
        raise OSError(errno.EINVAL, "no path of a file", path) from error
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "not a regular file", path)


def read_limited(descriptor: int, limit: int) -> bytes:
    """Read an open file from its position to its end; OSError (EFBIG) past `limit` bytes."""
    data = b""
    while block := os.read(descriptor, limit + 1 - len(data)):
        data += block
        if len(data) > limit:
            raise OSError(errno.EFBIG, f"more than {limit} bytes")
    return data


def read_regular(path: str, limit: int, *, follow: bool = False) -> bytes:
    """Read a regular file of at most `limit` bytes; OSError as `open_readable`, EFBIG past it."""
    descriptor = open_readable(path, follow=follow)
    try:
        return read_limited(descriptor, limit)
    finally:
        os.close(descriptor)


def sync_directory(path: str) -> None:
    """Wait until the names in a directory are on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Replacement:
    """The next content of the file `path`, as a context manager that gives a binary file.

    It is written to `temporary` in the same directory (hidden, of this thread alone) and renamed
    onto `path` when the block ends; when the block raises, `path` stays as it was. A link at
    `path` is replaced, not followed.

    mode: of the new file, less the umask. sync: wait for the disk. dir_fd: the open directory
    both names are relative to.
    """

    def __init__(
        self, path: str, *, mode: int = 0o600, sync: bool = False, dir_fd: int | None = None
    ) -> None:
        folder, name = os.path.split(path)
        self.path = path
        self.temporary = os.path.join(folder, f".{name}.{os.getpid()}-{get_ident():x}.tmp")
        self._mode = mode
        self._sync = sync
        self._dir_fd = dir_fd

    def __enter__(self) -> IO[bytes]:
        self._file = os.fdopen(self._open(), "wb")
        return self._file

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            with self._file as file:
                if kind is None and self._sync:
                    file.flush()
                    os.fsync(file.fileno())
            if kind is None:
                os.replace(
                    self.temporary, self.path, src_dir_fd=self._dir_fd, dst_dir_fd=self._dir_fd
                )
        except BaseException:
            self._discard()
            raise
        if kind is not None:
            self._discard()

    def _open(self) -> int:
        try:
            return os.open(self.temporary, _NEW, self._mode, dir_fd=self._dir_fd)
        except FileExistsError:  # left by a process with our number that was killed
            self._discard()
            return os.open(self.temporary, _NEW, self._mode, dir_fd=self._dir_fd)

    def _discard(self) -> None:
        try:  # noqa: SIM105 (contextlib is one more module to load)
            os.unlink(self.temporary, dir_fd=self._dir_fd)
        except OSError:
            pass


def write_atomic(path: str, data: bytes, *, mode: int = 0o600, sync: bool = False) -> None:
    """Replace `path` by `data` in one rename. OSError where that fails; `path` is as it was."""
    with Replacement(path, mode=mode, sync=sync) as file:
        file.write(data)
    if sync:
        sync_directory(os.path.dirname(path) or os.curdir)
