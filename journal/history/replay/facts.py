"""What a kept file says: the place, what the log was up to there, and the states.

Invariant: all of it follows from the bytes of the log up to the place and from the code of the
projections, so a file that fits both says what a fold from the start would say.
"""

from __future__ import annotations

import msgspec

from journal.errors import Finding
from journal.log.position import Bookmark
from journal.log.record import type_of

__all__ = ["ABOUT", "FORM", "About", "Head", "bookmark_of", "head_of", "sid_of", "ts_of"]

FORM = 1  # raise it when the fold itself, the reader or what an event is read into changes
ABOUT = "about"  # the section that holds an `About`; the others are named as their projections

_TS = b'"ts":"'
_SID = b'"sid":"'
_COMPOUND = b'"compound.ran"'
_LENGTH = 24  # characters of a time as the journal writes it


class About(msgspec.Struct):
    """Facts about the records up to a place.

    first, ts: times of the first and the last; last_type: of the last; latest: a time that none of
    theirs is later than, "" where that cannot be told. sessions: sid → [first seq, last seq, last
    time], in the order they were met. compound: the last `compound.ran` as it stands in the log.
    """

    events: int = 0
    first: str = ""
    ts: str = ""
    last_type: str = ""
    latest: str = "0"
    sessions: dict[str, tuple[int, int, str]] = {}
    compound: str = ""

    def see(self, batch: list[tuple[int, bytes]]) -> None:
        """Take further records in."""
        self.events += len(batch)
        self.first = self.first or ts_of(batch[0][1])
        last = batch[-1][1]
        self.ts, self.last_type = ts_of(last), type_of(last)
        if self.latest:
            latest = _latest(batch)
            self.latest = max(self.latest, latest) if latest else ""
        for name, (first, seq, line) in _sessions(batch).items():
            sid = name.decode("utf-8", "replace")
            known = self.sessions.get(sid)
            self.sessions[sid] = (known[0] if known else first, seq, ts_of(line))
        for _, line in batch:
            if line.find(_COMPOUND, 7, 160) > 0 and type_of(line) == "compound.ran":
                self.compound = line.decode("utf-8", "surrogateescape")


def _sessions(batch: list[tuple[int, bytes]]) -> dict[bytes, tuple[int, int, bytes]]:
    """Give each session of a batch → its first seq and its last record here."""
    found: dict[bytes, tuple[int, int, bytes]] = {}
    now, sid, first, last = b"\0", b"", 0, batch[0]
    for item in batch:
        line = item[1]
        at = line.find(_SID, 40, 160)
        if at > 0 and line.startswith(now, at):
            last = item
            continue
        if sid:
            found[sid] = (first, *last)
        sid = line[at + 7 : line.find(b'"', at + 7)] if at > 0 else b""
        now = _SID + sid + b'"'
        first, last = found[sid][0] if sid in found else item[0], item
    if sid:
        found[sid] = (first, *last)
    return found


class Head(msgspec.Struct):
    """The first line of a kept file.

    files: name, bytes and CRC-32 of each segment before the place's own. index, offset, block,
    lines, checksum, seq, reached, journal, counts: see `journal.log.position.Bookmark`; findings,
    gaps: the same as plain data. sections: name → version, bytes, CRC-32; in this order behind the
    line. keys, unknown: see Fold, of every type that some section's projection handles.
    """

    form: int
    index: int
    offset: int
    block: int
    lines: int
    checksum: int
    seq: int
    reached: int
    journal: str
    counts: dict[str, int]
    findings: list[tuple[str, str, int, int, str, bytes]]
    gaps: list[tuple[int, int, tuple[str, str, int, int, str, bytes]]]
    files: list[tuple[str, int, int]] = []
    sections: dict[str, tuple[int, int, int]] = {}
    keys: dict[str, int] = {}
    unknown: dict[str, int] = {}


def head_of(bookmark: Bookmark) -> Head:
    """Give a bookmark as plain data."""
    gaps = [(first, last, _plain(finding)) for first, last, finding in bookmark.gaps]
    findings = [_plain(item) for item in bookmark.findings]
    return Head(
        FORM,
        bookmark.index,
        bookmark.offset,
        bookmark.block,
        bookmark.lines,
        bookmark.checksum,
        bookmark.seq,
        bookmark.reached,
        bookmark.journal,
        bookmark.counts,
        findings,
        gaps,
    )


def bookmark_of(head: Head) -> Bookmark:
    """Give a bookmark of plain data."""
    bookmark = Bookmark(
        head.index, (head.offset, head.block, head.lines, head.checksum), head.seq, head.reached
    )
    bookmark.journal, bookmark.counts = head.journal, head.counts
    bookmark.findings = [Finding(*item) for item in head.findings]
    bookmark.gaps = [(first, last, Finding(*item)) for first, last, item in head.gaps]
    return bookmark


def _plain(finding: Finding) -> tuple[str, str, int, int, str, bytes]:
    return (
        finding.verdict,
        finding.path,
        finding.line,
        finding.offset,
        finding.what,
        finding.excerpt,
    )


def _latest(batch: list[tuple[int, bytes]]) -> str:
    """Latest of the times, cut to their usual length; "" where one is not in its usual place."""
    found: list[bytes] = []
    widths = range(len(str(batch[0][0])), len(str(batch[-1][0])) + 1)
    for width in widths:
        start = len('{"seq":,') + width
        end = start + len(_TS) + _LENGTH
        # A record whose seq is longer or shorter has its comma elsewhere.
        found += [
            line[start:end]
            for _, line in batch
            if len(widths) == 1 or line[start - 1 : start] == b","
        ]
    if len(found) < len(batch) or not min(found).startswith(_TS):
        return ""
    latest = max(found)
    return latest[len(_TS) :].decode("utf-8", "replace") if latest.startswith(_TS) else ""


def ts_of(line: bytes) -> str:
    """Time of a whole record, by its place; "" where it is not in it."""
    at = line.find(_TS, 7, 40)
    return line[at + 6 : line.find(b'"', at + 6)].decode("utf-8", "replace") if at > 0 else ""


def sid_of(line: bytes) -> str:
    """Session of a whole record, by its place in the envelope."""
    at = line.find(b'"sid":"', 40, 160)
    return line[at + 7 : line.find(b'"', at + 7)].decode("utf-8", "replace") if at > 0 else ""
