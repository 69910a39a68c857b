"""Append records to a log, atomically with respect to every other writer.

A writer takes the lock, reads the tail, ends a torn line, writes once, rolls a short write back,
and waits for the disk at a barrier. Invariant: `seq` is dense and comes from the log itself, under
the lock, so no counter file can be out of date; a killed process loses no acknowledged record.
"""

from __future__ import annotations

import fcntl
import os
import time

from journal.errors import JournalOffError, LinkedError, off_error
from journal.files import open_regular
from journal.home import check_directory, ensure_directory
from journal.log.record import (
    ACTIVE,
    FORMAT,
    WINDOW,
    Prepared,
    is_whole,
    numbered,
    prepare_all,
    seq_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

SEGMENT_LIMIT = 64 * 1024 * 1024
_OPENING = 192  # bytes at the beginning of a segment that say its format
_FORMAT = b'"format":%d,' % FORMAT
DEADLINE = 0.25  # seconds a hook waits for the lock before it spools
PATIENCE = 5.0  # seconds a command waits for it

BARRIERS = ("compact.", "stage.", "progress.")
_BARRIER_TYPES = frozenset(
    "compound.ran session.ended flow.trimmed journal.repaired journal.redacted "
    "journal.collected".split()
)

_APPENDING = os.O_RDWR | os.O_APPEND | os.O_CREAT
_EXCLUSIVE = fcntl.LOCK_EX | fcntl.LOCK_NB


class Busy(Exception):  # noqa: N818 (a state, not a fault)
    """Another process held the lock until the deadline."""


def is_barrier(kind: str) -> bool:
    """Return whether an event of this type waits for the disk."""
    return kind in _BARRIER_TYPES or kind.startswith(BARRIERS)


class Writer:
    """The log in `directory`, locked while the `with` block runs.

    last_seq: seq of the last record. size: bytes of the active segment. tail: its last 64 KiB when
    it was opened. torn: the segment ends in a line that a killed writer left incomplete.
    overlapped: another writer appended at the same time, so the lock excludes nobody.

    Args:
        directory: of the log.
        now: ISO time for events without one.
        sync: when to wait for the disk: "barrier", "none" or "always", see FORMAT.md.
        deadline: seconds to wait for the lock.
        checked: never reuse a seq that a checkpoint has seen, though the log has lost its end. A
            hook checks that itself, if its snapshot does not fit.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: nothing can be written.

    """

    def __init__(
        self,
        directory: str,
        now: str,
        *,
        sync: str = "barrier",
        deadline: float = DEADLINE,
        checked: bool = True,
    ) -> None:
        self.directory = directory
        self.now = now
        self.sync = sync
        self.deadline = deadline
        self._checked = checked
        self.path = f"{directory}/{ACTIVE}"
        self.last_seq = 0
        self.size = 0
        self.tail = b""
        self.overlapped = False
        self.torn = False
        self._fd = -1
        self._lock = -1

    def __enter__(self) -> Writer:  # noqa: PYI034 (Self would cost the import of typing)
        try:
            ensure_directory(self.directory)
            check_directory(self.directory.rpartition("/")[0] or "/")
            self._take_lock()
            self._open_active()
            if self._checked:
                from journal.log.reached import seen_seq

                self.skip_to(seen_seq(self.directory))
            self._drain_spool()
            if self.size >= SEGMENT_LIMIT:
                self._roll_if_possible()
        except OSError as error:
            self.close()
            raise off_error(self.path, error) from error
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files and release the lock. Closing twice is harmless."""
        active, lock = self._fd, self._lock
        self._fd = self._lock = -1
        if active >= 0:
            os.close(active)
        if lock >= 0:
            os.close(lock)

    def append(self, *events: dict[str, Any] | Prepared) -> list[int]:
        """Redact, frame and write `events` (fields from `type` on) in one write; return their seqs.

        Raises:
            JournalOffError: nothing was written, a short write is rolled back; with `recorded`, all
                of them were written, but the disk did not confirm it.

        """
        first = seq = self.last_seq + 1
        lines = [b"\n"] if self.torn else []
        wait = self.sync == "always"
        may_wait = self.sync == "barrier"
        for event in prepare_all(events, self.now):
            wait = wait or (may_wait and is_barrier(event.type))
            lines.append(numbered(seq, event.body))
            seq += 1
        try:
            self._write(lines[0] if len(lines) == 1 else b"".join(lines))
        except OSError as error:
            raise off_error(self.path, error) from error
        self.last_seq = max(self.last_seq, seq - 1)
        self.torn = False
        if wait:
            try:
                self.wait_for_disk()
            except OSError as error:
                what = f"is written, but the disk did not confirm it: {error.strerror}"
                off = JournalOffError(self.path, what, "check that disk, then run: journal verify")
                off.recorded = True
                raise off from error
        return list(range(first, seq))

    def roll(self) -> str:
        """Seal the active segment under its final name and open the next; return that name."""
        from journal.log.active import roll

        return roll(self)

    def end_line(self) -> None:
        """End the line that a killed writer left incomplete, if no append has done so."""
        if self.torn:
            self._write(b"\n")
        self.torn = False

    def skip_to(self, seq: int) -> None:
        """Never use the seqs up to this one: records had them, even if those are lost."""
        self.last_seq = max(self.last_seq, seq)

    def reopen(self) -> None:
        """Open the active segment again after its file was replaced or renamed.

        Seqs that were used before are not used again, even if their records are lost.
        """
        used = self.last_seq
        os.close(self._fd)
        self._fd = -1
        self._open_active()
        self.skip_to(used)

    def end(self) -> int:
        """Return the size of the active segment now, whoever wrote to it."""
        return os.fstat(self._fd).st_size

    def read(self, offset: int, length: int) -> bytes:
        """Read bytes of the active segment."""
        return os.pread(self._fd, length, offset)

    def wait_for_disk(self) -> None:
        """Wait until the active segment is on the disk."""
        os.fdatasync(self._fd)

    # -- opening ---------------------------------------------------------------------------------

    def _take_lock(self) -> None:
        path = f"{self.directory}/lock"
        give_up = 0.0
        pause = 0.0002
        while True:
            if self._lock < 0:
                self._lock = open_regular(path, os.O_RDWR | os.O_CREAT, linked=True)
            try:
                fcntl.flock(self._lock, _EXCLUSIVE)
            except (BlockingIOError, PermissionError, InterruptedError):
                pass  # another process has it
            else:
                if os.fstat(self._lock).st_nlink:
                    return
                os.close(self._lock)  # the file was removed: its lock excludes nobody
                self._lock = -1
                continue
            now = time.monotonic()
            give_up = give_up or now + self.deadline
            if now >= give_up:
                raise Busy(self.directory)
            time.sleep(pause)
            pause = min(pause * 2, 0.004)

    def _open_active(self) -> None:
        try:
            self._fd = open_regular(self.path, _APPENDING)
        except LinkedError:
            from journal.log.active import part_from_link

            self._fd = open_regular(self.path, _APPENDING, linked=True)
            self._find_end()
            part_from_link(self)
            return
        self._find_end()

    def _find_end(self) -> None:
        self.size = os.lseek(self._fd, 0, os.SEEK_END)
        self.torn = False
        self.tail = self._read_tail()
        head = self.tail if self.size <= WINDOW else os.pread(self._fd, _OPENING, 0)
        if b'"type":"segment.opened"' in head[:_OPENING] and _FORMAT not in head[:_OPENING]:
            self._check_format(head[:_OPENING])
        if not (self.size and self._find_last()):
            # A new segment, or one with a damaged end.
            from journal.log.active import find_end

            find_end(self)

    def _check_format(self, head: bytes) -> None:
        """Raise JournalOffError if a later version began the segment, in a format of its own."""
        number = head.partition(b'"format":')[2].partition(b",")[0]
        if number.isdigit():
            what = f"is of format {number.decode()}; this version of the journal writes {FORMAT}"
            raise JournalOffError(self.path, what, "upgrade this copy of the journal")

    def _drain_spool(self) -> None:
        """Append the events that other writers could not append and left beside the log."""
        try:
            is_waiting = os.lstat(f"{self.directory}/missed").st_size > 0
        except FileNotFoundError:
            is_waiting = False
            if not self._checked:  # a hook: it may need the file when a full XFS takes no new one
                from journal.log.counter import MISSED, add_to

                add_to(self.directory, MISSED, 0)
        if is_waiting or os.access(f"{self.directory}/spool", os.F_OK):
            from journal.log.spool import drain

            if drain(self):
                self.tail = self._read_tail()

    def _read_tail(self) -> bytes:
        return os.pread(self._fd, WINDOW, max(0, self.size - WINDOW))

    def _find_last(self) -> bool:
        """Find the last record where it usually is: a whole line that follows its predecessor.

        Return False if it is not there. A line has at most CAP bytes, so the tail has at least
        three records.
        """
        tail = self.tail
        if tail[-1:] != b"\n":
            return False
        cut = tail.rfind(b"\n", 0, -1)
        line = tail[cut + 1 : -1]
        if (cut < 0 and self.size > len(tail)) or not is_whole(line):
            return False
        seq = seq_of(line)
        previous = tail.rfind(b"\n", 0, max(cut, 0))
        # There is no predecessor, or it is before the tail.
        alone = previous < 0 and (self.size > len(tail) or cut < 0)
        if alone or tail.startswith(b'{"seq":%d,' % (seq - 1), previous + 1):
            self.last_seq = seq
            return seq >= 0
        return False

    # -- writing ---------------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        try:
            written = os.write(self._fd, data)
        except OSError:
            self._roll_back(data)
            raise
        if written < len(data):
            self._roll_back(data)
            from errno import ENOSPC

            raise OSError(ENOSPC, f"the disk took {written} of {len(data)} bytes")
        self.size += written
        if os.lseek(self._fd, 0, os.SEEK_CUR) != self.size:
            from journal.log.active import after_overlap

            after_overlap(self)

    def _roll_back(self, data: bytes) -> None:
        """Remove the bytes of a failed write; no reader has taken them for a record."""
        size = os.fstat(self._fd).st_size
        if size > self.size:
            try:
                rest = os.pread(self._fd, size - self.size, self.size)
                if data.startswith(rest):  # otherwise another writer appended meanwhile
                    os.ftruncate(self._fd, self.size)
                    return
            except OSError:
                pass
            self.size = size
            self.torn = True  # it stays, on a line of its own

    def _roll_if_possible(self) -> None:
        try:
            self.roll()
        except OSError:
            if self._fd < 0:
                raise  # otherwise the segment just grows
