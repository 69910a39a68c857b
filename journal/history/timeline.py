"""The history that reports need: readings, warnings, compactions and prompts, per session.

Invariant: this module only reads. Prompts and compactions are those that `projections.sessions`
counts. If both hooks and an import recorded a session, readings and warnings are the hooks'.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from journal.clock import iso, millis
from journal.history.entries import LogEntries, SessionEntries, TimelineEntry, entries_of
from journal.history.logs import LIVE
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
    named = any(item.imported for item in recorded.values())
    imported = read(os.path.join(directory, IMPORTED)) if named else LogEntries()
    found: list[SessionTimeline] = []
    start = millis(since) or 0
    entries: list[tuple[SessionTimeline, TimelineEntry]] = []
    for sid, item in recorded.items():
        session = SessionTimeline(project, sid, imported=item.is_imported)
        session.title = title_of(item.session)
        logs = imported.trails, live.trails
        own = logs[not item.is_imported].get(sid) or SessionEntries()
        counted = logs[item.counted == LIVE].get(sid) or SessionEntries()
        session.model = own.replied if item.is_imported else own.model
        found.append(session)
        entries += [(session, entry) for entry in _of(own, counted, item) if entry.at >= start]
    measure(entries)
    found = [session for session in found if session.entries]
    return sorted(found, key=lambda session: (session.first, session.sid))


def _of(
    own: SessionEntries, counted: SessionEntries, item: MergedSession
) -> Iterator[TimelineEntry]:
    """Yield a session's entries, each from the log that it counts in.

    own: from the hooks, or from the transcript if no hook recorded any of it. counted: from the log
    that its prompts are counted in.
    """
    for entry in own.entries:
        if entry.kind != "prompt" and (entry.kind != "reply" or item.is_imported):
            yield entry
    for entry in counted.entries:
        if entry.kind == "prompt":
            yield entry
    for imported, compaction in item.compactions:
        if compaction.done:
            yield _compacted(compaction, imported=imported)


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
            "imported": entry.imported,
        }
        for session in found
        for entry in session.entries
        if entry.kind in COMPACTIONS
    ]


def measure(entries: Iterable[tuple[SessionTimeline, TimelineEntry]]) -> None:
    """Add entries to sessions of one project, with the threshold as it was known at each entry."""
    known = _Measure()
    for session, entry in sorted(entries, key=lambda pair: (pair[1].at, pair[1].seq)):
        session.entries.append(known.of(entry))


class _Measure:
    """The threshold as known at each entry, in order; automatic compactions correct it."""

    def __init__(self) -> None:
        self._observed: dict[str, list[int]] = {}
        self._points: dict[int, int] = {}  # threshold by the formula → as corrected so far

    def of(self, entry: TimelineEntry) -> TimelineEntry:
        """Return an entry with the threshold known at it."""
        at, kind, tokens, point, detail, seq, imported = entry
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
        return TimelineEntry(at, kind, tokens, known, detail, seq, imported)


def _compacted(item: Compaction, *, imported: bool) -> TimelineEntry:
    kind = "auto" if item.trigger == "auto" else "manual"
    at = millis(item.at) or 0
    shown = str(item.point) if item.shows_threshold else ""
    return TimelineEntry(at, kind, item.tokens or 0, item.point, shown, item.seq, imported)
