"""Report the damage of a log by segment. Changes nothing and takes no lock.

Invariant: the report counts every line of every segment, and its exit code is 0 only if the chosen
mode finds no fault.
"""

import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from journal.errors import JournalOffError
from journal.log.chain import SegmentCheck
from journal.log.findings import ANOMALY, CORRUPT, TORN, UNKNOWN, VALID, Findings
from journal.log.lines import claimed_seq
from journal.log.read import Reader
from journal.log.record import is_tombstone
from journal.log.segment import tail_of


class Verification:
    """Outcome of `verify` and `repair`.

    mode: default, strict or salvage. rows: by segment. found: what the reader noticed. counts:
    number by verdict, of `found` and its chain; findings: the same, the first 1,000. lost: records
    that are known to have been there and are not. tombstones: valid records without texts.
    repaired: fields of the `journal.repaired` events appended.
    """

    def __init__(self, mode: str, rows: list[SegmentCheck], found: Findings) -> None:
        self.mode = mode
        self.rows = rows
        self.found = found
        chain = [finding for _, finding in found.chain]
        self.findings = [*found.listed, *chain]
        self.counts = dict.fromkeys((VALID, UNKNOWN, TORN, CORRUPT, ANOMALY), 0) | found.counts
        self.counts[ANOMALY] += len(chain)
        self.lost = 0
        self.tombstones = 0
        self.repaired: list[dict[str, Any]] = []

    @property
    def exit_code(self) -> int:
        """Return 0 or 1. strict: any finding is a fault; salvage: a lost record is; else see below.

        By default torn records (a writer died), types of a later version, and gaps that a repair
        has named are no fault.
        """
        if self.mode == "strict":
            return int(any(self.counts[name] for name in (UNKNOWN, TORN, CORRUPT, ANOMALY)))
        if self.mode == "salvage":
            return int(self.lost > 0 or len(self.found.gaps) > len(self.found.known))
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

    known: returns whether this build knows the type and version of a record (without newline);
    without it no record counts as unknown. upto: see Reader.
    """
    reader = Reader(directory, upto=upto)
    rows = []
    tombstones = unknown = 0
    for segment, batches in reader.by_segment():
        assert reader.row is not None
        rows.append(reader.row)
        for batch in batches:
            tombstones += sum(is_tombstone(line) for _seq, line in batch)
            if known is not None:
                unknown += sum(not known(line) for _seq, line in batch)
        if not reader.row.size:
            with suppress(OSError, EOFError, zlib.error, JournalOffError):  # noted while reading
                reader.row.size = tail_of(segment)[1]
    mode = "strict" if strict else "salvage" if salvage else "default"
    report = Verification(mode, rows, reader.found)
    report.counts[VALID] -= unknown
    report.counts[UNKNOWN] = unknown
    report.tombstones = tombstones
    report.lost = sum(  # records that are nowhere else in the log
        item.line == 0 or (claimed_seq(item.excerpt) or 0) > reader.last_seq
        for item in reader.found.listed
        if item.verdict == CORRUPT
    )
    for first, last, finding in reader.found.gaps:
        if reader.found.is_known(first, last):
            finding.what = finding.what.replace("gap:", "known gap:", 1)
    return report
