"""Replace files atomically.

Invariant: a reader sees the old content or the new one, never a part.
"""

from __future__ import annotations

import os
import time
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO

_HOUR = 3600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def sync_directory(path: str) -> None:
    """Sync a directory, so that its entries are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Replacement:
    """The new content of the file `path`: a context manager that yields a binary file.

    The content goes to `temporary`, a hidden file of this thread in the same directory, which is
    renamed to `path` at the end of the block. If the block raises, `path` stays unchanged. A link
    at `path` is replaced, not followed.

    mode: of the new file, less the umask. sync: wait for the disk. dir_fd: open directory that
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
        except FileExistsError:  # left behind by a killed process that had our id
            self._discard()
            return os.open(self.temporary, _NEW, self._mode, dir_fd=self._dir_fd)
        except OSError as error:
            error.filename = self.path  # the name that the caller knows
            raise

    def _discard(self) -> None:
        try:  # noqa: SIM105 (contextlib is one more module to load)
            os.unlink(self.temporary, dir_fd=self._dir_fd)
        except OSError:
            pass


def write_atomic(path: str, data: bytes, *, mode: int = 0o600, sync: bool = False) -> None:
    """Replace the content of `path` by `data`. Raises OSError and leaves `path` unchanged."""
    with Replacement(path, mode=mode, sync=sync) as file:
        file.write(data)
    if sync:
        sync_directory(os.path.dirname(path) or os.curdir)


def is_left_behind(name: str) -> bool:
    """Return whether a file name is that of a `temporary` whose process has ended."""
    from journal.process import is_running

    pid = name.removesuffix(".tmp").rpartition(".")[2].partition("-")[0]
    is_temporary = name.startswith(".") and name.endswith(".tmp") and pid.isdigit()
    return is_temporary and is_running(int(pid), 0) is False


def remove_left_behind(folder: str) -> None:
    """Remove the temporary files that killed processes left in a folder. Never raises OSError.

    Those of the last hour stay: a process in a container may be writing them.
    """
    from contextlib import suppress

    with suppress(OSError):
        for path in [entry.path for entry in os.scandir(folder) if is_left_behind(entry.name)]:
            if time.time() - os.lstat(path).st_mtime > _HOUR:
                os.unlink(path)
