"""Read a journal from the start or from a snapshot: whole records in seq order, and findings.

Invariant: a record is given once, in seq order, and only if its CRC passes; nothing that failed
is left out in silence (`Reader.findings`, `Reader.counts`). Reading takes no lock.
"""

from __future__ import annotations

import os
import zlib
from struct import pack

from journal.errors import ANOMALY, CORRUPT, VALID, Finding, JournalOffError
from journal.log.damage import Judge, rest_of
from journal.log.position import Bookmark
from journal.log.record import HEAD, TAIL
from journal.log.segment import ACTIVE, Segment, opening, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any

    from journal.log.readahead import Ahead
    from journal.log.snapshot import Snapshot

__all__ = ["BATCH", "Reader", "dense", "identity", "records", "tail"]

_FINDINGS_KEPT = 1000
BATCH = 256 * 1024  # bytes taken at a time: enough to amortise, small enough for the cache


class Reader:
    """Iterates over the records of one journal.

    Iterating gives (seq, line without newline). Afterwards `findings` holds what was noticed (at
    most 1,000; `counts` has the true numbers by verdict), `gaps` the seqs that are missing (first,
    last, finding), and `last_seq` the last seq given.
    after: records with a seq up to this one are passed over. start: (first seq of a segment,
    offset) where record `after` ends, so that nothing before is read. bookmark: where another
    reader was in this very log; then everything is as if this one had read what comes before.
    every: a bookmark can be had each time so many bytes of a plain segment were taken (a multiple
    of BATCH), and between two segments. helped: a second process may check what comes next.
    """

    def __init__(
        self,
        directory: str,
        after: int = 0,
        start: tuple[int, int] = (0, 0),
        *,
        bookmark: Bookmark | None = None,
        every: int = 0,
        helped: bool = False,
    ) -> None:
        self.directory = directory
        self.after = after
        self.start = start
        self.findings: list[Finding] = []
        self.counts: dict[str, int] = {VALID: 0}
        self.gaps: list[tuple[int, int, Finding]] = []
        self.last_seq = after
        self.journal = ""
        self._path = directory
        self._reached = 0  # the highest seq seen so far, of records passed over too
        self._every = every
        self._helped = helped
        self._bookmark = bookmark
        self._place: tuple[int, int, int, int] | None = None
        self._index = 0
        self._help: Ahead | None = None
        # Where the reader was between the last two segments: before any record of the second.
        self.between: Bookmark | None = None
        if bookmark is not None:
            self.last_seq, self._reached, self.journal = (
                bookmark.seq,
                bookmark.reached,
                bookmark.journal,
            )
            self.counts, self.gaps = dict(bookmark.counts), list(bookmark.gaps)
            self.findings = list(bookmark.findings)

    @property
    def complete(self) -> bool:
        """Whether every record was readable and in its place (torn ends are no loss)."""
        return not (self.counts.get(CORRUPT) or self.counts.get(ANOMALY))

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for batch in self.batches():
            yield from batch

    def batches(self) -> Iterator[list[tuple[int, bytes]]]:
        """Give the same records in lists: a generator step for each one costs more than its CRC."""
        for _segment, batches in self.by_segment():
            yield from batches

    def by_segment(self) -> Iterator[tuple[Segment, Iterator[list[tuple[int, bytes]]]]]:
        """Give the batches of each segment; they must be used up before the next one is asked for.

        Findings noted meanwhile are about that segment.
        """
        listed, active = _listing(self.directory)
        try:
            self.journal = _identity(listed, active)
            for index, segment in enumerate(listed):
                if self._bookmark is not None and index < self._bookmark.index:
                    continue
                if segment.sealed and segment.last <= self.after:
                    self._reached = segment.last
                    continue
                self._index, self._place = index, None
                yield segment, self._counted(segment, None if segment.sealed else active)
                if self._every and segment.sealed:
                    self._index, self._place = index + 1, (0, 0, 0, 0)
                    self.between = self.bookmark()
        finally:
            if active:
                active.close()

    def note(
        self, verdict: str, line: int, offset: int, what: str, excerpt: bytes = b""
    ) -> Finding:
        """Keep one finding about the segment being read."""
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        finding = Finding(verdict, self._path, line, offset, what, excerpt)
        if len(self.findings) < _FINDINGS_KEPT:
            self.findings.append(finding)
        return finding

    def bookmark(self) -> Bookmark | None:
        """Give where the reader is, right after it gave a batch; None where it cannot go on from.

        Only while every line of the segment was in its place: what is odd is judged by what
        follows.
        """
        if self._place is None:
            return None
        found = Bookmark(self._index, self._place, self.last_seq, self._reached)
        found.journal = self.journal
        found.counts, found.gaps = dict(self.counts), list(self.gaps)
        found.findings = list(self.findings)
        return found

    def about(self, path: str) -> None:
        """Name the file that the findings to come are about."""
        self._path = path

    def miss(self, first: int, last: int, line: int, offset: int) -> None:
        """Note that records are missing before the one at `line`."""
        which = f"{first}" if first == last else f"{first} to {last}"
        what = f"gap: seq {which} missing before {last + 1}"
        self.gaps.append((first, last, self.note(ANOMALY, line, offset, what)))

    def _counted(
        self, segment: Segment, active: IO[bytes] | None
    ) -> Iterator[list[tuple[int, bytes]]]:
        for batch in self._segment(segment, active):
            self.counts[VALID] += len(batch)
            self.last_seq = batch[-1][0]
            yield batch

    def _segment(
        self, segment: Segment, active: IO[bytes] | None
    ) -> Iterator[list[tuple[int, bytes]]]:
        self.about(segment.path)
        try:
            with active or segment.open() as file:
                opened = opening(file)
                other = opened.get("journal", self.journal)
                if self.journal not in ("", other):
                    self.note(ANOMALY, 1, 0, f"a segment of another journal ({other}): not read")
                    return
                self._help = self._checker(file, segment) if self._helped else None
                try:
                    yield from self._lines(file, segment, self._expected(opened))
                finally:
                    if self._help is not None:
                        self._help.close()
        except JournalOffError as error:
            self.note(CORRUPT, 0, 0, f"cannot be read: {error.what}")
        except (OSError, EOFError, zlib.error) as error:
            self.note(CORRUPT, 0, 0, f"cannot be read further: {error}")

    def _checker(self, file: IO[bytes], segment: Segment) -> Ahead | None:
        if segment.path.endswith(".gz"):
            return None
        from journal.log.readahead import Ahead  # for long logs and commands only

        here = self._bookmark is not None and self._bookmark.index == self._index
        done = self._bookmark.block if self._bookmark is not None and here else 0
        return Ahead.of(segment.path, BATCH, os.fstat(file.fileno()).st_size - done, dense)

    def _expected(self, opened: dict[str, Any]) -> int:
        """Seq of the first record to come; says where a whole segment is missing before it."""
        expected = self._reached + 1
        first = opened.get("seq", 0)
        if isinstance(first, int) and first > expected:
            self.miss(expected, first - 1, 1, 0)
            return first
        return expected

    def _lines(  # noqa: C901, PLR0915 (a call for each batch would cost what this saves)
        self, file: IO[bytes], segment: Segment, expected: int
    ) -> Iterator[list[tuple[int, bytes]]]:
        number, offset, after = 0, 0, self.after
        carried, block, checksum = b"", 0, 0
        every = 0 if segment.path.endswith(".gz") else self._every
        if (
            self._bookmark is not None
            and self._bookmark.index == self._index
            and self._bookmark.offset
        ):
            bookmark = self._bookmark
            number, offset, block, checksum = (
                bookmark.lines,
                bookmark.offset,
                bookmark.block,
                bookmark.checksum,
            )
            expected = bookmark.seq + 1
            file.seek(offset)
            carried = _exactly(file, block - offset)
        elif self.start[1] and segment.first == self.start[0]:
            file.seek(self.start[1])
            offset, expected, every = self.start[1], after + 1, 0
        help_, taken = self._help if offset == 0 or block else None, block // BATCH
        while data := file.read(BATCH):
            size = len(data)
            if every:
                checksum = zlib.crc32(data, checksum)
                block += size
            lines = data.split(b"\n")
            if len(lines) == 1:  # a very long line: take it in one piece, not in a square of them
                break
            checked = (
                help_ is not None
                and size == BATCH
                and help_.checked(taken, data, carried, expected, len(lines) - 1)
            )
            taken += 1
            size += len(carried)
            lines[0] = carried + lines[0]
            carried = lines.pop()
            data = b""
            if not (checked or dense(lines, expected)):
                lines.append(carried)
                carried = b"\n".join(lines)
                break
            count = len(lines)
            offset += size - len(carried)
            number += count
            self._reached = expected + count - 1
            whole = every and block % every == 0
            self._place = (offset, block, number, checksum) if whole else None
            if expected > after:
                yield list(zip(range(expected, expected + count), lines, strict=True))
            elif self._reached > after:
                skipped = after + 1 - expected
                yield list(zip(range(after + 1, expected + count), lines[skipped:], strict=True))
            expected += count
        self._place = None
        if not (carried or data):
            return
        judge = Judge(self, expected)
        judge.read(rest_of(carried + data, file), number, offset)
        batch = judge.ordered(after)
        self._reached = max(self._reached, judge.reached)
        if batch:
            yield batch


def _exactly(file: IO[bytes], size: int) -> bytes:
    """Read `size` bytes, which are there."""
    parts = []
    while size and (part := file.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def dense(lines: list[bytes], first: int) -> bool:
    """Whether `lines` are whole records numbered `first`, `first` + 1, … without exception.

    The same test as `is_whole` and `seq_of` line by line, at a third of the cost: the ends and
    the beginnings the lines must have are built in one piece each and compared at once.
    """
    count = len(lines)
    numbers = range(first, first + count)
    width = len(str(first))
    crcs = pack(f">{count}I", *map(zlib.crc32, [line[:-TAIL] for line in lines]))
    ends = ',"crc":"' + crcs.hex("|", 4).replace("|", '"},"crc":"') + '"}'
    if b"".join([line[-TAIL:] for line in lines]) != ends.encode():
        return False
    if len(str(first + count)) != width:  # numbers of two widths, once in ten times as many
        return all(
            line.startswith(b'{"seq":%d,' % seq) for seq, line in zip(numbers, lines, strict=True)
        )
    end = len(HEAD) + width + 1
    return b"".join([line[:end] for line in lines]) == b'{"seq":%d,' * count % tuple(numbers)


def _listing(directory: str) -> tuple[list[Segment], IO[bytes] | None]:
    """All segments, and the active one opened before they were listed.

    So that a segment which is sealed at this moment is read once: under its new name if it was
    listed under it, else through the file that is open already.
    """
    try:
        active = Segment(os.path.join(directory, ACTIVE), 0, 0).open()
    except FileNotFoundError:
        return [item for item in segments(directory) if item.sealed], None
    except (OSError, JournalOffError):
        return segments(directory), None  # opening it once more says what is wrong
    listed = segments(directory)
    facts = os.fstat(active.fileno())
    newest = next((item for item in reversed(listed) if item.sealed), None)
    try:
        if newest and os.path.samestat(os.stat(newest.path), facts):
            active.close()
            return [item for item in listed if item.sealed], None
    except OSError:
        pass
    return listed, active


def _identity(listed: list[Segment], active: IO[bytes] | None) -> str:
    """Id of the journal: the active segment's, else that of the newest segment which tells one."""
    if active and (known := opening(active).get("journal")):
        return str(known)
    for segment in reversed(listed):
        try:
            if segment.sealed:
                with segment.open() as file:
                    known = opening(file).get("journal")
                if known:
                    return str(known)
        except (OSError, EOFError, zlib.error, JournalOffError):
            continue
    return ""


def identity(directory: str) -> str:
    """Id of a journal, as a reader of it takes it; "" where none is told."""
    listed, active = _listing(directory)
    try:
        return _identity(listed, active)
    finally:
        if active:
            active.close()


def records(directory: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
    """Whole records of a journal in seq order, for a reader that asks for no findings."""
    return iter(Reader(directory, after))


def tail(directory: str, snapshot: Snapshot) -> Reader:
    """Read what came after a snapshot, also where segments were sealed since; no more than that."""
    return Reader(directory, snapshot.seq, snapshot.place)
