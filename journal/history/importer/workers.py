"""Read transcripts in several processes; results come in the order of the files.

Invariant: the results are those of one process. If a worker dies, the caller reads the rest.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from journal.history.importer.find import Transcript

if TYPE_CHECKING:
    from concurrent.futures import Future

_WORTH = 8 * 1024 * 1024  # bytes of transcripts from which on an import starts processes
_MOST = 4
_TASK = 2 * 1024 * 1024  # minimum bytes of a task for a worker
_AHEAD = 8  # maximum tasks done ahead, whose results wait in memory

Work = Callable[[list[Transcript]], bytes]
_work: Work | None = None  # of a worker process


def worker_count(items: Sequence[Transcript], worth: int = _WORTH) -> int:
    """Return how many processes to start for reading; 0 for less than `worth` bytes."""
    if sum(item.size for item in items) < worth or not hasattr(os, "fork"):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = min(cores or 1, len(items), _MOST)
    return count if count > 1 else 0


def from_workers(work: Work, items: Sequence[Transcript], count: int) -> Generator[bytes]:
    """Run `work` on groups of the files in `count` processes; yield the results in order.

    The processes are forked, so they have all that `work` needs. The results end before the last
    group if a process dies or cannot be started; without processes there are none.
    """
    if not count:
        return
    # Loaded only here, because most reports start no processes.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(count, get_context("fork"), _start, (work,))
    try:
        ahead: deque[Future[bytes]] = deque()
        for task in _tasks(items):
            ahead.append(pool.submit(_do, task))
            if len(ahead) == _AHEAD:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    except (BrokenProcessPool, OSError):
        pass  # a worker died, or none could be started
    finally:
        pool.shutdown(cancel_futures=True)


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


def _start(work: Work) -> None:
    """Prepare a worker process."""
    global _work  # noqa: PLW0603 (set once per worker process)
    _work = work
    for kind in (signal.SIGINT, signal.SIGTERM):  # no traceback on the terminal
        signal.signal(kind, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the process that started it was killed."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _do(task: list[Transcript]) -> bytes:
    assert _work is not None
    return _work(task)
