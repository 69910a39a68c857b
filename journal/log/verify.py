"""Say what is wrong with a journal, segment by segment, changing nothing and taking no lock.

Invariant: the report counts every line of every segment, and its exit code is 0 only where the
chosen mode has nothing to object to.
"""

from __future__ import annotations

import zlib
from contextlib import suppress

from journal.errors import JournalOffError
from journal.log.findings import ANOMALY, CORRUPT, TORN, UNKNOWN, VALID, Finding, Findings
from journal.log.read import Reader
from journal.log.record import claimed_seq, is_tombstone
from journal.log.segment import tail_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from journal.log.chain import SegmentCheck

__all__ = ["Verification", "verify"]


class Verification:
    """Outcome of `verify` and `repair`.

    counts: number by verdict; findings: the first 1,000; rows: by segment; gaps: missing seqs as
    (first, last, finding); known: how many of them a repair has named; found: all of it as the
    reader has it; lost: records that are known to have been there and are not; chain: names of
    segments that do not fit their name or their neighbours; repaired: fields of the
    `journal.repaired` events appended; tombstones: valid records without texts.
    """

    def __init__(self, mode: str = "default") -> None:
        self.mode = mode
        self.found = Findings("")
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
        return int(self.found.is_damaged)


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
    for segment, batches in reader.by_segment():
        assert reader.row is not None
        report.rows.append(reader.row)
        for batch in batches:
            report.tombstones += sum(is_tombstone(line) for _seq, line in batch)
            if known is not None:
                report.counts[UNKNOWN] += sum(not known(line) for _seq, line in batch)
        if not reader.row.size:
            with suppress(OSError, EOFError, zlib.error, JournalOffError):  # noted while reading
                reader.row.size = tail_of(segment)[1]
    chain = reader.found.chain
    report.chain = {name for names, _ in chain for name in names}
    for verdict, count in reader.counts.items():
        report.counts[verdict] += count
    report.counts[VALID] -= report.counts[UNKNOWN]
    report.counts[ANOMALY] += len(chain)
    report.findings = [*reader.findings, *(finding for _, finding in chain)]
    report.gaps, report.found = reader.gaps, reader.found
    report.known = len(reader.found.known)
    for first, last, finding in reader.gaps:
        if reader.found.is_known(first, last):
            finding.what = finding.what.replace("gap:", "known gap:", 1)
    report.lost = sum(
        finding.verdict == CORRUPT
        and ((claimed_seq(finding.excerpt) or 0) > reader.last_seq or finding.line == 0)
        for finding in reader.findings
    )
    return report
