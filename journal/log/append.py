"""Add records to a journal, atomically with respect to every other writer.

Lock, read the tail, heal a torn end, one write, roll a short write back, wait for the disk on a
barrier. Invariant: `seq` is dense and allocated under the lock from the last whole record, so no
counter file can go stale; an acknowledged record is never lost to a killed process.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time

from journal.home import ensure_directory
from journal.log import spool
from journal.log.record import CAP, fit, frame, is_whole, seq_of
from journal.problem import JournalOffError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

__all__ = ["ACTIVE", "BARRIERS", "FORMAT", "Busy", "Writer", "is_barrier", "open_regular"]  # fmt: skip

ACTIVE = "active.jsonl"
FORMAT = 1
WINDOW = 64 * 1024  # bytes looked back for the twin of a doubly registered hook call
_TAIL = 4096  # bytes read back for the last record; more only when they hold none
SEGMENT_LIMIT = 64 * 1024 * 1024
DEADLINE = 0.25  # seconds a hook waits for the lock before it spools

BARRIERS = ("compact.", "stage.", "progress.")
_BARRIER_TYPES = frozenset(("compound.ran", "session.ended", "journal.repaired", "flow.trimmed"))


class Busy(Exception):  # noqa: N818 (a state, not a fault)
    """The lock stayed taken past the deadline."""


def is_barrier(kind: str) -> bool:
    """Whether an event of this type waits for the disk."""
    return kind in _BARRIER_TYPES or kind.startswith(BARRIERS)


def open_regular(path: str, flags: int) -> int:
    """Open a file of ours (0600), refusing links, foreign owners and hard-linked files."""
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_nlink > 1:
        os.close(descriptor)
        raise JournalOffError(path, "is not a plain file of this user", f"look at it: ls -l {path}")
    return descriptor


class Writer:
    """The journal in `directory`, locked for as long as the `with` block lasts.

    last_seq: seq of the last record. size: bytes of the active segment.
    Raises Busy, or JournalOffError when nothing can be written.
    """

    def __init__(self, directory: str, now: str, *, sync: str = "barrier",
                 deadline: float = DEADLINE) -> None:  # fmt: skip
        self.directory = directory
        self.now = now
        self.sync = sync
        self.deadline = deadline
        self.path = os.path.join(directory, ACTIVE)
        self.last_seq = 0
        self.size = 0
        self.created = False
        self._torn = False
        self._fd = -1
        self._lock = -1

    def __enter__(self) -> Writer:
        try:
            ensure_directory(self.directory)
            self._take_lock()
            self._open_active()
            spool.drain(self)
        except OSError as error:
            self.close()
            raise JournalOffError(self.path, _reason(error), _remedy(error)) from error
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """Let the lock go. Closing twice is harmless."""
        for descriptor in (self._fd, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self._fd = self._lock = -1

    def append(self, *events: dict[str, Any]) -> list[int]:
        """Frame and write `events` (fields from `type` on) in one write; give their seqs.

        All of them or none: a short write is rolled back. JournalOffError says why nothing was
        written.
        """
        lines = []
        seq = self.last_seq
        for event in events:
            seq += 1
            lines.append(frame(seq, fit({"ts": self.now, **event}, CAP)))
        data = b"".join(lines)
        try:
            self._write(b"\n" + data if self._torn else data)
            if self.sync == "always" or (
                self.sync != "none" and any(is_barrier(event["type"]) for event in events)
            ):
                os.fdatasync(self._fd)
        except OSError as error:
            raise JournalOffError(self.path, _reason(error), _remedy(error)) from error
        first = self.last_seq + 1
        self.last_seq = seq
        self._torn = False
        return list(range(first, seq + 1))

    def roll(self) -> str:
        """Seal the active segment under its final name and open the next; give that name.

        Only a rename: compressing is `journal seal`, never a hook.
        """
        from journal.log.segment import first_seq_at, sealed_name, tail_digest

        name = sealed_name(first_seq_at(self._fd), self.last_seq)
        digest = tail_digest(self._fd, self.size)
        os.fdatasync(self._fd)
        os.rename(self.path, os.path.join(self.directory, name))
        os.close(self._fd)
        self._fd = os.open(
            self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
        )
        self.size, self._torn = 0, False
        self.append(self._opened(previous=name, digest=digest))
        self._sync_directory()
        return name

    def read(self, offset: int, length: int) -> bytes:
        """Bytes of the active segment, for whoever folds the tail under this lock."""
        return os.pread(self._fd, length, offset)

    # -- opening ---------------------------------------------------------------------------------

    def _take_lock(self) -> None:
        self._lock = open_regular(os.path.join(self.directory, "lock"), os.O_RDWR | os.O_CREAT)
        give_up = time.monotonic() + self.deadline
        pause = 0.00005
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                    raise
            else:
                return
            if time.monotonic() >= give_up:
                raise Busy(self.directory)
            time.sleep(pause)
            pause = min(pause * 2, 0.004)

    def _open_active(self) -> None:
        self._fd = open_regular(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        self.size = os.fstat(self._fd).st_size
        if self.size:
            self._read_tail()
        if self.last_seq:
            if self.size >= SEGMENT_LIMIT:
                self.roll()
            return
        from journal.log.segment import last_sealed

        name, self.last_seq = last_sealed(self.directory)
        self.created = not name
        self.append(self._opened(previous=name, digest=""))
        self._sync_directory()

    def _opened(self, previous: str, digest: str) -> dict[str, Any]:
        from journal.log.segment import journal_id

        return {
            "type": "segment.opened", "v": 1, "sid": "", "format": FORMAT,
            "journal": journal_id(self.directory, previous), "previous": previous,
            "last_seq": self.last_seq, "digest": digest,
        }  # fmt: skip

    def _read_tail(self) -> None:
        """Find the last whole record, reading back further only if the last 4 KiB hold none."""
        length = _TAIL
        while True:
            start = max(0, self.size - length)
            tail = os.pread(self._fd, self.size - start, start)
            self._torn = not tail.endswith(b"\n")
            end = len(tail)
            while end > 0:
                cut = tail.rfind(b"\n", 0, end)
                line = tail[cut + 1 : end]
                if is_whole(line):
                    self.last_seq = seq_of(line)
                    return
                end = cut
            if start == 0:
                return
            length *= 4

    # -- writing ---------------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        written = os.write(self._fd, data)
        if written == len(data):
            self.size += written
            return
        # The disk took a part. These bytes are ours and nobody was told of them: take them back.
        os.ftruncate(self._fd, self.size)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _sync_directory(self) -> None:
        descriptor = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def window(self) -> bytes:
        """Give the last 64 KiB of the active segment, where the twin of a hook call would be."""
        return os.pread(self._fd, WINDOW, max(0, self.size - WINDOW))


def _reason(error: OSError) -> str:
    return f"cannot be written: {error.strerror or error}"


def _remedy(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space on that disk"
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return "make it writable, or set JOURNAL_HOME to a directory that is"
    if error.errno == errno.ELOOP:
        return "it is a symbolic link: put a real file or directory in its place"
    return "run: journal doctor"
