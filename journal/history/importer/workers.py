"""Read transcripts in several processes, their chunks in the order of the files.

Invariant: the result is that of one process, except that a fact may come more than once. If a
worker dies, this process reads what it did not deliver.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process

import msgspec

from journal.history.importer.find import Transcript
from journal.history.importer.reader import Chunk, TranscriptReader

_WORTH = 8 * 1024 * 1024  # minimum bytes to start processes for
_MOST = 4
_TASK = 2 * 1024 * 1024  # minimum bytes of a task for a worker
_AHEAD = 8  # maximum tasks done ahead, whose facts wait in memory

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[list[Chunk]]).decode
_reader: TranscriptReader | None = None  # of a worker process


def worker_count(items: list[Transcript]) -> int:
    """Return how many processes to start for reading; 0 to read in this one."""
    if sum(item.size for item in items) < _WORTH or not hasattr(os, "fork"):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = min(cores or 1, len(items), _MOST)
    return count if count > 1 else 0


def read_files(
    reader: TranscriptReader, items: list[Transcript], count: int
) -> Generator[tuple[Transcript, Iterable[Chunk], bool]]:
    """Yield each file with its chunks, and whether its facts were compared with those before.

    A worker compares only with what it has read itself; the caller compares the rest.
    """
    done = 0
    if count:
        try:
            for data in _from_workers(reader, items, count):
                for chunks in _decode(data):
                    yield items[done], chunks, False
                    done += 1
        except (BrokenProcessPool, OSError):
            pass  # a worker died, or none could be started
    for item in items[done:]:
        yield item, reader.read(item), True


def _from_workers(reader: TranscriptReader, items: list[Transcript], count: int) -> Iterator[bytes]:
    """Yield the encoded chunks of each task's files, at most `_AHEAD` tasks done ahead."""
    # Forked, so that the keys recorded before need not be sent to each worker.
    pool = ProcessPoolExecutor(count, get_context("fork"), _start_worker, (reader,))
    try:
        ahead: deque[Future[bytes]] = deque()
        for task in _tasks(items):
            ahead.append(pool.submit(_read, task))
            if len(ahead) == _AHEAD:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _tasks(items: list[Transcript]) -> Iterator[list[Transcript]]:
    """Yield the files in order, small ones together."""
    task: list[Transcript] = []
    size = 0
    for item in items:
        task.append(item)
        size += item.size
        if size >= _TASK:
            yield task
            task, size = [], 0
    if task:
        yield task


def _start_worker(reader: TranscriptReader) -> None:
    global _reader  # noqa: PLW0603 (set once per worker process)
    _reader = reader
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback on the terminal
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the process that started it was killed."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _read(task: list[Transcript]) -> bytes:
    assert _reader is not None
    return _encode([list(_reader.read(item)) for item in task])
