"""The cost of appending and reading, relative to the bare system calls and checksums."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import TAIL, frame

from .book import NOW, Book
from .test_processes import _fork, race

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.bench

EVENT = {"type": "tool.finished", "v": 1, "sid": "0f8fad5b-d9cb-469f-a165-70867728950e",
         "tool": "Bash", "target": "x" * 130, "ok": True, "ms": 812}  # fmt: skip


def _least(work: Callable[[], object], times: int) -> float:
    """Return the CPU seconds of the fastest of `times` runs; the others include outside noise."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def _interleaved(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    pairs = [(_least(one, 1), _least(other, 1)) for _ in range(30)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def _bare(directory: str, count: int) -> None:
    """Make the system calls of a locked append and nothing else."""
    for _ in range(count):
        lock = os.open(directory + "/lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = os.open(directory + "/bare", os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        size = os.fstat(file).st_size
        os.pread(file, 4096, max(0, size - 4096))
        os.write(file, b"x" * 300)
        os.close(file)
        os.close(lock)


def _appends(directory: str, count: int) -> None:
    for _ in range(count):
        with Writer(directory, NOW, sync="none") as writer:
            writer.append(EVENT)


def _large(book: Book, count: int) -> None:
    """Write a journal of `count` records directly."""
    book.fill(1)
    with book.active.open("ab") as file:
        for first in range(3, count + 1, 10_000):
            last = min(first + 10_000, count + 1)
            file.write(b"".join(frame(seq, {"ts": NOW, **EVENT}) for seq in range(first, last)))


def test_an_append_costs_little_more_than_its_system_calls(
    book: Book, figure: Callable[[str], None]
) -> None:
    """An append (open, lock, look back, frame, write, close) costs under six times the bare calls."""
    book.fill(1)
    ours, bare = _interleaved(
        lambda: _appends(book.directory, 300), lambda: _bare(book.directory, 300)
    )
    figure(f"{ours / 300 * 1e6:.1f} us ({300 / ours:,.0f}/s), {ours / bare:.1f} x the bare calls")
    assert ours < 6 * bare


def test_an_append_costs_the_same_in_a_large_journal(
    book: Book, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """An append to a log of 200,000 records costs the same as one to an empty log."""
    empty = Book(tmp_path / "empty")
    empty.fill(1)
    _large(book, 200_000)
    large, small = _interleaved(
        lambda: _appends(book.directory, 300), lambda: _appends(empty.directory, 300)
    )
    figure(f"{large / small:.2f} x an empty one")
    assert large < 1.25 * small


def test_sixteen_writers_are_not_much_slower_than_bare_appends(
    book: Book, figure: Callable[[str], None]
) -> None:
    """Sixteen processes append at over a fifth of the rate of sixteen that only lock and write."""
    ours, bare = [], []
    for _ in range(3):
        ours.append(16 * 1000 / race(book, 16, 1000))
        start = time.perf_counter()
        children = [_fork(lambda: _bare(book.directory, 1000)) for _ in range(16)]
        for child in children:
            os.waitpid(child, 0)
        bare.append(16 * 1000 / (time.perf_counter() - start))
    figure(f"{max(ours):,.0f} appends/s, {max(ours) / max(bare):.2f} of {max(bare):,.0f} bare ones")
    assert max(ours) > 0.2 * max(bare)
    assert Reader(book.directory).found.complete


def test_reading_costs_little_more_than_the_checksums(
    book: Book, figure: Callable[[str], None]
) -> None:
    """Reading (split, check, number, yield) costs under five times the CRC-32 alone."""
    _large(book, 100_000)
    lines = book.lines()
    bodies = [line[:-TAIL] for line in lines[:1000]]

    def checksums() -> None:
        for _ in range(100):
            list(map(zlib.crc32, bodies))

    def read() -> None:
        assert sum(map(len, Reader(book.directory).batches())) == 100_000

    ours, bare = _interleaved(read, checksums)
    figure(
        f"{100_000 / ours / 1e6:.2f} M records/s of {len(lines[50])} B, {ours / bare:.1f} x CRC alone"
    )
    assert ours < 5 * bare


def test_reading_takes_little_memory(book: Book, figure: Callable[[str], None]) -> None:
    """Reading 200,000 records takes less than 8 MiB more than starting to read."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from journal.log.read import Reader\n"
        "peak = lambda: int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
        "before = peak()\n"
        "count = sum(map(len, Reader(sys.argv[2]).batches()))\n"
        "print(count, peak() - before)\n"
    )
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc: the peak of a process cannot be seen")
    _large(book, 200_000)
    root = str(Path(__file__).parents[3])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script, root, book.directory],
                          capture_output=True, text=True, check=True)  # fmt: skip
    count, kib = map(int, done.stdout.split())
    figure(f"{kib / 1024:.1f} MiB more for {count:,} records")
    assert count == 200_000
    assert kib < 8 * 1024
