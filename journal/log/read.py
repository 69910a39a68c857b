"""Read a journal from the start or from an offset: whole records in seq order, and findings.

Invariant: a record is given once, in seq order, and only if its CRC passes; nothing that failed
is left out in silence (`Reader.findings`, `Reader.counts`).
"""

from __future__ import annotations

import zlib
from itertools import chain

from journal.problem import ANOMALY, CORRUPT, TORN, Finding
from journal.log.record import HEAD, TAIL, is_whole, salvage, seq_of
from journal.log.segment import Segment, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

__all__ = ["Reader", "records"]

_FINDINGS_KEPT = 1000
_CRC = b',"crc":"'
_BATCH = 256 * 1024  # bytes of lines taken at a time: enough to amortise, small in memory


class Reader:
    """Iterates over the records of one journal.

    Iterating gives (seq, line without newline). Afterwards `findings` holds what was noticed (at
    most 1,000; `counts` has the true numbers by verdict) and `last_seq` the last seq given.
    after: records with a seq up to this one are passed over. strict_ids: refuse a segment of
    another journal.
    """

    def __init__(self, directory: str, after: int = 0) -> None:
        self.directory = directory
        self.after = after
        self.findings: list[Finding] = []
        self.counts: dict[str, int] = {}
        self.last_seq = after
        self.journal = ""
        self._segment: Segment | None = None

    @property
    def complete(self) -> bool:
        """Whether every record was readable and in its place (torn ends are no loss)."""
        return not (self.counts.get(CORRUPT) or self.counts.get(ANOMALY))

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for batch in self.batches():
            yield from batch

    def batches(self) -> Iterator[list[tuple[int, bytes]]]:
        """Give the same records in lists: a generator step for each one costs more than its CRC."""
        for segment in segments(self.directory):
            if segment.sealed and segment.last <= self.after:
                continue
            self._segment = segment
            try:
                with segment.open() as file:
                    yield from self._segment_batches(file, max(segment.first, 1))
            except (OSError, EOFError, zlib.error) as error:
                self.note(CORRUPT, 0, 0, f"cannot be read further: {error}")

    def note(self, verdict: str, line: int, offset: int, what: str, excerpt: bytes = b"") -> None:
        """Keep one finding about the segment being read."""
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        if len(self.findings) < _FINDINGS_KEPT:
            path = self._segment.path if self._segment else self.directory
            self.findings.append(Finding(verdict, path, line, offset, what, excerpt))

    def _segment_batches(self, file: IO[bytes], expected: int) -> Iterator[list[tuple[int, bytes]]]:
        number = offset = 0
        after, crc32 = self.after, zlib.crc32
        while lines := file.readlines(_BATCH):
            batch: list[tuple[int, bytes]] = []
            for index, raw in enumerate(lines):
                # Whole, in its place and the one expected: all of that by position.
                if (
                    raw[-19:-11] != _CRC
                    or raw[-11:] != b'%08x"}\n' % crc32(raw[:-19])
                    or not raw.startswith(b'{"seq":%d,' % expected)
                ):
                    if batch:
                        self.last_seq = batch[-1][0]
                        yield batch
                    rest = chain(lines[index:], file)
                    yield self._careful(rest, number, offset, expected)
                    return
                if expected > after:
                    batch.append((expected, raw[:-1]))
                expected += 1
                number += 1
                offset += len(raw)
            if batch:
                self.last_seq = batch[-1][0]
                yield batch

    def _careful(
        self, lines: Iterator[bytes], number: int, offset: int, expected: int
    ) -> list[tuple[int, bytes]]:
        """Give the rest of a segment in which something is odd: judge each line, sort, explain."""
        found = list(self._judged(lines, number, offset))
        return list(self._sorted(found, expected))

    def _sorted(
        self, rest: list[tuple[int, bytes, int, int]], expected: int
    ) -> Iterator[tuple[int, bytes]]:
        previous = expected - 1
        for seq, _line, number, offset in rest:
            if seq <= previous:
                self.note(ANOMALY, number, offset, f"seq {seq} after {previous}: "
                          + ("a duplicate" if seq == previous else "out of order"))  # fmt: skip
            previous = max(previous, seq)
        last = expected - 1
        for seq, line, number, offset in sorted(rest, key=lambda item: item[0]):
            if seq <= last:
                continue
            if seq > last + 1:
                missing = f"{last + 1}" if seq == last + 2 else f"{last + 1} to {seq - 1}"
                self.note(ANOMALY, number, offset, f"gap: seq {missing} missing before {seq}")
            last = seq
            if seq > self.after:
                self.last_seq = seq
                yield seq, line

    def _judged(
        self, lines: Iterator[bytes], number: int, offset: int
    ) -> Iterator[tuple[int, bytes, int, int]]:
        """Whole records as (seq, line, line number, offset); everything else becomes a finding."""
        fragment: tuple[int, int, bytes] | None = None
        for raw in lines:
            number += 1
            line = raw[:-1] if raw.endswith(b"\n") else raw
            if is_whole(line):
                seq = seq_of(line)
                if fragment:
                    self._explain(fragment, seq)
                    fragment = None
                yield seq, line, number, offset
            else:
                if fragment:
                    self._explain(fragment, -1)
                    fragment = None
                inside = salvage(line)
                for at, span in inside:
                    yield seq_of(span), span, number, offset + at
                if inside or len(line) != len(raw) - 1 or not _looks_cut(line):
                    self._blame(line, inside, number, offset, last=len(line) == len(raw))
                else:
                    fragment = (number, offset, line)
            offset += len(raw)
        if fragment:
            self._explain(fragment, -1)

    def _explain(self, fragment: tuple[int, int, bytes], following: int) -> None:
        """Judge a cut line by what follows: a writer that died gave its seq to the next one."""
        number, offset, line = fragment
        claimed = _claimed_seq(line)
        if following >= 0 and (claimed is None or claimed == following):
            self.note(TORN, number, offset, f"a record cut short after {len(line)} bytes "
                      "(its writer died); the next append healed it", line)  # fmt: skip
        else:
            self.note(CORRUPT, number, offset, "a damaged record", line)

    def _blame(self, line: bytes, inside: list[tuple[int, bytes]], number: int, offset: int,
               *, last: bool) -> None:  # fmt: skip
        if last and not inside and _looks_cut(line):
            what = f"a record cut short after {len(line)} bytes (its writer died)"
            self.note(TORN, number, offset, what, line)
            return
        rest = len(line) - sum(len(span) for _, span in inside)
        if inside:
            ids = ", ".join(str(seq_of(span)) for _, span in inside)
            what = f"{rest} foreign bytes around the whole record(s) {ids}"
        elif b"\0" in line:
            what = f"{line.count(0)} NUL bytes"
        elif not line.strip():
            what = "a blank line"
        else:
            what = "not a whole record: its checksum does not fit"
        self.note(CORRUPT, number, offset, what, line)


def records(directory: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
    """Whole records of a journal in seq order, for a reader that asks for no findings."""
    return iter(Reader(directory, after))


def _looks_cut(line: bytes) -> bool:
    """Whether `line` can be the beginning of a record: begins like one, lacks the end of one."""
    if not line or b"\0" in line:
        return False
    return HEAD.startswith(line[: len(HEAD)]) and line[-TAIL:-10] != _CRC


def _claimed_seq(line: bytes) -> int | None:
    comma = line.find(b",", len(HEAD))
    number = line[len(HEAD) : comma] if comma > 0 else b""
    return int(number) if number.isdigit() else None
