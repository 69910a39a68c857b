"""Which logs there are, what of each is new, and the digests it changes.

Invariant: reading on gives what reading all gives. Where a log is not the one that was read
(another journal, a repaired, rewritten or missing segment), all of it is read again.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from journal.checkpoint import Position
from journal.codec import digest as digest_of
from journal.errors import VALID, JournalOffError
from journal.history.importer import IMPORTED
from journal.log.read import Reader
from journal.log.segment import Segment, opening, segments
from projections.digest import KINDS, Digest, sid_of, step
from projections.fold import Fold
from projections.projection import Projection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["LIVE", "Book", "Log", "Place", "logs_of", "read_on"]

LIVE = "live"
_CRC = 11  # bytes at a record's end that hold its checksum: 8 hex digits, `"}`, newline
_BLOCK = 1 << 20


class Log(NamedTuple):
    """One log. mark: digest of its segments' names, sizes and times; the same mark, nothing new."""

    project: str
    side: str
    directory: str
    mark: str


class Place(msgspec.Struct, omit_defaults=True):
    """How far a log was read.

    journal: its identity; seq: of the last record; first: of the segment that one is in; offset:
    where it ends there (0 unknown); crc: its last bytes; file: [compressed, size, time of change,
    inode] of that segment; sealed: the same of all that are sealed; keys: recent idempotency keys.
    """

    journal: str = ""
    seq: int = 0
    first: int = 0
    offset: int = 0
    crc: str = ""
    file: list[int] = []
    sealed: dict[str, list[int]] = {}
    keys: dict[str, int] = {}


class Book:
    """Digests of one log at hand. load: gives one that is not. changed: sids, in order."""

    def __init__(self, load: Callable[[str], Digest | None]) -> None:
        self.digests: dict[str, Digest] = {}
        self.changed: dict[str, None] = {}
        self._load = load
        self._asked: set[str] = set()

    def get(self, sid: str) -> Digest | None:
        """Give the digest of a session, None where there is none yet."""
        if sid not in self.digests and sid not in self._asked:
            self._asked.add(sid)
            known = self._load(sid)
            if known is not None:
                self.digests[sid] = known
        return self.digests.get(sid)

    def step(self, kind: str, event: Any) -> None:
        """Apply one event."""
        sid = sid_of(kind, event)
        if not sid:
            return
        parent = None
        if kind == "session.started" and event.previous:
            above = self.get(event.previous)
            parent = above.session if above else None
        self.digests[sid] = step(self.get(sid), kind, event, parent)
        self.changed[sid] = None


def logs_of(home: str, only: Iterable[str] = ()) -> Iterator[Log]:
    """Logs under a journal home, live and imported: of the projects named, or of all."""
    try:
        names = sorted(set(only)) or sorted(os.listdir(home))
    except FileNotFoundError:
        return
    for name in names:
        if name == "cache" or not name or os.sep in name or name.startswith("."):
            continue
        for side, below in ((LIVE, ""), (IMPORTED, IMPORTED)):
            directory = os.path.join(home, name, below).rstrip(os.sep)
            if mark := _mark(directory):
                yield Log(name, side, directory, mark)


def read_on(
    log: Log, place: Place | None, load: Callable[[str], Digest | None]
) -> tuple[Book, Place, bool]:
    """Read what is new in a log: (digests changed, place afterwards, whether all was read anew)."""
    listed = segments(log.directory)
    facts = {item.first: _facts(item) for item in listed}
    at = _still_there(listed, place) if place else None
    fresh = at is None or place is None
    if place is None or at is None:
        place, at, load = Place(), (0, 0), _nothing
    book = Book(load)
    fold = Fold([_INDEX], {"index": book}, place.keys, place.seq)
    start = Position(*at, place.seq) if at[1] else None
    reader = Reader(log.directory, place.seq, start)
    first, offset, last = at[0], at[1], b""
    sure = True  # whether the offset counts every byte of the segment
    for segment, batches in reader.by_segment():
        if segment.first != first or not offset:
            first, offset, sure = segment.first, 0, segment.first > place.seq
        for batch in batches:
            fold.feed(batch)
            offset += sum(len(line) for _seq, line in batch) + len(batch)
            last = batch[-1][1]
    if last:  # records came
        clean = sum(reader.counts.values()) == reader.counts[VALID]
        place = Place(
            reader.journal,
            reader.last_seq,
            first,
            offset if clean and sure else 0,
            last[-10:].decode(),
            facts.get(first, []),
        )
    elif place.first in facts:
        place.file = facts[place.first]
    place.keys = fold.recent_keys()
    place.sealed = {item.name: facts[item.first] for item in listed if item.sealed}
    return book, place, fresh


def _nothing(_sid: str) -> None:
    return None


def _handler(kind: str) -> Callable[[Book, Any], Book]:
    def handle(book: Book, event: Any) -> Book:
        book.step(kind, event)
        return book

    return handle


_INDEX = Projection("index", 1, None, {kind: _handler(kind) for kind in sorted(KINDS)})


def _mark(directory: str) -> str:
    """Digest of what the segments look like from outside; "" where there are none."""
    rows = []
    try:
        with os.scandir(directory) as found:
            for item in found:
                if item.name.endswith((".jsonl", ".jsonl.gz")):
                    facts = item.stat(follow_symlinks=False)
                    rows.append((item.name, facts.st_size, facts.st_mtime_ns, facts.st_ino))
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return "unreadable"  # what is known of it stays
    return digest_of(repr(sorted(rows))) if rows else ""


def _facts(segment: Segment) -> list[int]:
    facts = os.stat(segment.path)
    packed = segment.path.endswith(".gz")
    return [int(packed), facts.st_size, facts.st_mtime_ns, facts.st_ino]


def _still_there(listed: list[Segment], place: Place) -> tuple[int, int] | None:
    """Where to read on, as `Reader` wants it; None where this is not the log that was read."""
    names = {item.name: item for item in listed if item.sealed}
    for name, was in place.sealed.items():
        segment = names.get(name)
        if segment is None:
            return None
        now = _facts(segment)
        if now != was and not _compressed(now, was):
            return None
    if not place.seq:
        return (0, 0)
    for segment in listed:
        if segment.first == place.first or (segment.sealed and segment.last >= place.seq):
            now, was = _facts(segment), place.file or [0, 0, 0, 0]
            # Appending makes it longer; a repair makes another file of it.
            same = now == was or (now[3] == was[3] and now[1] > was[1]) or _compressed(now, was)
            return _found(segment, place) if same else None
    return None


def _compressed(now: list[int], was: list[int]) -> bool:
    """Whether a segment was compressed since: the same lines."""
    return bool(now[0]) and not was[0]


def _found(segment: Segment, place: Place) -> tuple[int, int] | None:
    """Look for the last record that was read in the segment it was in."""
    try:
        with segment.open() as file:
            opened = opening(file)
            if opened.get("journal", place.journal) != place.journal:
                return None
            if place.offset >= _CRC:
                file.seek(place.offset - _CRC)
                same = file.read(_CRC) == place.crc.encode() + b"\n"
                return (segment.first, place.offset) if same else None
            offset = _offset_of(file, place)
    except (OSError, EOFError, zlib.error, JournalOffError):
        return None
    return (segment.first, 0) if offset else None


def _offset_of(file: Any, place: Place) -> bool:
    """Whether the record stands anywhere in a segment in which lines are damaged."""
    wanted = place.crc.encode()
    carried = b""
    while block := file.read(_BLOCK):
        carried = carried[-64:] + block
        if wanted in carried:
            return True
    return False
