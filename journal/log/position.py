"""How far a reader has come in a log, so that another one can go on from there.

Invariant: it follows from the bytes before it alone.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.errors import Finding

__all__ = ["Bookmark"]


class Bookmark:
    """How far a reader has come, and what it found up to there; it follows from these bytes alone.

    index: which segment, counted in the order of the listing; offset: end of the last record given,
    in its uncompressed bytes (0: none of it was read); block: bytes taken for that; lines before
    it; checksum: CRC-32 of the bytes up to `block`, which no later write changes. seq: last one
    given; reached: highest seq seen; journal: id. counts, gaps, findings: as the reader's.
    """

    __slots__ = (
        "block",
        "checksum",
        "counts",
        "findings",
        "gaps",
        "index",
        "journal",
        "lines",
        "offset",
        "reached",
        "seq",
    )

    def __init__(
        self, index: int, place: tuple[int, int, int, int], seq: int, reached: int
    ) -> None:
        self.index = index
        self.offset, self.block, self.lines, self.checksum = place
        self.seq = seq
        self.reached = reached
        self.journal = ""
        self.counts: dict[str, int] = {}
        self.gaps: list[tuple[int, int, Finding]] = []
        self.findings: list[Finding] = []
