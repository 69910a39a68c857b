"""Read a damaged segment: recover its records, and explain each bad line.

Invariant: every line that is not a whole record in its place becomes a finding, and every whole
record is recovered, also one inside a bad line. Of two records with one seq, both are.
"""

import zlib
from collections.abc import Iterable
from contextlib import suppress

from journal.errors import JournalOffError
from journal.log.findings import ANOMALY, CORRUPT, TORN, Findings
from journal.log.lines import claimed_seq, lines_of, looks_cut, records_in, salvage
from journal.log.record import is_whole, seq_of, unframe
from journal.log.segment import OPENED, TAIL_BYTES, Segment, beginning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.log.lines import Readable


class SummedFile:
    """A file whose bytes are counted and summed while they are read.

    head: bytes to return first. checksum: CRC-32 of the bytes so far, continued from `checksum`.
    size: number of bytes. tail: the last ones, enough for the digest in the next segment.
    """

    def __init__(self, file: "Readable", head: bytes, checksum: int) -> None:
        self._file = file
        self._head = head
        self.checksum = checksum
        self.size = 0
        self.tail = b""

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, or the head; b"" at the end."""
        data, self._head = self._head or self._file.read(size), b""
        self.checksum = zlib.crc32(data, self.checksum)
        self.size += len(data)
        self.tail = data[-TAIL_BYTES:] if len(data) >= TAIL_BYTES else self.tail + data
        return data


class DamageReader:
    """Reads the rest of a segment, then returns its records in order.

    found: receives the findings. journal: id of the log. expected: the seq that should come first.
    reached: highest seq of the records, once they are ordered. lines: number of lines read,
    including those before. end: checksum of the last line, "" if it is not a whole record.
    """

    def __init__(self, found: Findings, journal: str, expected: int) -> None:
        self.note = found.note
        self.miss = found.miss
        self.journal = journal
        self.expected = expected
        self.reached = expected - 1
        self.lines = 0
        self.end = ""
        self._found: list[tuple[int, bytes, int, int]] = []
        self._fragments: list[tuple[bytes, int, int]] = []
        self._foreign = False

    @property
    def ends_well(self) -> bool:
        """Return whether the last line is the last record, so later lines explain nothing here."""
        last = self._found[-1][0] if self._found else 0
        return bool(self.end) and last == self.reached and not self._foreign

    def read(self, lines: Iterable[tuple[bytes, bool]], number: int, offset: int) -> None:
        """Read (line, whether it ends in a newline). number, offset: of the lines before."""
        begins = True  # False in a further part of a line that is too long
        for line, ended in lines:
            number += begins
            if is_whole(line) and seq_of(line) >= 0:
                self._explain(seq_of(line))
                self._add(line, number, offset)
                self.end = line[-10:-2].decode() if ended else ""
            else:
                self._inspect(line, number, offset, begins=begins, ended=ended)
                self.end = ""
            begins = ended
            offset += len(line) + ended
        self._explain(None, last=True)
        self.lines = number

    def late(self) -> set[int]:
        """Return the seqs of records that come too late: earlier records have reached that far."""
        return {seq for seq, *_ in self._found if seq < self.expected}

    def ordered(self, after: int, late: int, same: set[bytes]) -> list[tuple[int, bytes]]:
        """Return the records after `after` by seq; note gaps, duplicates and disorder.

        Two writers that the lock did not exclude give two records one seq; both are returned. A
        copy of a record is returned once.

        late: of the records that come too late, return those after this seq. same: the earlier
        records with their seqs.
        """
        self._note_disorder()
        records: list[tuple[int, bytes]] = []
        last = self.expected - 1
        for seq, line, number, offset in sorted(self._found, key=lambda item: item[0]):
            if seq <= last:
                if line in same:
                    continue
                what = f"another record with the seq {seq} of an earlier one"
                self.note(ANOMALY, what, number, offset, line)
            else:
                if seq > last + 1:
                    self.miss(last + 1, seq - 1, number, offset)
                last = seq
            same.add(line)
            if seq > (after if seq >= self.expected else late):
                records.append((seq, line))
        self.reached = last
        return records

    def _note_disorder(self) -> None:
        previous = self.expected - 1
        for seq, _line, number, offset in self._found:
            if seq == previous:
                self.note(ANOMALY, f"seq {seq} after {previous}: a duplicate", number, offset)
            elif seq < previous:
                self.note(ANOMALY, f"seq {seq} after {previous}: out of order", number, offset)
            previous = max(previous, seq)

    def _add(self, line: bytes, number: int, offset: int) -> None:
        if OPENED in line[:96]:
            self._check_identity(line, number, offset)
        if not self._foreign:
            self._found.append((seq_of(line), line, number, offset))

    def _check_identity(self, line: bytes, number: int, offset: int) -> None:
        try:
            other = unframe(line).get("journal")
        except ValueError:
            return
        self._foreign = bool(self.journal) and other != self.journal
        if self._foreign:
            what = f"records of another journal ({other}) begin here: not read"
            self.note(ANOMALY, what, number, offset, line)

    def _inspect(self, line: bytes, number: int, offset: int, *, begins: bool, ended: bool) -> None:
        inside = [(at, span) for at, span in salvage(line) if seq_of(span) >= 0]
        if not inside and looks_cut(line):
            if ended:
                self._fragments.append((line, number, offset))
            else:
                self._explain(None, last=True)
                self._note_torn(line, number, offset)
            return
        self._explain(seq_of(inside[0][1]) if inside else None)
        what = "not a whole record: its checksum does not match"
        if inside:
            rest = len(line) - sum(len(span) for _, span in inside)
            seqs = ", ".join(str(seq_of(span)) for _, span in inside[:8])
            what = f"{rest} foreign bytes around the whole record(s) {seqs}"
        elif b"\0" in line:
            what = f"{line.count(0)} NUL bytes"
        elif not line.strip():
            what = "a blank line"
        if begins:
            self.note(CORRUPT, what, number, offset, line)
        for at, span in inside:
            self._add(span, number, offset + at)

    def _explain(self, following: int | None, *, last: bool = False) -> None:
        """Explain the cut lines by what follows: a killed writer's seq went to the next record."""
        if not self._fragments:
            return
        if last:  # more writers died, and no record was written since
            following = (self._found[-1][0] if self._found else self.expected - 1) + 1
        for line, number, offset in self._fragments:
            claimed = claimed_seq(line)
            if following is not None and claimed in (None, following):
                self._note_torn(line, number, offset, healed=True)
            else:
                what = "a damaged record: its checksum does not match"
                self.note(CORRUPT, what, number, offset, line)
        self._fragments = []

    def _note_torn(self, line: bytes, number: int, offset: int, *, healed: bool = False) -> None:
        what = f"a record cut short after {len(line)} bytes (its writer died)"
        what += "; the next append healed it" if healed else ""
        self.note(TORN, what, number, offset, line)


def records_before(
    listed: list[Segment], seqs: set[int], segment: Segment, offset: int
) -> set[bytes]:
    """Return the records with these seqs before an offset of a segment, in it or in those before.

    Only a log with two records of one seq needs that, to tell a copy from another record.
    """
    found: set[bytes] = set()
    for earlier in listed:
        is_last = earlier.path == segment.path
        if not is_last and earlier.sealed and earlier.last < min(seqs):
            continue
        # What cannot be read is noted where it is read.
        with suppress(OSError, EOFError, zlib.error, JournalOffError), earlier.open() as opened:
            file = beginning(opened, offset) if is_last else opened
            records = (record for line, _ in lines_of(file) for record in records_in(line))
            found.update(record for record in records if seq_of(record) in seqs)
        if is_last:
            break
    return found
