"""The lock: a stopped holder never hangs Claude Code; spooled events are appended once, in order."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from journal.log.append import Busy, Writer

from .book import NOW, Book

HOLDER = """
import sys
sys.path.insert(0, sys.argv[1])
from journal.log.append import Writer
with Writer(sys.argv[2], sys.argv[3]):
    print("held", flush=True)
    sys.stdin.read()
"""


def _holder(book: Book) -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[3]
    holder = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HOLDER, str(root), book.directory, NOW],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    return holder


def _end(holder: subprocess.Popen[bytes]) -> None:
    holder.kill()
    holder.communicate()


def _event(text: str, **more: str) -> dict[str, object]:
    return {"type": "note", "v": 1, "sid": "s", "text": text, **more}


def test_the_lock_of_a_removed_file_excludes_nobody(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer whose lock file is removed before it has the lock takes that of the new file."""
    book.fill(1)
    path, lock = Path(book.directory, "lock"), fcntl.flock

    def removed(descriptor: int, operation: int) -> None:
        monkeypatch.undo()
        path.unlink()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", removed)
    with Writer(book.directory, NOW), pytest.raises(Busy):
        Writer(book.directory, NOW, deadline=0).__enter__()


def test_a_stopped_holder_makes_others_busy_and_a_dead_one_does_not(book: Book) -> None:
    """Past the deadline a writer gives up; the kernel frees the lock of a killed holder."""
    book.fill(1)
    holder = _holder(book)
    try:
        holder.send_signal(signal.SIGSTOP)
        start = time.monotonic()
        with pytest.raises(Busy), Writer(book.directory, NOW, deadline=0.05):
            pass
        waited = time.monotonic() - start
        assert waited >= 0.05
        assert waited < 5, "a deadline that is no deadline"
    finally:
        _end(holder)
    assert book.write("after")


def test_a_holder_that_ends_in_time_is_waited_for(book: Book) -> None:
    """A lock released within the deadline is taken."""
    book.fill(1)
    holder = _holder(book)
    assert holder.stdin is not None
    child = os.fork()
    if child == 0:
        time.sleep(0.05)
        os.kill(holder.pid, signal.SIGKILL)
        os._exit(0)
    with Writer(book.directory, NOW, deadline=20) as writer:
        assert writer.append(_event("after"))
    os.waitpid(child, 0)
    _end(holder)


def test_a_removed_lock_file_does_not_split_the_lock(book: Book) -> None:
    """If the lock file was removed, the next writers share a new one."""
    book.fill(1)
    lock = Path(book.directory, "lock")
    with Writer(book.directory, NOW):
        lock.unlink()
    with Writer(book.directory, NOW) as first:
        first.append(_event("held"))
        with pytest.raises(Busy), Writer(book.directory, NOW, deadline=0.01):
            pass
