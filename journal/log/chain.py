"""Check that each segment of a log fits its name and the previous segment.

Invariant: a segment that was renamed, exchanged, removed, or changed after it was sealed becomes a
finding, unless other damage explains it.
"""

import zlib
from typing import Any

from journal.errors import JournalOffError
from journal.log.findings import Findings
from journal.log.segment import TAIL_BYTES, Segment, digest_of, tail_of


class SegmentCheck:
    """A reader's findings about one segment.

    first, last: seqs of its records, 0 without any. records: number of whole ones. size: bytes,
    uncompressed. bad: number of findings about it, without gaps. opened: fields of its first
    record. foreign: it belongs to another journal. behind_gap: records before it are missing.
    """

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.first = self.last = self.records = self.size = self.bad = 0
        self.opened: dict[str, Any] = {}
        self.foreign = self.behind_gap = False
        self.tail = b""

    def end_with(self, data: bytes) -> None:
        """Remember the last bytes read."""
        self.tail = data[-TAIL_BYTES:] if len(data) >= TAIL_BYTES else self.tail + data

    def digest(self) -> str:
        """Return the digest of its end, which the next segment stores; "" if unreadable."""
        tail = self.tail[-TAIL_BYTES:]
        if len(tail) < min(TAIL_BYTES, self.size):  # read on from a position near the end
            try:
                tail = tail_of(self.segment)[0]
            except (OSError, EOFError, zlib.error, JournalOffError):
                return ""
        return digest_of(tail)


def check_chain(found: Findings, earlier: SegmentCheck | None, row: SegmentCheck) -> None:
    """Compare a segment that was read with its name and with the previous one, if any."""
    segment, opened = row.segment, row.opened
    found.path = segment.path
    if segment.sealed and row.records and not _fits_name(row):
        what = f"named {segment.first} to {segment.last}, but holds {row.first} to {row.last}"
        found.suspect([segment.name], what)
    previous = earlier.segment.name if earlier else ""
    if not opened:
        return
    if opened.get("previous") != previous:
        named = str(opened.get("previous") or "")
        if not row.behind_gap:  # the gap is a finding already
            what = f"follows {named or 'no other'}, but {previous or 'none'} is before it"
            found.suspect([name for name in (previous, named) if name], what)
        return
    if earlier is None or earlier.bad:
        return  # damage explains the rest
    ended = opened.get("last_seq")
    if ended != earlier.last and not row.behind_gap:
        what = f"says that the segment before ends at {ended}, not {earlier.last}"
        found.suspect([previous], what)
        return
    if opened.get("digest") and earlier.digest() not in ("", opened["digest"]):
        from journal.log.rewrite import is_rewritten  # only a link that does not fit needs it

        if not is_rewritten(earlier.segment, segment):
            found.suspect([previous], f"{previous} was changed after it was sealed")


def _fits_name(row: SegmentCheck) -> bool:
    segment = row.segment
    if row.first < segment.first or row.last > segment.last:
        return False
    return bool(row.bad) or (row.first, row.last) == (segment.first, segment.last)
