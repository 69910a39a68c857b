"""The findings of a reader in a log, and whether they are damage.

Invariant: `counts` counts every finding, also those that are not listed. `is_damaged` alone
decides, for all commands, checks and reports.
"""

from dataclasses import dataclass, field, replace
from typing import Any

MOST_MISSING = 100  # ranges a `journal.repaired` names
_LISTED = 1000
_EXCERPT = 120  # bytes

VALID = "valid"
UNKNOWN = "unknown"
TORN = "torn"
CORRUPT = "corrupt"
ANOMALY = "anomaly"


@dataclass
class Finding:
    """One finding of a reader.

    verdict: TORN, CORRUPT, ANOMALY or UNKNOWN.
    path, line, offset: where (line from 1; offset in bytes of the uncompressed segment).
    what: one sentence. excerpt: the first bytes concerned, at most 120.
    """

    verdict: str
    path: str
    line: int
    offset: int
    what: str
    excerpt: bytes = b""


@dataclass
class Findings:
    """The findings of one pass over a log; a checkpoint has them as JSON.

    path: the file that further findings are about. counts: number by verdict. listed: the first
    1,000. gaps: missing seqs, as (first, last, finding). missed: events that were never recorded,
    by `journal.gap`. collected: class of records → time before which their texts were removed, by
    `journal.collected`. named, repaired: gaps and segments that repairs named. suspected: as
    `chain`, before repairs.
    """

    path: str
    counts: dict[str, int] = field(default_factory=lambda: {VALID: 0})
    listed: list[Finding] = field(default_factory=list)
    gaps: list[tuple[int, int, Finding]] = field(default_factory=list)
    missed: int = 0
    collected: dict[str, str] = field(default_factory=dict)
    named: list[list[int]] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    suspected: list[tuple[list[str], Finding]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Return whether every record was readable and in its place (torn ends are no loss)."""
        return not (self.counts.get(CORRUPT) or self.counts.get(ANOMALY))

    @property
    def is_damaged(self) -> bool:
        """Return whether there is damage that no repair has dealt with."""
        anomalies = self.counts.get(ANOMALY, 0) - len(self.known)
        return bool(self.counts.get(CORRUPT) or anomalies > 0 or self.chain)

    @property
    def known(self) -> list[tuple[int, int]]:
        """Return the gaps that a repair has named."""
        return [(first, last) for first, last, _ in self.gaps if self.is_known(first, last)]

    @property
    def chain(self) -> list[tuple[list[str], Finding]]:
        """Return (segments, finding) where a segment does not fit its name or its neighbours."""
        return [item for item in self.suspected if not set(item[0]) & set(self.repaired)]

    @property
    def unrepaired(self) -> list[Finding]:
        """Return the damage that is not repaired, of the first 1,000 findings."""
        repaired = [finding for first, last, finding in self.gaps if self.is_known(first, last)]
        excluded = {(item.path, item.what) for item in repaired}
        return [
            item
            for item in (*self.listed, *(finding for _, finding in self.chain))
            if item.verdict in (CORRUPT, ANOMALY) and (item.path, item.what) not in excluded
        ]

    def is_known(self, first: int, last: int) -> bool:
        """Return whether a repair has named these seqs as missing."""
        return any(low <= first and last <= high for low, high in self.named)

    def suspect(self, names: list[str], what: str) -> None:
        """Add that a segment does not fit; a repair of any of the segments `names` resolves it."""
        self.suspected.append((names, Finding(ANOMALY, self.path, 1, 0, what)))

    def read_own(self, fields: dict[str, Any]) -> None:
        """Read an event of the journal itself: a repair, lost events, removed texts."""
        if fields.get("type") == "journal.gap":
            missed = fields.get("missed")
            self.missed += missed if isinstance(missed, int) else 0
        elif fields.get("type") == "journal.collected":
            before = fields.get("before")
            self.collected.update(before if isinstance(before, dict) else {})
        elif fields.get("type") == "journal.repaired":
            self.repaired.append(str(fields.get("segment")))
            missing = fields.get("missing")
            for pair in missing[: MOST_MISSING + 1] if isinstance(missing, list) else ():
                if isinstance(pair, list) and [type(end) for end in pair] == [int, int]:
                    self.named.append(pair)

    def note(
        self, verdict: str, what: str, line: int = 0, offset: int = 0, excerpt: bytes = b""
    ) -> Finding:
        """Add one finding about the file being read; line 0 is the whole file."""
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        finding = Finding(verdict, self.path, line, offset, what, excerpt[:_EXCERPT])
        if len(self.listed) < _LISTED:
            self.listed.append(finding)
        return finding

    def miss(
        self, first: int, last: int, line: int = 0, offset: int = 0, *, where: str = ""
    ) -> None:
        """Add a gap before the record at `line`; where: text for a gap in another position."""
        what = f"gap: seq {span_of(first, last)} missing {where or f'before {last + 1}'}"
        self.gaps.append((first, last, self.note(ANOMALY, what, line, offset)))

    def forget_end(self) -> None:
        """Drop the findings about the end of the log, which each reader checks again."""
        lasting = self.lasting()
        self.counts, self.listed, self.gaps = lasting.counts, lasting.listed, lasting.gaps

    def lasting(self) -> "Findings":
        """Return a copy for a checkpoint, without the findings about the end of the log."""
        ends = [item for _, _, item in self.gaps if not item.line]
        counts = dict(self.counts)
        if ends:
            counts[ANOMALY] -= len(ends)
        listed = [item for item in self.listed if item not in ends]
        gaps = [gap for gap in self.gaps if gap[2].line]
        return replace(self, path="", counts=counts, listed=listed, gaps=gaps)


def span_of(first: int, last: int) -> str:
    """Return a run of seqs as text."""
    return f"{first}" if first == last else f"{first} to {last}"
