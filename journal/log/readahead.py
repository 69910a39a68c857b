"""A second process that checks blocks of a long segment before the reader comes to them.

It takes the same bites of the file as the reader, looks at those the reader has not reached yet,
and tells of each in which every line is a whole record in its place. Invariant: it only saves the
reader the same look at the same bytes: what it tells names the block's checksum, the rest of a
line carried into it and the first seq, and counts where all of them are what the reader has.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Dense = Callable[[list[bytes], int], bool]

__all__ = ["LEAST", "Ahead"]

LEAST = 32 * 1024 * 1024  # bytes still to read for which a process is worth its start
_LEAD = 3  # blocks between the reader and the one that is taken next
_NICE = 5  # where there is no time to spare, others have it
_IDLE = 0.5  # processors that must have been idle, of late and beside this process
_TOLD = struct.Struct("<QIIQI")  # block, its CRC, CRC of what is carried into it, first seq, lines
_SPAN = 64 * 1024  # a line is never longer: where it began is looked for that far back


class Ahead:
    """The checker for one file. Make it with `of`; `close` it."""

    def __init__(self, path: str, size: int, dense: Dense) -> None:
        self._shared = mmap.mmap(-1, 8)
        self._reached = memoryview(self._shared).cast("Q")  # the block the reader is at
        self._told: dict[int, tuple[int, int, int, int]] = {}
        self._rest = b""
        self._pipe, write = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            try:
                os.close(self._pipe)
                os.nice(_NICE)
                _help(path, size, dense, self._reached, write)
            finally:
                os._exit(0)
        os.close(write)
        os.set_blocking(self._pipe, False)

    @classmethod
    def of(cls, path: str, size: int, left: int, dense: Dense) -> Ahead | None:
        """Start a checker; None where it would not help or is not safe."""
        threading = sys.modules.get("threading")
        alone = threading is None or threading.active_count() == 1
        if left < LEAST or not alone or not hasattr(os, "sched_getaffinity"):
            return None
        if len(os.sched_getaffinity(0)) - os.getloadavg()[0] < _IDLE:
            return None  # nobody has the time to help
        try:
            return cls(path, size, dense)
        except OSError:
            return None

    def checked(self, block: int, data: bytes, carried: bytes, first: int, count: int) -> bool:
        """Whether the checker found `count` records from `first` on in these very bytes."""
        self._reached[0] = block
        self._take()
        told = self._told.pop(block, None)
        return told is not None and told == (zlib.crc32(data), zlib.crc32(carried), first, count)

    def _take(self) -> None:
        """Take what was told; nobody waits for it."""
        try:
            self._rest += os.read(self._pipe, 64 * 1024)
        except (BlockingIOError, InterruptedError):
            return
        whole = len(self._rest) - len(self._rest) % _TOLD.size
        for block, *told in _TOLD.iter_unpack(self._rest[:whole]):
            self._told[block] = (told[0], told[1], told[2], told[3])
        self._rest = self._rest[whole:]

    def close(self) -> None:
        """End the checker."""
        os.close(self._pipe)
        try:
            os.kill(self._pid, signal.SIGKILL)
        except ProcessLookupError:  # pragma: no cover (nobody else waits for it)
            return
        os.waitpid(self._pid, 0)
        self._reached.release()
        self._shared.close()


def _help(path: str, size: int, dense: Dense, reached: memoryview, pipe: int) -> None:
    """Check one block after the other, never one that the reader is about to check itself."""
    block = 0
    with open(path, "rb", buffering=0) as file:
        end = os.fstat(file.fileno()).st_size // size
        while True:
            block = max(block + 1, reached[0] + _LEAD)
            if block >= end:
                return
            told = _look(file.fileno(), block, size, dense)
            os.write(pipe, _TOLD.pack(block, *(told or (0, 0, 0, 0))))


def _look(file: int, block: int, size: int, dense: Dense) -> tuple[int, int, int, int] | None:
    """Give what is told of a block; None where something in it is odd."""
    start = max(0, block * size - _SPAN)
    before = os.pread(file, block * size - start, start)
    carried = before[before.rfind(b"\n") + 1 :]
    data = os.pread(file, size, block * size)
    lines = (carried + data).split(b"\n")
    lines.pop()
    number = lines[0][7 : lines[0].find(b",", 7)] if lines else b""
    if len(carried) == len(before) or len(data) < size or not number.isdigit():
        return None
    if not dense(lines, int(number)):
        return None
    return zlib.crc32(data), zlib.crc32(carried), int(number), len(lines)
