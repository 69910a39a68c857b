"""Say what is wrong with a journal, segment by segment, changing nothing and taking no lock.

Invariant: the report counts every line of every segment, and its exit code is 0 only where the
chosen mode has nothing to object to.
"""

from __future__ import annotations

import zlib

from journal.errors import JournalOffError
from journal.log.findings import ANOMALY, CORRUPT, TORN, UNKNOWN, VALID, Finding
from journal.log.read import Reader
from journal.log.record import claimed_seq, is_tombstone, unframe
from journal.log.segment import Segment, digest_of, opening, tail_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["MOST_MISSING", "SegmentCheck", "Verification", "repaired_gaps", "verify"]

MOST_MISSING = 100  # ranges a `journal.repaired` names


class SegmentCheck:
    """What one segment holds.

    segment: where. first, last: seqs of its records (0 without any). records: whole ones. size: in
    bytes, uncompressed. bad: findings about it, gaps left out. opened: fields of its first record.
    foreign: it belongs to another journal.
    """

    __slots__ = ("bad", "first", "foreign", "last", "opened", "records", "segment", "size")

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.first = self.last = self.records = self.size = self.bad = 0
        self.opened: dict[str, Any] = {}
        self.foreign = False


class Verification:
    """Outcome of `verify` and `repair`.

    counts: number by verdict; findings: the first 1,000; rows: by segment; gaps: missing seqs as
    (first, last, finding); known: how many of them a repair has named; lost: records that are known
    to have been there and are not; chain: names of segments that do not fit their name or
    what their successor says of them; repaired: fields of the `journal.repaired` events appended;
    tombstones: records whose texts `journal gc` removed (valid ones).
    """

    def __init__(self, mode: str = "default") -> None:
        self.mode = mode
        self.counts = dict.fromkeys((VALID, UNKNOWN, TORN, CORRUPT, ANOMALY), 0)
        self.findings: list[Finding] = []
        self.rows: list[SegmentCheck] = []
        self.gaps: list[tuple[int, int, Finding]] = []
        self.known = 0
        self.lost = 0
        self.tombstones = 0
        self.chain: set[str] = set()
        self.repaired: list[dict[str, Any]] = []

    @property
    def exit_code(self) -> int:
        """0 or 1. strict: any finding is a fault; salvage: only a lost record is; else see below.

        By default torn records (a writer died), types of a later version, and gaps that a repair
        has named are no fault.
        """
        unknown_gaps = len(self.gaps) - self.known
        if self.mode == "strict":
            return int(any(self.counts[name] for name in (UNKNOWN, TORN, CORRUPT, ANOMALY)))
        if self.mode == "salvage":
            return int(self.lost > 0 or unknown_gaps > 0)
        return int(self.counts[CORRUPT] > 0 or self.counts[ANOMALY] > self.known)


def verify(
    directory: str,
    *,
    strict: bool = False,
    salvage: bool = False,
    known: Callable[[bytes], bool] | None = None,
    upto: int | None = None,
) -> Verification:
    """Read all of a journal and report.

    known: tells whether this build knows the type and version of a record (given without newline);
    without it no record counts as unknown. upto: see Reader.
    """
    report = Verification("strict" if strict else "salvage" if salvage else "default")
    reader = Reader(directory, upto=upto)
    repairs: list[dict[str, Any]] = []
    for segment, batches in reader.by_segment():
        row = SegmentCheck(segment)
        report.rows.append(row)
        before, gaps = sum(_found(reader)), len(reader.gaps)
        for batch in batches:
            row.first = row.first or batch[0][0]
            row.last = batch[-1][0]
            row.records += len(batch)
            for _seq, line in batch:
                report.tombstones += is_tombstone(line)
                if known is not None and not known(line):
                    report.counts[UNKNOWN] += 1
                if line.startswith(b'"type":"journal.repaired"', line.find(b'"type"')):
                    repairs.append(unframe(line))
        row.bad = sum(_found(reader)) - before - (len(reader.gaps) - gaps)
        _describe(reader, row)
    named = {str(item.get("segment")) for item in repairs}
    report.chain = _check_chain(reader, report.rows, named)
    for verdict, count in reader.counts.items():
        report.counts[verdict] += count
    report.counts[VALID] -= report.counts[UNKNOWN]
    report.findings, report.gaps = reader.findings, reader.gaps
    report.known = _count_explained(reader.gaps, repaired_gaps(repairs))
    report.lost = sum(
        finding.verdict == CORRUPT
        and ((claimed_seq(finding.excerpt) or 0) > reader.last_seq or finding.line == 0)
        for finding in reader.findings
    )
    return report


def repaired_gaps(repairs: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Ranges of seqs that `journal.repaired` records name as missing."""
    return [
        (pair[0], pair[1])
        for item in repairs
        if isinstance(item.get("missing"), list)
        for pair in item["missing"][: MOST_MISSING + 1]
        if isinstance(pair, list) and [type(end) for end in pair] == [int, int]
    ]


def _found(reader: Reader) -> list[int]:
    return [count for verdict, count in reader.counts.items() if verdict != VALID]


def _describe(reader: Reader, row: SegmentCheck) -> None:
    """Fill in what is known from the file itself, and compare its name with its content."""
    segment = row.segment
    try:
        with segment.open() as file:
            row.opened = opening(file)
        row.size = tail_of(segment)[1]
    except (OSError, EOFError, zlib.error, JournalOffError):
        return  # noted while reading
    other = row.opened.get("journal")
    row.foreign = bool(reader.journal and other) and other != reader.journal


def _check_chain(reader: Reader, rows: list[SegmentCheck], repaired: set[str]) -> set[str]:
    """Compare each segment with its name, and what it says about its predecessor with that one.

    repaired: names that a repair has dealt with. Gives the names of those that do not fit.
    """
    broken: set[str] = set()
    before: SegmentCheck | None = None
    behind_gap = {finding.path for _first, _last, finding in reader.gaps if finding.line == 1}
    for row in rows:
        if row.foreign:
            continue
        reader.found.path = row.segment.path
        if row.segment.name not in repaired and _check_name(reader, row):
            broken.add(row.segment.name)
        opened, previous = row.opened, before.segment.name if before else ""
        if opened and opened.get("previous") != previous:
            named = str(opened.get("previous") or "no other")
            # Behind a gap, that says already what is missing.
            if row.segment.path not in behind_gap and not repaired & {named, previous}:
                broken.add(previous or named)
                what = f"follows {named}, but {previous or 'none'} is before it"
                reader.found.note(ANOMALY, 1, 0, what)
        elif (
            opened
            and before
            and previous not in repaired
            and _check_link(reader, opened, before, behind_gap=row.segment.path in behind_gap)
        ):
            broken.add(previous)
        before = row
    return broken


def _check_name(reader: Reader, row: SegmentCheck) -> bool:
    segment = row.segment
    if not segment.sealed or not row.records:
        return False
    outside = row.first < segment.first or row.last > segment.last
    if outside or (not row.bad and (row.first, row.last) != (segment.first, segment.last)):
        what = f"named {segment.first} to {segment.last}, but holds {row.first} to {row.last}"
        reader.found.note(ANOMALY, 1, 0, what)
        return True
    return False


def _check_link(
    reader: Reader, opened: dict[str, Any], before: SegmentCheck, *, behind_gap: bool
) -> bool:
    if before.bad:
        return False  # damage explains it
    ended = opened.get("last_seq")
    if ended != before.last and not behind_gap:
        what = f"says that the segment before ends at {ended}, not {before.last}"
        reader.found.note(ANOMALY, 1, 0, what)
        return True
    try:
        tail, _size = tail_of(before.segment)
    except (OSError, EOFError, zlib.error, JournalOffError):
        return False  # noted while reading
    if opened.get("digest") and opened["digest"] != digest_of(tail):
        reader.found.note(ANOMALY, 1, 0, f"{before.segment.name} was changed after it was sealed")
        return True
    return False


def _count_explained(gaps: list[tuple[int, int, Finding]], named: list[tuple[int, int]]) -> int:
    known = 0
    for first, last, finding in gaps:
        if any(low <= first and last <= high for low, high in named):
            finding.what = finding.what.replace("gap:", "known gap:", 1)
            known += 1
    return known
