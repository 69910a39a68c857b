"""The history that reports need: readings, warnings, compactions and prompts, per session.

They are rows of the tables of `journal sql` or of a team's tables. Invariant: nothing is counted
here. Prompts and compactions are those that `projections.sessions` counts. If both hooks and an
import recorded a session, readings and warnings are the hooks'.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

from journal.clock import iso, millis
from journal.events.registry import event_of
from journal.history.tables.columns import joined
from journal.home import IMPORTED
from journal.transcript.threshold import compaction_threshold
from projections import stage
from projections.pressure import Pressure, observe, point_of
from projections.session import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from journal.history.tables.engine import Engine
    from journal.history.tables.sessions import ProjectSession
    from projections.compactions import Compaction

COMPACTIONS = ("auto", "manual")
"""The kinds of entry that are compactions."""
# Table → SQL of its entries: kind, tokens, point, detail, model. `_marks`: prompts and compounds.
_ENTRIES = {
    "pressure": "'reading' as kind, tokens, point, '' as detail, '' as model from pressure",
    "advice": "'told', tokens, point, level, '' from advice "
    "where kind = 'advice' and what = 'pressure'",
    "_marks": "kind, 0, 0, '', '' from _marks",
    "_replied": "'reply', input_tokens + output_tokens + cache_read_input_tokens "
    "+ cache_creation_input_tokens, 0, '', model from _replied",
}
_STAGES = """
select project, type, seq, epoch_ms(ts), sid, stage, cycle, remaining, tokens, source, previous
from _facts where not imported and agent is null and (starts_with(type, 'stage.')
  or type in ('pressure.sampled', 'session.started'))
  and project in (select project from _facts where type = 'stage.finished')
order by project, seq
"""
_MEMBERS = ("seq", "ts", "sid", "stage", "cycle", "remaining", "tokens", "source", "previous")


class TimelineEntry(NamedTuple):
    """One event of a session. at: ms. kind: reading, auto, manual, compound, prompt or told.

    tokens, point: of a reading or a compaction, 0 if unknown. detail: the compaction threshold by
    the formula ("" for a compaction that does not show it), or the level of a warning. seq: of its
    record. imported: whether its record is in the imported log.
    """

    at: int
    kind: str
    tokens: int = 0
    point: int = 0
    detail: str = ""
    seq: int = 0
    imported: bool = False


class SessionTimeline(Struct):
    """One session's entries in order. imported: known from its transcript only."""

    project: str
    sid: str
    imported: bool
    title: str = ""
    entries: list[TimelineEntry] = []

    @property
    def first(self) -> int:
        """Return the time (ms) of the first entry, 0 if there are none."""
        return self.entries[0].at if self.entries else 0

    @property
    def last(self) -> int:
        """Return the time (ms) of the last entry, 0 if there are none."""
        return self.entries[-1].at if self.entries else 0


class TableSession(NamedTuple):
    """A session as the tables have it.

    log: of its rows. session: without entries. prompts: whether its imported prompts count, or
    those of the hooks; None for all. compactions: those that count.
    """

    log: str
    session: SessionTimeline
    prompts: bool | None
    compactions: list[TimelineEntry]


class ReportTables(Protocol):
    """The tables of this home or of a team. log: the column with the log of a row."""

    engine: Engine
    log: str

    @property
    def has_imports(self) -> bool:
        """Return whether there may be rows of transcripts."""

    def make(self, names: Iterable[str]) -> None:
        """Create tables."""

    def timelines(self) -> list[TableSession]:
        """Return the sessions, once the table `sessions` exists."""


def tables_of(history: ReportTables) -> list[str]:
    """Return the tables that `sessions_of` reads."""
    return ["sessions", *(name for name in _ENTRIES if name != "_replied" or history.has_imports)]


def sessions_of(history: ReportTables, since: str = "") -> list[SessionTimeline]:
    """Return the sessions of a history with their entries, oldest first. since: ISO 8601."""
    names = tables_of(history)
    history.make(names)
    start = millis(since) or 0
    found = {(item.log, item.session.sid): item for item in history.timelines()}
    entries: dict[str, list[tuple[SessionTimeline, TimelineEntry]]] = defaultdict(list)
    for item in found.values():
        entries[item.log] += [(item.session, each) for each in item.compactions if each.at >= start]
    key = f"select {history.log} as log, session, imported, seq, epoch_ms(ts) as ms,"
    parts = " union all ".join(joined(key, _ENTRIES[name]) for name in names if name in _ENTRIES)
    rows = history.engine.run(joined("from (", parts, f") where ms >= {start}")).all()
    for log, sid, imported, seq, at, kind, tokens, point, detail, model in rows:
        owner = found.get((log, sid))
        if owner is None or not _is_of(owner, kind, imported=imported):
            continue
        limit = _threshold(model or "") if kind == "reply" else point or 0
        entry = TimelineEntry(at, kind, tokens or 0, limit, detail or "", seq, imported)
        entries[log].append((owner.session, entry))
    for items in entries.values():
        measure(items)
    sessions = (item.session for item in found.values() if item.session.entries)
    return sorted(sessions, key=lambda session: (session.first, session.sid))


def timeline_of(item: ProjectSession) -> TableSession:
    """Return a session of this home without its entries."""
    merged = item.merged
    found = SessionTimeline(item.project, item.sid, merged.is_imported, title_of(merged.session))
    compactions = [_compacted(*each) for each in merged.compactions if each[1].done]
    return TableSession(item.project, found, merged.counted == IMPORTED, compactions)


def _compacted(imported: bool, item: Compaction) -> TimelineEntry:
    kind = "auto" if item.trigger == "auto" else "manual"
    at, tokens = millis(item.at) or 0, item.tokens or 0
    shown = str(item.point) if item.shows_threshold else ""
    return TimelineEntry(at, kind, tokens, item.point, shown, item.seq, imported)


def _is_of(item: TableSession, kind: str, *, imported: bool) -> bool:
    """Return whether a session takes such an entry from this log."""
    if kind == "prompt":
        return item.prompts in (None, imported)
    # Only a session that no hook recorded takes its readings from its replies.
    return item.session.imported if kind == "reply" else imported == item.session.imported


@cache
def _threshold(model: str) -> int:
    return compaction_threshold(model, {}, {}, None).tokens or 0


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
    """Add entries to sessions of one project, with the threshold as it was known at each entry.

    Automatic compactions correct the threshold of the formula.
    """
    observed: dict[str, list[int]] = {}
    points: dict[int, int] = {}  # threshold by the formula → as corrected so far
    for session, entry in sorted(entries, key=lambda pair: (pair[1].at, pair[1].seq)):
        measured = entry
        if entry.kind in ("reading", "reply", *COMPACTIONS):
            point = entry.point
            if point not in points:
                points[point] = point_of(Pressure(observed=observed), point)[0]
            kind = "reading" if entry.kind == "reply" else entry.kind
            if kind != entry.kind or points[point] != point:  # else a copy would be the same
                measured = entry._replace(kind=kind, point=points[point])
            if kind == "auto" and entry.tokens and point and entry.detail:
                observed = observe(observed, point, entry.tokens)
                points = {}
        session.entries.append(measured)


def finished_stages(engine: Engine, since: str) -> list[stage.Span]:
    """Return the stages that finished since a time (ISO 8601), as the stage view has them."""
    found, project = [], ""
    state: stage.Stage = stage.PROJECTION.initial
    for name, kind, seq, at, sid, *rest in engine.run(_STAGES).all():
        if name != project:
            project, state = name, stage.PROJECTION.initial
        fields = dict(zip(_MEMBERS, (seq, iso(at), sid or "", *rest), strict=True))
        state = stage.PROJECTION.step(state, kind, event_of(kind, fields))
        cycle = state.sessions.get(sid) if kind == "stage.finished" else None
        if cycle and cycle.spans and cycle.spans[-1].finished == fields["ts"] >= since:
            found.append(cycle.spans[-1])
    return found
