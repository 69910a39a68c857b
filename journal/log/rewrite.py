"""Change records of a log, for `journal redact` and `journal gc`. Nothing else does.

A new segment is written beside the old one without the lock and replaces it under the lock. A large
active segment is sealed first; of a small one, only the records appended meanwhile are changed
under the lock. Invariant: every record keeps its seq and its place. After a crash at any step, each
segment is the old or the new one, and the same call finishes the work.
"""

import os
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from typing import IO, Any, Protocol

from journal.checkpoint import SNAPSHOT
from journal.errors import JournalError, JournalOffError
from journal.files import open_regular, read_regular
from journal.log.lines import lines_of, salvage
from journal.log.maintenance import ReplacedError, as_journal_error, check_same, locked, sync_active
from journal.log.packed import pack
from journal.log.record import frame, is_whole, seq_of, type_of, unframe
from journal.log.rewrite_watch import PENDING
from journal.log.segment import Segment, digest_of, last_sealed, opening, segments, tail_of
from journal.replace_file import Replacement, sync_directory


class LineChange(Protocol):
    """A change of lines; the same object is returned for a line that does not change."""

    def record(self, line: bytes) -> bytes:
        """Return the new form of a whole record (without newline), with the same seq."""

    def other(self, line: bytes) -> bytes:
        """Return the new form of bytes that are not a whole record."""


SMALL = 256 * 1024  # bytes of an active segment that is not sealed first
_ROUNDS = 8  # times that a busy log is sealed again, or a segment read again
_MOST = 1024 * 1024  # bytes of the names of changed segments
_REMEDY = "free some space; the segment is as it was"


def begin(directory: str) -> None:
    """Record beside the log that its records are about to change, until `finish`."""
    _note(directory, "")


def is_rewritten(earlier: Segment, segment: Segment) -> bool:
    """Return whether a segment is being changed, or was since it and the next one were read."""
    if earlier.name in pending_changes(os.path.dirname(segment.path)):
        return True
    try:
        with segment.open() as file:
            link = opening(file).get("digest")
        return digest_of(tail_of(earlier)[0]) == link
    except (OSError, EOFError, zlib.error, JournalOffError):
        return False


def finish(directory: str, now: str, event: dict[str, Any] | None) -> None:
    """Append the event, delete the hooks' checkpoint, and record that the change is finished.

    The new mtime of the lock file tells a process that has folded the old records not to store them
    (`last_rewrite`).
    """
    with locked(directory, now) as writer:
        if event is not None:
            writer.append(event)
        os.utime(os.path.join(directory, "lock"))
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(directory, SNAPSHOT))
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(directory, PENDING))


def rewrite(directory: str, now: str, change: LineChange, *, dry: bool = False) -> Counter[str]:
    """Apply a change to every line of a log, after `begin`. dry: only count.

    Return segment → number of records changed; a line that is not a record counts as one. Raise
    JournalError if a segment cannot be read or replaced; what was done until then stays, and the
    same call continues from there.
    """
    work = _Rewrite(directory, now, change, dry=dry)
    for _ in range(_ROUNDS):
        if work.run():
            return work.done
    what = "grows faster than its records can be changed"
    raise JournalError(directory, what, "end sessions, then try again")


def changed_line(change: LineChange, line: bytes) -> bytes:
    """Return the new form of a line; whole records in a damaged one are changed as records."""
    if is_whole(line) and seq_of(line) >= 0:
        return change.record(line)
    parts, end = [], 0
    for at, span in [found for found in salvage(line) if seq_of(found[1]) >= 0]:
        parts += [change.other(line[end:at]), change.record(span)]
        end = at + len(span)
    changed = b"".join([*parts, change.other(line[end:])])
    return line if changed == line else changed


class _Rewrite:
    def __init__(self, directory: str, now: str, change: LineChange, *, dry: bool) -> None:
        self.directory = directory
        self.now = now
        self.change = change
        self.dry = dry
        self.done: Counter[str] = Counter()
        self._changed = set() if dry else pending_changes(directory)
        self._reached = 0
        self._previous, self._digest = "", ""  # of the previous segment, if that was changed

    def run(self) -> bool:
        """Change the remaining segments; return False if the active one was sealed."""
        previous: Segment | None = None
        for segment in segments(self.directory):
            if segment.first > self._reached:
                is_new = previous is not None and previous.name in self._changed
                self._previous = previous.name if previous and is_new else ""
                self._digest = digest_of(tail_of(previous)[0]) if previous and is_new else ""
                if not segment.sealed:
                    return self._active(segment, previous.last if previous else 0)
                self._sealed(segment)
                self._reached = segment.last
            previous = segment
        return True

    def _sealed(self, segment: Segment) -> None:
        count, is_changed, _ = self._count(segment)
        if not is_changed:
            return
        for _ in range(_ROUNDS):
            with suppress(ReplacedError):
                if not self.dry:
                    _note(self.directory, segment.name)
                    self._changed.add(segment.name)
                    self._swap(segment)
                self._add(segment, count)
                return
        raise JournalError(segment.path, "is replaced again and again", "try again later")

    def _active(self, segment: Segment, last: int) -> bool:
        """Change the active segment, or seal it if it is large; return whether it is done.

        last: last seq of the previous segment. If another one precedes it by now, that is first.
        """
        with suppress(ReplacedError):
            with _opened(segment) as file:
                facts = os.fstat(file.fileno())
            if last_sealed(self.directory)[1] != last:
                return False
            count, is_changed, size = self._count(segment)
            if is_changed and size > SMALL and not self.dry:
                sync_active(self.directory)
                with locked(self.directory, self.now) as writer:
                    check_same(facts, segment.path)
                    writer.roll()
                return False
            if is_changed and not self.dry:
                self._swap(segment, facts)
            self._add(segment, count)
            return True
        return False

    def _swap(self, segment: Segment, facts: os.stat_result | None = None) -> None:
        """Write the new form of a segment, and replace the old one under the lock.

        facts: of the active segment; what was appended to it since is added under the lock.
        """
        with (
            _opened(segment) as source,
            as_journal_error(segment.path, "cannot be rewritten", _REMEDY),
        ):
            found = facts or os.fstat(source.fileno())
            head = os.pread(source.fileno(), found.st_size, 0) if facts else b""
            head = head[: head.rfind(b"\n") + 1]
            lines = self._lines(lines_of(BytesIO(head) if facts else source, whole=True))
            with ExitStack() as stack, Replacement(segment.path, sync=True) as target:
                if segment.path.endswith(".gz"):
                    pack(lines, target)
                else:
                    target.writelines(lines)
                target.flush()
                os.fsync(target.fileno())
                writer = stack.enter_context(locked(self.directory, self.now))
                check_same(found, segment.path)
                if facts:
                    rest = writer.read(len(head), writer.size - len(head))
                    target.writelines(self._lines(lines_of(BytesIO(rest), whole=True)))
                    # Before the lock is free: what is appended next must survive a power loss.
                    stack.callback(sync_directory, self.directory)
            if segment.sealed:
                with suppress(FileNotFoundError):
                    os.unlink(segment.path + ".gz")  # a killed `compress` left the old bytes
                sync_directory(self.directory)

    def _count(self, segment: Segment) -> tuple[int, bool, int]:
        """Return the number of changed records, whether any line changes, and the size in bytes."""
        count = size = 0
        is_changed = False
        with _opened(segment) as file:
            for line, _ended in lines_of(file, whole=True):
                size += len(line) + 1
                if self._changed_line(line) is not line:
                    is_changed = True
                    count += not _is_opening(line)
        return count, is_changed, size

    def _lines(self, lines: Iterator[tuple[bytes, bool]]) -> Iterator[bytes]:
        for line, ended in lines:
            yield self._changed_line(line) + (b"\n" if ended else b"")

    def _changed_line(self, line: bytes) -> bytes:
        if not _is_opening(line):
            return changed_line(self.change, line)
        if not self._digest:
            return line
        fields = unframe(line)
        if fields.get("previous") != self._previous or fields.get("digest") == self._digest:
            return line
        seq = fields.pop("seq")
        return frame(seq, {**fields, "digest": self._digest})[:-1]

    def _add(self, segment: Segment, count: int) -> None:
        if count:
            self.done[segment.name] += count


@contextmanager
def _opened(segment: Segment) -> Iterator[IO[bytes]]:
    """Open a segment; raise JournalError if it cannot be read to its end."""
    try:
        file = segment.open()
    except FileNotFoundError:
        raise ReplacedError from None
    try:
        yield file
    except (EOFError, zlib.error) as error:
        what = f"cannot be read to its end: {error}"
        raise JournalError(segment.path, what, "run: journal repair") from error
    finally:
        file.close()


def _is_opening(line: bytes) -> bool:
    return type_of(line) == "segment.opened" and is_whole(line) and seq_of(line) >= 0


def _note(directory: str, name: str) -> None:
    """Record a segment before it is replaced, so a repeated call corrects the next one's link."""
    path = os.path.join(directory, PENDING)
    with as_journal_error(path, "cannot be written", _REMEDY):
        descriptor = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(descriptor, name.encode() + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_directory(directory)


def pending_changes(directory: str) -> set[str]:
    """Return the names of the segments that an unfinished change has replaced, or is about to."""
    try:
        names = read_regular(os.path.join(directory, PENDING), _MOST)
    except OSError:  # there is none; nothing but `begin` needs another thing of that name
        return set()
    return set(names.decode("ascii", "replace").split("\n")) - {""}
