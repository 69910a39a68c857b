"""The events of a project as one timeline: recorded and imported events, sorted by time.

`N` cites a live event, `i:N` an imported one. Invariant: live events stay in seq order, and so do
the imported events of a session. Between the two, time decides; at the same time the live event
comes first. If a session is in both logs, each fact appears once, from the log that its counts come
from (`projections.merging.merge`). Facts that only hooks record appear even if that is the imported
log.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from heapq import merge
from typing import Any, NamedTuple

from journal.errors import UsageError
from journal.history.logs import LIVE
from journal.history.replay.facts import sid_of, ts_of
from journal.history.sessions import MergedSession, sessions_of
from journal.home import IMPORTED
from journal.log.read import Reader
from journal.log.record import type_of, unframe
from projections.merging import COUNTED

_MARK = "i:"
_MEMORY = 65_536  # KiB of records sorted in memory
_DIGITS = 15


class Cite(NamedTuple):
    """The citation of an event: the side of its log, and its seq there."""

    side: str
    seq: int

    def __str__(self) -> str:
        return f"{_MARK}{self.seq}" if self.side == IMPORTED else str(self.seq)


class TimelineRecord(NamedTuple):
    """A record in the timeline. at: its sort time, which never decreases within its log."""

    at: str
    side: str
    seq: int
    line: bytes

    @property
    def cite(self) -> Cite:
        """Return its citation."""
        return Cite(self.side, self.seq)

    @property
    def fields(self) -> dict[str, Any]:
        """Return the event as in the log, with its citation."""
        return {"cite": str(self.cite), **unframe(self.line)}


def parse_cite(text: str) -> Cite | None:
    """Parse `N` or `i:N`, also after the `#` of reports; return None for anything else."""
    text = text.strip().removeprefix("#")
    digits = text.removeprefix(_MARK)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        return None
    return Cite(IMPORTED if text.startswith(_MARK) else LIVE, int(digits))


def no_event(cite: Cite) -> UsageError:
    """Return the error for a citation of an event that this journal does not have."""
    return UsageError(f"no event {cite} in this journal", "journal events lists them")


class Timeline:
    """The timeline of one journal. live, imported: the readers of its logs, for their findings."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.live = Reader(directory)
        below = os.path.join(directory, IMPORTED)
        self.imported = Reader(below) if os.path.isdir(below) else None
        self._both: dict[str, MergedSession] = {}  # the sessions that are in both logs
        if self.imported is not None:
            sessions = sessions_of(directory).items()
            self._both = {sid: item for sid, item in sessions if item.live and item.imported}
        self._attempts = {sid: frozenset(item.attempts) for sid, item in self._both.items()}

    def live_entries(self) -> Iterator[TimelineRecord]:
        """Yield the live records that belong to the timeline, in order."""
        at = ""
        for seq, line in self.live:
            at = max(at, ts_of(line))
            if self.counts(LIVE, seq, line):
                yield TimelineRecord(at, LIVE, seq, line)

    def imported_entries(self) -> Iterator[TimelineRecord]:
        """Yield the imported records that belong to the timeline, in order."""
        if self.imported is None:
            return iter(())
        return sorted_entries(self._unsorted(self.imported))

    def counts(self, side: str, seq: int, line: bytes) -> bool:
        """Return whether a record is in the timeline: the other log may already have its fact."""
        if side == IMPORTED and b'"type":"segment.opened"' in line[:128]:
            return False  # describes the file, not the project
        if not self._both:
            return True
        sid = sid_of(line)
        item = self._both.get(sid)
        if item is None:
            return True
        kind = type_of(line)
        if kind in COUNTED:
            return item.counted == side or (side == LIVE and seq in self._attempts[sid])
        if side == IMPORTED and kind == "session.started":
            if b'"source":"compact"' in line:  # it is counted as the end of a compaction
                return item.counted == side
            # Hooks recorded the same start, unless they were installed during the session.
            return not item.is_same_start
        return True

    def entries(self) -> Iterator[TimelineRecord]:
        """Yield the entries of both logs in order."""
        return merge(self.live_entries(), self.imported_entries(), key=by_time)

    def _unsorted(self, reader: Reader) -> Iterator[TimelineRecord]:
        latest: dict[str, str] = {}
        for seq, line in reader:
            if self.counts(IMPORTED, seq, line):
                sid = sid_of(line)
                at = latest[sid] = max(latest.get(sid, ""), ts_of(line))
                yield TimelineRecord(at, IMPORTED, seq, line)


def by_time(entry: TimelineRecord) -> tuple[str, bool, int]:
    """Return the sort key of an entry."""
    return entry.at, entry.side == IMPORTED, entry.seq


def sorted_entries(entries: Iterable[TimelineRecord]) -> Iterator[TimelineRecord]:
    """Sort the entries of an imported log; SQLite sorts many of them in temporary files."""
    import sqlite3  # most commands that use this module sort nothing

    with closing(sqlite3.connect("")) as database:
        database.execute(f"pragma cache_size = -{_MEMORY}")
        database.execute("create table entries(at text, seq integer, line blob)")
        rows = ((entry.at, entry.seq, entry.line) for entry in entries)
        database.executemany("insert into entries values (?, ?, ?)", rows)
        for at, seq, line in database.execute("select * from entries order by at, seq"):
            yield TimelineRecord(at, IMPORTED, seq, line)


def between(
    entries: Iterable[TimelineRecord], since: Cite | str | None, until: Cite | str | None
) -> Iterator[TimelineRecord]:
    """Yield the entries between two bounds, inclusive.

    A citation stands for its position in the timeline; a live event that is not in the timeline
    stands for that of the next one. Raise UsageError for an imported event that is not there.
    """
    started = not isinstance(since, Cite)
    for entry in entries:
        if isinstance(since, Cite):
            started = started or _reaches(entry, since)
        if isinstance(until, Cite) and entry.side == until.side == LIVE and entry.seq > until.seq:
            break
        if (
            started
            and (not isinstance(since, str) or ts_of(entry.line) >= since)
            and (not isinstance(until, str) or ts_of(entry.line) <= until)
        ):
            yield entry
        if isinstance(until, Cite) and entry.cite == until:
            return
    for bound in (since if not started else None, until):
        if isinstance(bound, Cite) and bound.side == IMPORTED:
            raise no_event(bound)


def _reaches(entry: TimelineRecord, bound: Cite) -> bool:
    if entry.side != bound.side:
        return False
    return entry.seq >= bound.seq if bound.side == LIVE else entry.seq == bound.seq
