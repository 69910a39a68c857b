"""The findings of a reader in a log, and whether they are damage.

Invariant: `counts` counts every finding, also those that are not listed. `is_damaged` alone
decides, for all commands, checks and reports.
"""

from typing import Any

MOST_MISSING = 100  # ranges a `journal.repaired` names
_LISTED = 1000

VALID = "valid"
UNKNOWN = "unknown"
TORN = "torn"
CORRUPT = "corrupt"
ANOMALY = "anomaly"


class Finding:
    """One finding of a reader.

    verdict: TORN, CORRUPT, ANOMALY or UNKNOWN.
    path, line, offset: where (line from 1; offset in bytes of the uncompressed segment).
    what: one sentence. excerpt: the first bytes concerned, at most 120.
    """

    __slots__ = ("excerpt", "line", "offset", "path", "verdict", "what")

    def __init__(
        self, verdict: str, path: str, line: int, offset: int, what: str, excerpt: bytes = b""
    ) -> None:
        self.verdict = verdict
        self.path = path
        self.line = line
        self.offset = offset
        self.what = what
        self.excerpt = excerpt[:120]

    def __repr__(self) -> str:
        return f"{self.path}:{self.line}: {self.verdict}: {self.what}"


class Findings:
    """The findings of one pass over a log.

    counts: number by verdict. listed: the first 1,000. gaps: missing seqs, as (first, last,
    finding). path: the file that further findings are about. missed: events that were never
    recorded, by `journal.gap`. collected: class of records → time before which their texts were
    removed, by `journal.collected`.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.counts: dict[str, int] = {VALID: 0}
        self.listed: list[Finding] = []
        self.gaps: list[tuple[int, int, Finding]] = []
        self.missed = 0
        self.collected: dict[str, str] = {}
        self._named: list[list[int]] = []
        self._repaired: list[str] = []
        self._chain: list[tuple[list[str], Finding]] = []

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
        return [item for item in self._chain if not set(item[0]) & set(self._repaired)]

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
        return any(low <= first and last <= high for low, high in self._named)

    def suspect(self, names: list[str], what: str) -> None:
        """Add that a segment does not fit; a repair of any of the segments `names` resolves it."""
        self._chain.append((names, Finding(ANOMALY, self.path, 1, 0, what)))

    def read_own(self, fields: dict[str, Any]) -> None:
        """Read an event of the journal itself: a repair, lost events, removed texts."""
        if fields.get("type") == "journal.gap":
            missed = fields.get("missed")
            self.missed += missed if isinstance(missed, int) else 0
        elif fields.get("type") == "journal.collected":
            before = fields.get("before")
            self.collected.update(before if isinstance(before, dict) else {})
        elif fields.get("type") == "journal.repaired":
            self._repaired.append(str(fields.get("segment")))
            missing = fields.get("missing")
            for pair in missing[: MOST_MISSING + 1] if isinstance(missing, list) else ():
                if isinstance(pair, list) and [type(end) for end in pair] == [int, int]:
                    self._named.append(pair)

    def note(
        self, verdict: str, what: str, line: int = 0, offset: int = 0, excerpt: bytes = b""
    ) -> Finding:
        """Add one finding about the file being read; line 0 is the whole file."""
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        finding = Finding(verdict, self.path, line, offset, what, excerpt)
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
        self.counts, self.listed, self.gaps = self._lasting()

    def _lasting(self) -> tuple[dict[str, int], list[Finding], list[tuple[int, int, Finding]]]:
        """Return counts, findings and gaps, without those about the end of the log."""
        ends = [item for _, _, item in self.gaps if not item.line]
        counts = dict(self.counts)
        if ends:
            counts[ANOMALY] -= len(ends)
        listed = [item for item in self.listed if item not in ends]
        return counts, listed, [gap for gap in self.gaps if gap[2].line]

    def plain(self) -> dict[str, Any]:
        """Return JSON values for a checkpoint, without the findings about the end of the log."""
        counts, listed, gaps = self._lasting()
        return {
            "counts": counts,
            "listed": [_plain(item) for item in listed],
            "gaps": [[first, last, _plain(item)] for first, last, item in gaps],
            "missed": self.missed,
            "collected": self.collected,
            "named": self._named,
            "repaired": self._repaired,
            "chain": [[names, _plain(item)] for names, item in self._chain],
        }

    @staticmethod
    def parse(path: str, plain: dict[str, Any]) -> "Findings":
        """Build it from what `plain` returned."""
        found = Findings(path)
        found.counts = plain["counts"]
        found.listed = [_parsed(item) for item in plain["listed"]]
        found.gaps = [(first, last, _parsed(item)) for first, last, item in plain["gaps"]]
        found.collected = plain["collected"]
        found.missed, found._named = plain["missed"], plain["named"]
        found._repaired = plain["repaired"]
        found._chain = [(names, _parsed(item)) for names, item in plain["chain"]]
        return found


def span_of(first: int, last: int) -> str:
    """Return a run of seqs as text."""
    return f"{first}" if first == last else f"{first} to {last}"


def _plain(item: Finding) -> list[Any]:
    excerpt = item.excerpt.decode("latin-1")
    return [item.verdict, item.path, item.line, item.offset, item.what, excerpt]


def _parsed(plain: list[Any]) -> Finding:
    verdict, path, line, offset, what, excerpt = plain
    return Finding(verdict, path, line, offset, what, excerpt.encode("latin-1"))
