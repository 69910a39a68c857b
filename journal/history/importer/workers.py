"""Read transcripts in several processes, their results in the order of the files.

Invariant: results are those of one process. What a worker did not deliver, because it died, is left
to the caller.
"""

import fcntl
import os
import select
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Never

from journal.history.importer.find import Transcript

_WORTH = 8 * 1024 * 1024  # minimum bytes to start processes for
_MOST = 4
_TASK = 2 * 1024 * 1024  # minimum bytes of a task for a worker
_AHEAD = 8  # maximum tasks given to workers, whose results wait in memory
_PIPE = 1024 * 1024  # bytes that wait in a pipe, where the system can be asked for as many
_NUMBER = 4  # bytes of the number of a task and of the size of its result


def worker_count(items: Sequence[Transcript]) -> int:
    """Return how many processes to start for reading; 0 to read in this one."""
    if sum(item.size for item in items) < _WORTH or not hasattr(os, "fork"):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = min(cores or 1, len(items), _MOST)
    return count if count > 1 else 0


def from_workers(
    work: Callable[[list[Transcript]], bytes], items: Sequence[Transcript], count: int
) -> Generator[bytes]:
    """Yield what `work` returns for one group of the files after the other, from `count` processes.

    They are forked, so that what `work` needs is not sent to them. It ends before the last group if
    a process dies or cannot be started; without processes it yields nothing.
    """
    tasks = list(_tasks(items)) if count else []
    numbers, more = os.pipe()  # each worker takes the next number
    workers: dict[int, int] = {}  # where the results of each come from → its process
    try:
        _start(workers, count, lambda number: work(tasks[number]), (numbers, more))
        yield from _results(list(workers), len(tasks), more)
    except (EOFError, OSError):
        pass  # a worker died, or none could be started
    finally:
        for descriptor in (numbers, more, *workers):
            os.close(descriptor)
        for pid in workers.values():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _start(
    workers: dict[int, int], count: int, work: Callable[[int], bytes], pipe: tuple[int, int]
) -> None:
    """Add processes that do the tasks whose numbers a pipe has."""
    parent = os.getpid()
    numbers, more = pipe
    for _ in range(count):
        results, write = os.pipe()
        try:
            if hasattr(fcntl, "F_SETPIPE_SZ"):
                with suppress(OSError):
                    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, _PIPE)
            pid = os.fork()
            if not pid:
                for descriptor in (more, results, *workers):
                    os.close(descriptor)
                _serve(work, numbers, write, parent)
            workers[results] = pid
        finally:
            os.close(write)


def _results(pipes: list[int], count: int, more: int) -> Iterator[bytes]:
    """Yield the results of tasks in order; give a few numbers of tasks ahead."""
    found: dict[int, bytes] = {}
    given = 0
    for number in range(count):
        while given < min(number + _AHEAD, count):
            os.write(more, given.to_bytes(_NUMBER, "big"))
            given += 1
        while number not in found:
            for pipe in select.select(pipes, (), ())[0]:
                done = int.from_bytes(_read(pipe, _NUMBER), "big")
                found[done] = _read(pipe, int.from_bytes(_read(pipe, _NUMBER), "big"))
        yield found.pop(number)


def _read(descriptor: int, size: int) -> bytes:
    """Read so many bytes from a pipe. Raise EOFError if it ends before."""
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _tasks(items: Iterable[Transcript]) -> Iterator[list[Transcript]]:
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


def _serve(work: Callable[[int], bytes], numbers: int, results: int, parent: int) -> Never:
    """Do the tasks whose numbers a pipe has, in a worker process, and exit."""
    try:
        for kind in (signal.SIGINT, signal.SIGTERM):  # no traceback on the terminal
            signal.signal(kind, signal.SIG_DFL)
        _end_with_parent(parent)
        with os.fdopen(results, "wb") as pipe:
            while number := os.read(numbers, _NUMBER):
                data = work(int.from_bytes(number, "big"))
                pipe.write(number + len(data).to_bytes(_NUMBER, "big"))
                pipe.write(data)
                pipe.flush()
    finally:  # whatever it was: the other process reads what is missing
        os._exit(1)


def _end_with_parent(parent: int) -> None:
    """End this process soon after the one that started it was killed."""

    def end(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
