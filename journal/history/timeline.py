"""The history that reports need: readings, warnings, compactions and prompts, per session.

Invariant: this module only reads. Prompts and compactions are those that `projections.sessions`
counts. If both hooks and an import recorded a session, its entries come from the log that its
counts come from.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter, itemgetter
from typing import Any

from msgspec import Struct

from journal.clock import iso, millis
from journal.history.entries import LogEntries, SessionEntries, TimelineEntry, entries_of
from journal.history.sessions import MergedSession
from journal.history.sessions import sessions_of as recorded_sessions
from journal.home import IMPORTED
from projections.compactions import Compaction
from projections.pressure import Pressure, observe, point_of
from projections.session import title_of

COMPACTIONS = ("auto", "manual")
"""The kinds of entry that are compactions."""


class SessionTimeline(Struct):
    """One session's entries in order. imported: known from its transcript only."""

    project: str
    sid: str
    imported: bool
    title: str = ""
    model: str = ""
    entries: list[TimelineEntry] = []

    @property
    def first(self) -> int:
        """Return the time (ms) of the first entry, 0 if there are none."""
        return self.entries[0].at if self.entries else 0

    @property
    def last(self) -> int:
        """Return the time (ms) of the last entry, 0 if there are none."""
        return self.entries[-1].at if self.entries else 0


def sessions_of(
    project: str,
    directory: str,
    since: str = "",
    read: Callable[[str], LogEntries] = entries_of,
) -> list[SessionTimeline]:
    """Read the sessions of a journal and of its imported log, oldest first. since: ISO 8601.

    read: returns the entries of a log.
    """
    live = read(directory)  # first: on a new log this folds the sessions too
    recorded = recorded_sessions(directory)
    found = []
    for log, counted in ((directory, "live"), (os.path.join(directory, IMPORTED), IMPORTED)):
        wanted = {sid: item for sid, item in recorded.items() if item.counted == counted}
        if wanted:
            found += _timelines(project, live if log == directory else read(log), wanted, since)
    return sorted(found, key=lambda session: (session.first, session.sid))


def compaction_rows(found: Iterable[SessionTimeline]) -> list[dict[str, Any]]:
    """Return the compactions of these sessions, session by session; None is unknown."""
    return [
        {
            "project": session.project,
            "at": iso(entry.at),
            "trigger": entry.kind,
            "tokens": entry.tokens or None,
            "point": entry.point or None,
            "seq": entry.seq,
        }
        for session in found
        for entry in session.entries
        if entry.kind in COMPACTIONS
    ]


def _timelines(
    project: str, entries: LogEntries, wanted: Mapping[str, MergedSession], since: str
) -> list[SessionTimeline]:
    """Return the wanted sessions of one log that have an entry since a time."""
    trails, start = entries.trails, millis(since) or 0
    measured: list[tuple[int, SessionTimeline, TimelineEntry]] = []
    found = []
    for sid, item in wanted.items():
        trail = trails.get(sid) or SessionEntries()
        session = SessionTimeline(project, sid, imported=item.is_imported)
        session.title = title_of(item.session)
        session.model = trail.replied if item.is_imported else trail.model
        found.append(session)
        measured += [
            (entry.seq, session, entry)
            for entry in trail.entries
            if entry.at >= start and (entry.kind != "reply" or item.is_imported)
        ]
        measured += [
            (compaction.done_seq, session, _compacted(compaction))
            for compaction in item.session.compacted
            if compaction.done and compaction.at >= since
        ]
    measure(measured)
    return [session for session in found if session.entries]


def measure(entries: Iterable[tuple[int, SessionTimeline, TimelineEntry]]) -> None:
    """Add entries to sessions of one log, each with the threshold as it was known at that entry.

    entries: (seq, session, entry).
    """
    known = _Measure()
    changed = {}
    for _, session, entry in sorted(entries, key=itemgetter(0)):
        session.entries.append(known.of(entry))
        changed[session.sid] = session
    for session in changed.values():
        session.entries.sort(key=attrgetter("at"))


class _Measure:
    """The threshold as known at each entry, in order; automatic compactions correct it."""

    def __init__(self) -> None:
        self._observed: dict[str, list[int]] = {}
        self._points: dict[int, int] = {}  # threshold by the formula → as corrected so far

    def of(self, entry: TimelineEntry) -> TimelineEntry:
        """Return an entry with the threshold known at it."""
        at, kind, tokens, point, detail, seq = entry
        if kind not in ("reading", "reply", *COMPACTIONS):
            return entry
        if point not in self._points:
            self._points[point] = point_of(Pressure(observed=self._observed), point)[0]
        known = self._points[point]
        if kind == "auto" and tokens and point and detail:
            self._observed = observe(self._observed, point, tokens)
            self._points = {}
        if kind == "reply":
            kind = "reading"
        elif known == point:
            return entry
        return TimelineEntry(at, kind, tokens, known, detail, seq)


def _compacted(item: Compaction) -> TimelineEntry:
    kind = "auto" if item.trigger == "auto" else "manual"
    at = millis(item.at) or 0
    shown = str(item.point) if item.shows_threshold else ""
    return TimelineEntry(at, kind, item.tokens or 0, item.point, shown, item.seq)
