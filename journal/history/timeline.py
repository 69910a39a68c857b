"""History as reports need it: readings, warnings, compactions and prompts, session by session.

Invariant: reads only. What counts (prompts, compactions) is what `projections.sessions` counts, and
a session that both hooks and an import recorded is read from the log its counts are from.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.clock import iso, millis
from journal.events.registry import kind_of
from journal.history.importer import IMPORTED
from journal.history.replay.facts import sid_of, ts_of
from journal.history.sessions import sessions_of as recorded_sessions
from journal.log.read import Reader
from journal.transcript.threshold import compaction_threshold
from projections.fold import Fold
from projections.pressure import Pressure, point_of
from projections.projection import Projection
from projections.sessions import is_prompt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from journal.history.sessions import Recorded
    from projections.compactions import Compaction
    from projections.stage import Span

__all__ = [
    "COMPACTIONS",
    "SessionTimeline",
    "TimelineEntry",
    "compaction_rows",
    "sessions_of",
    "spans_of",
    "week_of",
]

COMPACTIONS = ("auto", "manual")
"""Kinds of an entry that are compactions."""

_DAY = 86_400_000  # ms
_OBSERVED = 15  # automatic compactions that the observed threshold rests on


class TimelineEntry(NamedTuple):
    """Something in a session. at: ms. kind: reading, auto, manual, compound, prompt or told.

    tokens, point: of a reading or a compaction, 0 unknown; detail: the point by the formula, or the
    level of a warning; seq: its record.
    """

    at: int
    kind: str
    tokens: int = 0
    point: int = 0
    detail: str = ""
    seq: int = 0


class SessionTimeline:
    """One session's entries in order. imported: from a transcript alone."""

    def __init__(self, project: str, sid: str, *, imported: bool) -> None:
        self.project = project
        self.sid = sid
        self.imported = imported
        self.title = ""
        self.model = ""
        self.entries: list[TimelineEntry] = []

    @property
    def first(self) -> int:
        """Time (ms) of the first entry."""
        return self.entries[0].at if self.entries else 0

    @property
    def last(self) -> int:
        """Time (ms) of the last entry."""
        return self.entries[-1].at if self.entries else 0


def sessions_of(project: str, directory: str, since: str = "") -> list[SessionTimeline]:
    """Read the sessions of a journal and of its imported log, the oldest first."""
    recorded = recorded_sessions(directory)
    found = []
    for log, counted in ((directory, "live"), (os.path.join(directory, IMPORTED), IMPORTED)):
        wanted = {sid: item for sid, item in recorded.items() if item.counted == counted}
        if wanted:
            found += _Timeline(project, wanted, since).read(log)
    return sorted(found, key=lambda session: (session.first, session.sid))


def compaction_rows(found: Iterable[SessionTimeline]) -> list[dict[str, Any]]:
    """Return the compactions of these sessions, session by session; null is unknown."""
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


def week_of(ms: int) -> str:
    """Return the Monday (UTC) of the week of a time."""
    days = ms // _DAY
    return iso((days - (days + 3) % 7) * _DAY)[:10]  # the epoch was a Thursday


class _Timeline:
    """The entries of the sessions of one log, gathered by a fold, which leaves out repeats."""

    def __init__(self, project: str, wanted: Mapping[str, Recorded], since: str) -> None:
        self.wanted = wanted
        self.since = since
        self.sessions = {
            sid: SessionTimeline(project, sid, imported=item.imported)
            for sid, item in wanted.items()
        }
        self.observed: dict[str, list[int]] = {}
        self.points: dict[str, int] = {}
        self.taken: list[tuple[int, SessionTimeline, TimelineEntry]] = []

    def read(self, log: str) -> list[SessionTimeline]:
        """Read a log; return the sessions that have an entry."""
        handlers = {kind: self._handler(kind) for kind in _TAKEN}
        fold = Fold([Projection("timeline", 1, None, handlers)])
        for batch in Reader(log).batches():
            fold.feed(batch)
        for sid, item in self.wanted.items():
            for compaction in item.session.compacted:
                if compaction.done and compaction.at >= self.since:
                    entry = _compacted(compaction)
                    self.taken.append((compaction.done_seq, self.sessions[sid], entry))
        for _, session, entry in sorted(self.taken, key=lambda item: item[0]):
            session.entries.append(self._with_point(entry))
        for session in self.sessions.values():
            session.entries.sort(key=lambda entry: entry.at)
        return [session for session in self.sessions.values() if session.entries]

    def _handler(self, kind: str) -> Any:
        take = _TAKEN[kind]

        def handle(_state: None, event: Any) -> None:
            session = self.sessions.get(event.sid)
            if session is not None and not event.agent and event.ts >= self.since:
                entry = take(self, session, event)
                if entry is not None:
                    self.taken.append((event.seq, session, entry))

        return handle

    def _with_point(self, entry: TimelineEntry) -> TimelineEntry:
        """Measure an entry by the threshold as it was known then, and learn from a compaction."""
        if entry.kind not in ("reading", *COMPACTIONS):
            return entry
        by_formula = entry.point
        measured = entry._replace(
            point=point_of(Pressure(observed=self.observed), by_formula)[0], detail=str(by_formula)
        )
        if entry.kind == "auto" and entry.tokens and by_formula:
            key = str(by_formula)
            self.observed[key] = [*self.observed.get(key, []), entry.tokens][-_OBSERVED:]
        return measured

    def _sampled(self, session: SessionTimeline, event: Any) -> TimelineEntry:
        session.model = event.model or session.model
        return TimelineEntry(
            millis(event.ts) or 0, "reading", event.tokens, event.point, seq=event.seq
        )

    def _used(self, session: SessionTimeline, event: Any) -> TimelineEntry | None:
        """A reply's cost is a reading where no hook took one."""
        if not session.imported:
            return None
        session.model = event.model or session.model
        tokens = (
            event.input_tokens
            + event.output_tokens
            + event.cache_read_input_tokens
            + event.cache_creation_input_tokens
        )
        if event.model not in self.points:
            self.points[event.model] = compaction_threshold(event.model, {}, {}, None).tokens or 0
        point = self.points[event.model]
        return TimelineEntry(millis(event.ts) or 0, "reading", tokens, point, seq=event.seq)

    def _prompted(self, _session: SessionTimeline, event: Any) -> TimelineEntry | None:
        return _plain("prompt", event) if is_prompt(event) else None

    def _compound(self, _session: SessionTimeline, event: Any) -> TimelineEntry:
        return _plain("compound", event)

    def _warned(self, _session: SessionTimeline, event: Any) -> TimelineEntry | None:
        if event.what != "pressure":
            return None
        at = millis(event.ts) or 0
        return TimelineEntry(at, "told", event.tokens, event.point, event.level, event.seq)

    def _titled(self, session: SessionTimeline, event: Any) -> None:
        session.title = event.title

    def _started(self, session: SessionTimeline, event: Any) -> None:
        session.model = event.model or session.model


_TAKEN = {
    "session.started": _Timeline._started,  # noqa: SLF001
    "session.titled": _Timeline._titled,  # noqa: SLF001
    "pressure.sampled": _Timeline._sampled,  # noqa: SLF001
    "usage.recorded": _Timeline._used,  # noqa: SLF001
    "prompt.submitted": _Timeline._prompted,  # noqa: SLF001
    "compound.ran": _Timeline._compound,  # noqa: SLF001
    "advice.given": _Timeline._warned,  # noqa: SLF001
}


def _plain(kind: str, event: Any) -> TimelineEntry:
    return TimelineEntry(millis(event.ts) or 0, kind, seq=event.seq)


def _compacted(item: Compaction) -> TimelineEntry:
    kind = "auto" if item.trigger == "auto" else "manual"
    return TimelineEntry(millis(item.at) or 0, kind, item.tokens or 0, item.point, seq=item.seq)


def spans_of(directory: str) -> list[Span]:
    """Every finished stage of a journal's history, in order."""
    from projections import stage
    from projections.fold import Fold

    fold = Fold([stage.PROJECTION])
    found: list[Span] = []
    needed = frozenset(stage.PROJECTION.handlers)
    for batch in Reader(directory).batches():
        for seq, line in batch:
            kind = kind_of(line)
            if kind not in needed:
                continue
            fold.feed([(seq, line)])
            if kind == "stage.finished":
                cycle = fold.states["stage"].sessions.get(sid_of(line))
                if cycle is not None and cycle.spans and cycle.spans[-1].finished == ts_of(line):
                    found.append(cycle.spans[-1])
    return found
