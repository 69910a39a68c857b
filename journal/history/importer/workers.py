"""Several processes that read transcripts at once, their chunks given in the order of the files.

Invariant: what comes out is what one process would give, but that a fact may come more than once; a
worker that dies costs time, not a fact: its files are read here.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from journal.history.importer.reader import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from journal.history.importer.find import Transcript
    from journal.history.importer.reader import Reading

__all__ = ["Workers", "worth"]

_WORTH = 8 * 1024 * 1024  # bytes to read that are worth starting processes for
_MOST = 4
_PIPE = 1024 * 1024  # bytes a worker may be ahead
_SET_SIZE = 1031  # F_SETPIPE_SZ; fcntl names it from 3.10 on, on Linux alone
_LENGTH = struct.Struct("<I")


def worth(items: list[Transcript]) -> int:
    """How many processes are worth it; 0 to read in this one."""
    if sum(item.size for item in items) < _WORTH or not hasattr(os, "fork"):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = min(cores or 1, len(items), _MOST)
    return count if count > 1 else 0


class Workers:
    """Processes that read `items` between them."""

    def __init__(self, reading: Reading, items: list[Transcript], count: int) -> None:
        self.reading = reading
        self._of: list[int] = []  # item → worker
        shares: list[list[Transcript]] = [[] for _ in range(count)]
        load = [0] * count
        for item in items:
            least = load.index(min(load))
            load[least] += item.size + 4096
            shares[least].append(item)
            self._of.append(least)
        self._items = items
        self._streams: list[Any] = []
        self._pids: list[int] = []
        for share in shares:
            self._start(share)

    def files(self) -> Iterator[tuple[Transcript, Iterator[Chunk]]]:
        """Give every file with its chunks, which are to be used up before the next."""
        for item, worker in zip(self._items, self._of, strict=True):
            yield item, self._chunks(item, worker)

    def close(self) -> None:
        """End what still runs."""
        for stream in self._streams:
            stream.close()  # whoever writes on is ended by that
        for pid in self._pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGTERM)
            with suppress(OSError):
                os.waitpid(pid, 0)
        self._pids.clear()

    def _chunks(self, item: Transcript, worker: int) -> Iterator[Chunk]:
        stream = self._streams[worker]
        decode = msgspec.msgpack.Decoder(Chunk).decode
        while True:
            try:
                head = stream.read(_LENGTH.size)
                chunk = decode(stream.read(_LENGTH.unpack(head)[0]))
            except (struct.error, msgspec.DecodeError):
                # It died. What it told of this file comes again, and is known by then.
                yield from self.reading.afresh().file(item)
                return
            yield chunk
            if chunk.end is not None:
                return

    def _start(self, share: list[Transcript]) -> None:
        ours, theirs = os.pipe()
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.fcntl(theirs, _SET_SIZE, _PIPE)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for stream in self._streams:
                    os.close(stream.fileno())
                os.close(ours)
                _work(self.reading, share, theirs)
                code = 0
            finally:
                os._exit(code)
        os.close(theirs)
        self._pids.append(pid)
        self._streams.append(os.fdopen(ours, "rb", buffering=_PIPE))


def _work(reading: Reading, share: list[Transcript], descriptor: int) -> None:
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    encode = msgspec.msgpack.Encoder().encode
    with suppress(BrokenPipeError), os.fdopen(descriptor, "wb", buffering=0) as out:
        for item in share:
            for chunk in reading.file(item):
                data = encode(chunk)
                view = memoryview(_LENGTH.pack(len(data)) + data)
                while view:
                    view = view[out.write(view) :]


def _leave(_signal: int, _frame: FrameType | None) -> None:
    os._exit(1)
