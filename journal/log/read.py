"""Read a log from the start or from a position: whole records in seq order, and findings.

Invariant: each record is yielded once, in seq order, and only if its CRC passes; everything else in
the log becomes a finding (`Reader.found`). Reading takes no lock.
"""

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from journal.checkpoint import Position
from journal.errors import JournalOffError
from journal.log.chain import SegmentCheck, check_chain
from journal.log.damage import DamageReader, SummedFile, records_before
from journal.log.findings import ANOMALY, CORRUPT, VALID, Findings
from journal.log.lines import dense, lines_of
from journal.log.reached import reached
from journal.log.record import ACTIVE, unframe
from journal.log.segment import Segment, beginning, identity_in, open_listing, opening
from journal.log.unchanged import file_facts, settled_facts

Batch = list[tuple[int, bytes]]

BATCH = 256 * 1024  # bytes read at a time; larger ones leave the processor's cache
FAILED: dict[str, Findings] = {}
"""Directory → findings of its last reader that a system call stopped: a later read may succeed."""
_OWN = b'"type":"journal.'  # what the journal records about itself: repairs, lost events


class Reader:
    """Iterates over the records of one log, as (seq, line without newline).

    found: the findings so far. last_seq: of the last record yielded. row: what was seen of the
    segment being read. bytes_read: an estimate, uncompressed.

    Args:
        directory: of the log.
        after: skip the records up to this seq.
        position: start where an earlier reader of this log was.
        found: the findings of that reader, to which this one adds.
        whole: make positions that cover every byte before them, which costs a second checksum.
        upto: bytes of the active segment to read, even if it grows meanwhile.

    """

    def __init__(
        self,
        directory: str,
        after: int = 0,
        position: Position | None = None,
        *,
        found: Findings | None = None,
        whole: bool = False,
        upto: int | None = None,
    ) -> None:
        self.directory = directory
        self._upto = upto
        self.row: SegmentCheck | None = None
        self._asked_after = after
        self.after = max(after, position.seq if position else 0)
        self.found = found or Findings(directory)
        self.last_seq = self.after
        self.bytes_read = 0
        self.stopped = False  # whether a system call failed: a later read may find more
        self.journal = position.journal if position else ""
        self._start = position
        self._whole = whole and (position is None or position.checksum >= 0)
        self._sealed: list[list[Any]] = list(position.sealed) if position else []
        self._at: Position | None = position
        self._listed: list[Segment] = []
        self._file: list[int] = []  # facts of the segment being read
        self._reached = 0  # the highest seq seen so far, skipped records included

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for batch in self.batches():
            yield from batch

    def batches(self) -> Iterator[Batch]:
        """Yield the records in lists: a generator step per record costs more than its CRC."""
        for _segment, batches in self.by_segment():
            yield from batches

    def by_segment(self) -> Iterator[tuple[Segment, Iterator[Batch]]]:
        """Yield each segment with its batches; consume them before asking for the next segment.

        Findings added meanwhile are about that segment, and `row` describes it.
        """
        self.found.forget_end()
        noted = reached(self.directory)  # before listing: later records cannot be missing
        self._listed, active = open_listing(self.directory)
        if active and self._upto is not None:
            active = beginning(active, self._upto)
        previous: SegmentCheck | None = None
        linked = True  # whether the previous segment was read, so that the next can be compared
        try:
            self.journal = identity_in(self._listed, active)
            self._find_start()
            for segment in self._listed:
                if self._start is not None and segment.first < self._start.segment:
                    linked = False
                    continue
                if segment.sealed and segment.last <= self.after and self._start is None:
                    self._reached, self._whole, linked = segment.last, False, False
                    continue
                row = self.row = SegmentCheck(segment)
                count = self._finding_count()
                yield segment, self._segment(row, None if segment.sealed else active)
                row.bad += self._finding_count() - count
                if not row.foreign:
                    if linked:
                        check_chain(self.found, previous, row)
                    previous, linked = row, True
                if self._whole and segment.sealed:
                    self._note_sealed(segment)
            self._check_end(*noted)
        finally:
            if active:
                active.close()

    def _finding_count(self) -> int:
        """Return the number of findings so far, gaps left out."""
        counted = (count for verdict, count in self.found.counts.items() if verdict != VALID)
        return sum(counted) - len(self.found.gaps)

    def _check_end(self, seen: int, journal: str, seq: int) -> None:
        """Note records that are gone: of another log, or after the end. Args: see `reached`."""
        self.found.path = f"{self.directory}/{ACTIVE}"
        if self.journal and journal not in ("", self.journal):
            what = f"of the journal {journal}: another is in its place"
            self.found.miss(1, seq, where=what)
        elif self._upto is None and seen > self._reached:
            what = "at the end: they were there before"
            self.found.miss(self._reached + 1, seen, where=what)

    def position(self) -> Position | None:
        """Return where the reader is, right after it yielded a batch or at the end.

        None if another reader could not continue from there: later records may decide what damage
        in the active segment is, or a system call failed.
        """
        at = self._at
        if at is None or not at.seq or self.stopped:
            return None
        return Position(
            at.segment,
            at.offset,
            at.seq,
            at.end,
            journal=self.journal,
            lines=at.lines,
            checksum=at.checksum if self._whole else -1,
            sealed=[list(facts) for facts in self._sealed] if self._whole else [],
            file=self._file if self._whole else [],
        )

    def _find_start(self) -> None:
        """Start at the given position if its segment exists, else at the first record after it."""
        start = self._start
        if start is None:
            return
        if any(segment.first == start.segment for segment in self._listed):
            self._reached = start.seq
        else:
            self._start, self._whole, self._at = None, False, None

    def _note_sealed(self, segment: Segment) -> None:
        """Add a segment that was read to its end to those before the position."""
        at = self._at
        try:
            if at is not None and at.segment == segment.first:
                self._sealed.append([segment.name, *file_facts(segment), at.checksum])
                return
        except OSError:
            pass
        self._whole = False

    def _segment(self, row: SegmentCheck, active: IO[bytes] | None) -> Iterator[Batch]:
        """Yield the records of a segment, and count them."""
        segment = row.segment
        self.found.path = segment.path
        at = self._start
        if at is None or at.segment != segment.first:
            at = Position(segment.first, 0, 0, checksum=0)
        try:
            with active or segment.open() as file:
                self._file = settled_facts(file.fileno())
                row.opened = opening(file)
                other = row.opened.get("journal", self.journal)
                row.foreign = self.journal not in ("", other)
                if row.foreign:
                    what = f"a segment of another journal ({other}): not read"
                    self.found.note(ANOMALY, what, 1)
                    return
                gaps = len(self.found.gaps)
                expected = self._expected(row.opened)
                row.behind_gap = len(self.found.gaps) > gaps
                if at.offset:
                    file.seek(at.offset)
                    row.first, row.last, row.size = segment.first, at.seq, at.offset
                    row.bad = sum(item.path == segment.path for item in self.found.listed)
                for batch in self._lines(file, row, at, expected):
                    self.found.counts[VALID] += len(batch)
                    self.last_seq = max(self.last_seq, batch[-1][0])
                    row.first = row.first or batch[0][0]
                    row.last = max(row.last, batch[-1][0])
                    row.records += len(batch)
                    yield batch
        except JournalOffError as error:
            self._at = None
            self.found.note(CORRUPT, f"cannot be read: {error.what}")
        except (OSError, EOFError, zlib.error) as error:
            self._at = None
            self.found.note(CORRUPT, f"cannot be read further: {error}")
            if isinstance(error, OSError):
                self.stopped = True
                FAILED[self.directory] = self.found

    def _expected(self, opened: dict[str, Any]) -> int:
        """Return the seq of the first record to come; note a whole segment missing before it."""
        expected = self._reached + 1
        first = opened.get("seq", 0)
        if isinstance(first, int) and first > expected:
            self.found.miss(expected, first - 1, 1)
            return first
        return expected

    def _lines(
        self, file: IO[bytes], row: SegmentCheck, at: Position, expected: int
    ) -> Iterator[Batch]:
        checksum, carried = max(0, at.checksum), b""
        at = Position(row.segment.first, at.offset, expected - 1, lines=at.lines, checksum=checksum)
        while data := file.read(BATCH):
            lines = data.split(b"\n")
            if len(lines) == 1:  # a very long line: joining it block by block would be quadratic
                break
            lines[0] = carried + lines[0]
            rest = lines.pop()
            if not dense(lines, at.seq + 1):
                break
            row.end_with(data)
            row.size += len(data)
            self.bytes_read += len(data)
            if _OWN in data or _OWN in lines[0]:
                self._read_own(lines)
            # A view of `data`: copying the bytes would cost a quarter of the reading.
            at = self._at = self._after(
                at, lines, carried, memoryview(data)[: len(data) - len(rest)]
            )
            self._reached = at.seq
            carried, data = rest, b""
            first = at.seq + 1 - len(lines)
            skipped = max(0, self.after + 1 - first)
            if skipped < len(lines):
                seqs = range(first + skipped, at.seq + 1)
                yield list(zip(seqs, lines[skipped:], strict=True))
        if carried or data:
            row.size = at.offset
            yield from self._odd_lines(SummedFile(file, carried + data, at.checksum), at, row)

    def _after(
        self, at: Position, lines: list[bytes], carried: bytes, data: memoryview
    ) -> Position:
        """Return the position after some dense lines, whose bytes are `carried` and `data`."""
        checksum = at.checksum
        if self._whole:
            checksum = zlib.crc32(data, zlib.crc32(carried, checksum))
        return Position(
            at.segment,
            at.offset + len(carried) + len(data),
            at.seq + len(lines),
            lines[-1][-10:-2].decode(),
            lines=at.lines + len(lines),
            checksum=checksum,
        )

    def _odd_lines(self, file: SummedFile, at: Position, row: SegmentCheck) -> Iterator[Batch]:
        """Yield the records of the rest of a damaged segment in one batch."""
        self._at = None
        rest = DamageReader(self.found, self.journal, at.seq + 1)
        try:
            rest.read(lines_of(file), at.lines, at.offset)
        finally:
            row.size += file.size
            self.bytes_read += file.size
            row.tail = file.tail
        late = rest.late()
        same = records_before(self._listed, late, row.segment, at.offset) if late else set()
        batch = rest.ordered(self.after, self._asked_after, same)
        self._read_own([line for _, line in batch])
        self._reached = max(self._reached, rest.reached)
        if row.segment.sealed or rest.ends_well:
            self._at = Position(
                at.segment,
                at.offset + file.size,
                self._reached,
                rest.end,
                lines=rest.lines,
                checksum=file.checksum,
            )
        if batch:
            yield batch

    def _read_own(self, lines: list[bytes]) -> None:
        """Read what the journal recorded about itself: repairs, lost events."""
        for line in lines:
            if _OWN in line[:128]:
                with suppress(ValueError):  # its checksum passes, but it is not JSON
                    self.found.read_own(unframe(line))
