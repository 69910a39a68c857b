"""What a reader noticed in a log beside its records.

Invariant: nothing that failed is left out in silence; `counts` has the true numbers by verdict,
however many findings are listed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ANOMALY", "CORRUPT", "TORN", "UNKNOWN", "VALID", "Finding", "Findings"]

_LISTED = 1000

VALID = "valid"
UNKNOWN = "unknown"
TORN = "torn"
CORRUPT = "corrupt"
ANOMALY = "anomaly"


class Finding:
    """One thing a reader noticed.

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
    """counts: number by verdict; listed: the first 1,000; gaps: seqs that are missing.

    path: the file that the findings to come are about. A gap is (first, last, finding).
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.counts: dict[str, int] = {VALID: 0}
        self.listed: list[Finding] = []
        self.gaps: list[tuple[int, int, Finding]] = []

    @property
    def complete(self) -> bool:
        """Return whether every record was readable and in its place (torn ends are no loss)."""
        return not (self.counts.get(CORRUPT) or self.counts.get(ANOMALY))

    def note(
        self, verdict: str, line: int, offset: int, what: str, excerpt: bytes = b""
    ) -> Finding:
        """Add one finding about the file being read."""
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        finding = Finding(verdict, self.path, line, offset, what, excerpt)
        if len(self.listed) < _LISTED:
            self.listed.append(finding)
        return finding

    def miss(self, first: int, last: int, line: int, offset: int) -> None:
        """Add that records are missing before the one at `line`."""
        which = f"{first}" if first == last else f"{first} to {last}"
        what = f"gap: seq {which} missing before {last + 1}"
        self.gaps.append((first, last, self.note(ANOMALY, line, offset, what)))

    def plain(self) -> dict[str, Any]:
        """Return it as values that JSON holds, for a checkpoint."""
        return {
            "counts": self.counts,
            "listed": [_plain(item) for item in self.listed],
            "gaps": [[first, last, _plain(item)] for first, last, item in self.gaps],
        }

    @staticmethod
    def parse(path: str, plain: dict[str, Any]) -> Findings:
        """Build it from what `plain` returned."""
        found = Findings(path)
        found.counts = plain["counts"]
        found.listed = [_parsed(item) for item in plain["listed"]]
        found.gaps = [(first, last, _parsed(item)) for first, last, item in plain["gaps"]]
        return found


def _plain(item: Finding) -> list[Any]:
    excerpt = item.excerpt.decode("latin-1")
    return [item.verdict, item.path, item.line, item.offset, item.what, excerpt]


def _parsed(plain: list[Any]) -> Finding:
    verdict, path, line, offset, what, excerpt = plain
    return Finding(verdict, path, line, offset, what, excerpt.encode("latin-1"))
