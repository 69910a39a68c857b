"""The history that reports need: readings, warnings, compactions and prompts, per session.

They are rows of the tables of `journal sql` or of a team's tables. Invariant: nothing is counted
here. Prompts and compactions are those that `projections.sessions` counts. If both hooks and an
import recorded a session, readings and warnings are the hooks'.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from journal.clock import iso, millis
from journal.events.registry import event_of
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
_GROUPS = """
select log, session, imported, kind, point, detail, model, list((ms, seq, coalesce(tokens, 0))) from
"""
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


class EntryGroup(NamedTuple):
    """Entries of a session that differ in (at, seq, tokens) alone: `rows`, in any order.

    kind, point, detail, imported: see TimelineEntry; point is the threshold by the formula.
    """

    kind: str
    point: int
    detail: str
    imported: bool
    rows: list[tuple[int, int, int]]


class Thresholds:
    """The compaction thresholds of one log, which automatic compactions correct one by one."""

    def __init__(self, compactions: Iterable[TimelineEntry] = ()) -> None:
        self._observed: list[dict[str, list[int]]] = [{}]
        self._corrections: list[tuple[int, int]] = []  # time and seq of each
        self._known: dict[tuple[int, int], int] = {}
        for entry in sorted(compactions, key=_order):
            if entry.kind == "auto" and entry.tokens and entry.point and entry.detail:
                self._corrections.append((entry.at, entry.seq))
                self._observed.append(observe(self._observed[-1], entry.point, entry.tokens))

    def at(self, point: int, when: tuple[int, ...]) -> int:
        """Return the threshold for `point`, that of the formula, as of a time and seq."""
        count = bisect_left(self._corrections, when)
        if (found := self._known.get((point, count))) is None:
            found = point_of(Pressure(observed=self._observed[count]), point)[0]
            self._known[point, count] = found
        return found

    def shares(self, group: EntryGroup) -> list[float]:
        """Return the pressure of some readings, of which one is the highest; [] if unknown."""
        first, last = (bisect_left(self._corrections, end(group.rows)) for end in (min, max))
        rows = [max(group.rows, key=itemgetter(2))] if first == last else group.rows
        points = [(row[2], self.at(group.point, row)) for row in rows]
        return [tokens / point for tokens, point in points if point]


class SessionTimeline:
    """One session. imported: known from its transcript only. groups, compactions: its entries.

    span: times (ms) of its first and last event of any kind, 0 if unknown. thresholds: of its log.
    Entries are built on request: there may be very many.
    """

    def __init__(
        self,
        project: str,
        sid: str,
        *,
        imported: bool,
        title: str = "",
        span: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self.project = project
        self.sid = sid
        self.imported = imported
        self.title = title
        self.span = span
        self.groups: list[EntryGroup] = []
        self.compactions: list[TimelineEntry] = []
        self.thresholds = Thresholds()

    @cached_property
    def entries(self) -> list[TimelineEntry]:
        """Return all entries in order, with the threshold as it was known at each."""
        return self.of("")

    def of(self, *kinds: str) -> list[TimelineEntry]:
        """Return the entries of some kinds in order, of all for ""."""
        threshold_at = self.thresholds.at
        found = [
            entry._replace(point=threshold_at(entry.point, (entry.at, entry.seq)))
            for entry in self.compactions
            if entry.kind in kinds or "" in kinds
        ]
        for group in self.groups:
            kind, point, detail, imported, rows = group
            if kind in kinds or "" in kinds:
                found += [
                    TimelineEntry(
                        row[0],
                        kind,
                        row[2],
                        threshold_at(point, row) if kind == "reading" else point,
                        detail,
                        row[1],
                        imported,
                    )
                    for row in rows
                ]
        return sorted(found, key=_order)

    def count(self, kind: str) -> int:
        """Return the number of entries of a kind that is no compaction."""
        return sum(len(group.rows) for group in self.groups if group.kind == kind)

    @cached_property
    def first(self) -> int:
        """Return the time (ms) of the first entry, 0 if there are none."""
        ends = [min(group.rows)[0] for group in self.groups]
        return min([*ends, *(entry.at for entry in self.compactions)], default=0)

    @cached_property
    def last(self) -> int:
        """Return the time (ms) of the last entry, 0 if there are none."""
        ends = [max(group.rows)[0] for group in self.groups]
        return max([*ends, *(entry.at for entry in self.compactions)], default=0)

    @property
    def started(self) -> int:
        """Return the time (ms) at which the session started."""
        return self.span[0] or self.first

    @property
    def lasted(self) -> int:
        """Return the milliseconds from its start to its last event."""
        return max(0, (self.span[1] or self.last) - self.started)

    @property
    def highest(self) -> float | None:
        """Return the highest pressure that a reading showed, None if unknown."""
        readings = (group for group in self.groups if group.kind == "reading")
        return max(chain(*map(self.thresholds.shares, readings)), default=None)


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
        """Return the sessions, once `_sessions` was made."""


def tables_of(history: ReportTables) -> list[str]:
    """Return the tables that `sessions_of` reads."""
    return ["_sessions", *(name for name in _ENTRIES if name != "_replied" or history.has_imports)]


def sessions_of(history: ReportTables, since: str = "") -> list[SessionTimeline]:
    """Return the sessions of a history with their entries, oldest first. since: ISO 8601."""
    names = tables_of(history)
    history.make(names)
    start = millis(since) or 0
    found = {(item.log, item.session.sid): item for item in history.timelines()}
    compactions: dict[str, list[TimelineEntry]] = defaultdict(list)
    for item in found.values():
        item.session.compactions = [each for each in item.compactions if each.at >= start]
        compactions[item.log] += item.session.compactions
    key = f"select {history.log} as log, session, imported, seq, epoch_ms(ts) as ms,"
    parts = " union all ".join(f"{key} {_ENTRIES[name]}" for name in names if name in _ENTRIES)
    sql = f"{_GROUPS} ({parts}) where ms >= {start} group by all"
    for log, sid, imported, kind, point, detail, model, rows in history.engine.run(sql).all():
        owner = found.get((log, sid))
        if owner is None or not _is_of(owner, kind, imported=imported):
            continue
        group = EntryGroup(kind, point or 0, detail or "", imported, rows)
        if kind == "reply":
            group = EntryGroup("reading", _threshold(model or ""), "", imported, rows)
        owner.session.groups.append(group)
    thresholds = {log: Thresholds(entries) for log, entries in compactions.items()}
    for item in found.values():
        item.session.thresholds = thresholds[item.log]
    sessions = (item.session for item in found.values())
    used = (each for each in sessions if each.groups or each.compactions)
    return sorted(used, key=lambda session: (session.first, session.sid))


def timeline_of(item: ProjectSession) -> TableSession:
    """Return a session of this home without its entries."""
    merged = item.merged
    title = title_of(merged.session)
    span = millis(merged.session.started), millis(merged.session.last)
    found = SessionTimeline(
        item.project, item.sid, imported=merged.is_imported, title=title, span=span
    )
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
        for entry in session.of(*COMPACTIONS)
    ]


def _order(entry: TimelineEntry) -> tuple[int, int]:
    return entry.at, entry.seq


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
