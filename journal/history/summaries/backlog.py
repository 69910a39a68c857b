"""Which sessions of a journal wait for their summary, found by reading only what is new.

A cache beside the log holds the digests of the sessions that are not settled and of the latest
ones that are. Invariant: the log decides; the cache fits it or is not used, and deleting it costs
one reading of the journal.
"""

from __future__ import annotations

import os

import msgspec

from journal.checkpoint import Position
from journal.errors import JournalOffError
from journal.files import open_regular
from journal.log.read import Reader
from journal.log.record import seq_of
from journal.log.segment import segments
from projections.digest import PROJECTION, Digest, Digests, every, status
from projections.fold import Fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.log.append import Writer

__all__ = ["FILE", "Pending", "is_over", "is_waiting", "whole"]

FILE = "summaries.cache"
_LATEST = 64  # settled sessions kept at hand: one that is resumed is most often a late one
_MOST = 1024  # sessions kept at all; those beyond are left to `journal summarize`
_STEP = 8 * 1024 * 1024  # bytes after which what was read is kept, should the process be killed
_BEGINNINGS = ("startup", "clear", "fork")


class Kept(msgspec.Struct, omit_defaults=True):
    """The cache: digests after record `seq`, which ends at `offset` of a segment.

    segment: its first seq. record: that record's checksum. offset 0: not known. keys: see Fold.
    """

    version: int = 0
    seq: int = 0
    segment: int = 0
    offset: int = 0
    record: str = ""
    digests: dict[str, Digest] = {}
    keys: dict[str, int] = {}


def is_over(digest: Digest) -> bool:
    """Whether a session is over, and something happened in it.

    A part that was exported is no session here: it has its summary from the first.
    """
    if digest.of or not digest.first or status(digest) != "completed":
        return False
    session = digest.session
    return bool(session.prompts or session.tools or session.turns or digest.decisions)


def is_waiting(digest: Digest) -> bool:
    """Whether a session is over and its summary, if it has one, saw less than all of it."""
    return is_over(digest) and digest.summary_upto < digest.seq


class Pending:
    """The sessions of the journal in `directory`, as far as they are of interest here.

    place: (first seq of a segment, offset) where reading goes on.
    """

    def __init__(self, directory: str) -> None:
        self.directory = directory
        kept = self._load()
        self.fold = Fold([PROJECTION], {PROJECTION.name: _state(kept.digests)}, kept.keys, kept.seq)
        self.place = (kept.segment, kept.offset)
        self._record = kept.record

    @property
    def digests(self) -> dict[str, Digest]:
        """Sessions at hand, in the order of their last activity."""
        return every(self.fold.states[PROJECTION.name])

    def read(self, most: int) -> bool:
        """Read on, about `most` bytes; whether the end was reached."""
        start = Position(*self.place, self.fold.seq) if self.place[1] else None
        size = unsaved = 0
        for segment, batches in Reader(self.directory, self.fold.seq, start).by_segment():
            if segment.first != self.place[0]:
                self.place = (segment.first, 0)
            for batch in batches:
                self.fold.feed(batch)
                length = sum(len(line) + 1 for _, line in batch)
                self.place = (segment.first, self.place[1] + length)
                self._record = batch[-1][1][-10:-2].decode("ascii", "replace")
                size += length
                unsaved += length
                if size >= most or unsaved >= _STEP:
                    unsaved = 0
                    self.save()
                if size >= most:
                    return False
        if unsaved:
            self.save()
        return True

    def end(self, writer: Writer) -> int:
        """Offset in the writer's segment after which nothing has been read here."""
        first = seq_of(writer.read(0, 64))
        return self.place[1] if first == self.place[0] else 0

    def waiting(self) -> list[Digest]:
        """Sessions that wait for a summary, the latest first, each known from its beginning."""
        found = [digest for digest in self.digests.values() if is_waiting(digest)]
        begun = [one.sid for one in found if not set(one.session.sources[:1]) & set(_BEGINNINGS)]
        if begun:
            known = whole(self.directory, begun, self.fold.seq)
            found = [known.get(digest.sid, digest) for digest in found]
        return [digest for digest in reversed(found) if is_waiting(digest)]

    def save(self) -> None:
        """Write the cache; where that cannot be, the next run reads again."""
        kept = Kept(
            version=PROJECTION.version,
            seq=self.fold.seq,
            segment=self.place[0],
            offset=self.place[1],
            record=self._record,
            digests=_worth(self.digests),
            keys=self.fold.recent_keys(),
        )
        if not _fits(self.directory, kept):
            kept.offset = 0  # something odd is in the segment: it is read from its start
        path = os.path.join(self.directory, FILE)
        mine = f"{path}.{os.getpid()}"
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            descriptor = open_regular(mine, flags)
            try:
                os.write(descriptor, msgspec.json.encode(kept))
            finally:
                os.close(descriptor)
            os.replace(mine, path)
        except (OSError, JournalOffError):
            return

    def _load(self) -> Kept:
        try:
            descriptor = open_regular(os.path.join(self.directory, FILE), os.O_RDONLY)
            with open(descriptor, "rb") as file:
                kept = msgspec.json.decode(file.read(), type=Kept)
            if kept.version == PROJECTION.version and _fits(self.directory, kept):
                return kept
        except (OSError, JournalOffError, msgspec.DecodeError, UnicodeDecodeError):
            pass
        return Kept()


def whole(directory: str, sids: list[str], upto: int) -> dict[str, Digest]:
    """Digests of some sessions from their first event on: one reading of the log."""
    wanted = [b'"' + sid.encode("utf-8", "replace") + b'"' for sid in sids]
    fold = Fold([PROJECTION])
    for batch in Reader(directory).batches():
        fold.feed(
            (seq, line)
            for seq, line in batch
            if seq <= upto and any(name in line for name in wanted)
        )
    found = every(fold.states[PROJECTION.name])
    return {sid: found[sid] for sid in sids if sid in found}


def _state(digests: dict[str, Digest]) -> Digests:
    """State of the projection with these digests, the latest at hand."""
    ordered = sorted(digests.items(), key=lambda item: item[1].seq)
    return Digests(dict(ordered[-32:]), dict(ordered[:-32]))


def _worth(digests: dict[str, Digest]) -> dict[str, Digest]:
    """Those that the cache keeps: not settled ones, and the latest of the others."""
    settled = [
        sid for sid, digest in digests.items() if digest.session.ended and not is_waiting(digest)
    ]
    gone = set(settled[:-_LATEST])
    kept = [(sid, digest) for sid, digest in digests.items() if sid not in gone]
    return dict(kept[-_MOST:])


def _fits(directory: str, kept: Kept) -> bool:
    """Whether the log still has the record the cache was made up to."""
    for segment in segments(directory):
        if segment.first != kept.segment:
            continue
        if segment.sealed and segment.last < kept.seq:
            return False
        if not kept.offset or segment.path.endswith(".gz"):
            return True
        return _holds(segment.path, kept.offset, kept.record)
    return False


def _holds(path: str, offset: int, record: str) -> bool:
    """Whether a record with that checksum ends at `offset` of a plain segment."""
    descriptor = open_regular(path, os.O_RDONLY)
    try:
        return os.pread(descriptor, 11, max(0, offset - 11)) == record.encode() + b'"}\n'
    finally:
        os.close(descriptor)
