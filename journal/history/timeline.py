"""The history that reports need: readings, warnings, compactions and prompts, per session.

They are rows of the tables of `journal sql` or of a team's tables. Invariant: nothing is counted
here. Prompts and compactions are those that `projections.sessions` counts. If both hooks and an
import recorded a session, readings and warnings are the hooks'.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

from journal.clock import iso, millis
from journal.history.tables.columns import literal
from journal.home import IMPORTED
from journal.transcript.threshold import compaction_threshold
from projections.digest import untitled
from projections.pressure import Pressure, observe, point_of
from projections.session import title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from journal.history.tables.engine import Engine
    from journal.history.tables.sessions import ProjectSession
    from projections.session import Compaction

COMPACTIONS = ("auto", "manual", "compaction")
"""The kinds of entry that are compactions; the last is one of unknown trigger."""
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
select log, session, imported, kind, point, detail, model, count(*), min(ms), max(ms),
  coalesce(max(tokens), 0), list((ms, seq, coalesce(tokens, 0))) filter ({listed}) from
"""
_FEW = "imported or kind in ('told', 'compound')"  # of the other entries, reports need figures


class TimelineEntry(NamedTuple):
    """One event of a session. at: ms. kind: reading, told, prompt, compound, or a compaction.

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

    @property
    def pressure(self) -> float:
        """Return its tokens as a share of its threshold, which must be known."""
        return self.tokens / self.point


def _order(entry: TimelineEntry) -> tuple[int, int]:
    return entry.at, entry.seq


class EntryGroup(NamedTuple):
    """Entries of a session that differ in (at, seq, tokens) alone.

    kind, point, detail, imported: see TimelineEntry; point is the threshold by the formula. number:
    of entries. first, last: lowest and highest `at`. tokens: the most. rows: (at, seq,
    tokens) of each in any order, None if not read yet.
    """

    kind: str
    point: int
    detail: str
    imported: bool
    number: int
    first: int
    last: int
    tokens: int
    rows: list[tuple[int, int, int]] | None


class Thresholds:
    """The compaction thresholds of one log, which automatic compactions correct one by one.

    stated: those that Claude Code or a setting states, which none corrects.
    """

    def __init__(
        self, compactions: Iterable[TimelineEntry] = (), stated: Collection[int] = ()
    ) -> None:
        self._observed: list[dict[str, list[int]]] = [{}]
        self._corrections: list[tuple[int, int]] = []  # time and seq of each
        self._known: dict[tuple[int, int], int] = {}
        for entry in sorted(compactions, key=_order):
            is_measured = entry.kind == "auto" and entry.tokens and entry.point and entry.detail
            if is_measured and entry.point not in stated:
                self._corrections.append((entry.at, entry.seq))
                self._observed.append(observe(self._observed[-1], entry.point, entry.tokens))

    def at(self, point: int, when: tuple[int, ...]) -> int:
        """Return the threshold at a time and seq. point: the threshold by the formula."""
        count = bisect_left(self._corrections, when)
        if (found := self._known.get((point, count))) is None:
            found = point_of(Pressure(observed=self._observed[count]), point)[0]
            self._known[point, count] = found
        return found

    def is_same(self, group: EntryGroup) -> bool:
        """Return whether no compaction corrects the thresholds during some entries."""
        ends = (group.first, group.last + 1)
        before, until = (bisect_left(self._corrections, (end,)) for end in ends)
        return before == until


_BY_FORMULA = Thresholds()


class SessionTimeline(Struct, eq=False, dict=True):
    """One session. imported: known from its transcript only. groups, compactions: its entries.

    span: times (ms) of its first and last event of any kind, 0 if unknown. log: of its rows in the
    tables. prompts: whether its imported prompts count, or those of the hooks; None for all.
    thresholds: of its log. stated: the one that Claude Code or a setting states, 0 for none. read:
    reads the rows of its groups. Entries are read and built on request: there may be very many.
    """

    project: str
    sid: str
    imported: bool
    title: str = ""
    span: tuple[int | None, int | None] = (None, None)
    log: str = ""
    prompts: bool | None = None
    compactions: list[TimelineEntry] = []
    groups: list[EntryGroup] = []
    thresholds: Thresholds = _BY_FORMULA
    stated: int = 0
    read: Callable[[], None] = lambda: None

    @cached_property
    def entries(self) -> list[TimelineEntry]:
        """Return all entries in order, with the threshold as it was known at each."""
        return self.of("")

    def of(self, *kinds: str) -> list[TimelineEntry]:
        """Return the entries of some kinds in order, of all for ""."""
        threshold_at = self.thresholds.at
        wanted = [group for group in self.groups if group.kind in kinds or "" in kinds]
        if any(group.rows is None for group in wanted):
            self.read()
            return self.of(*kinds)
        found = [
            entry._replace(point=threshold_at(entry.point, (entry.at, entry.seq)))
            for entry in self.compactions
            if entry.kind in kinds or "" in kinds
        ]
        for kind, point, detail, imported, *_, rows in wanted:
            is_reading = kind == "reading"
            for row in rows or ():
                limit = threshold_at(point, row) if is_reading else point
                found.append(TimelineEntry(row[0], kind, row[2], limit, detail, row[1], imported))
        return sorted(found, key=_order)

    @property
    def measured(self) -> list[TimelineEntry]:
        """Return the readings and compactions with known tokens and threshold, in order."""
        return [each for each in self.of("reading", *COMPACTIONS) if each.tokens and each.point]

    def count(self, kind: str) -> int:
        """Return the number of entries of a kind other than compactions."""
        return sum(group.number for group in self.groups if group.kind == kind)

    @cached_property
    def _ends(self) -> list[int]:
        ends = [end for group in self.groups for end in (group.first, group.last)]
        return [*ends, *(entry.at for entry in self.compactions)] or [0]

    @property
    def first(self) -> int:
        """Return the time (ms) of the first entry, 0 if there are none."""
        return min(self._ends)

    @property
    def last(self) -> int:
        """Return the time (ms) of the last entry, 0 if there are none."""
        return max(self._ends)

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
        """Return the highest pressure of a reading or a compaction, None if unknown."""
        readings = [group for group in self.groups if group.kind == "reading"]
        if not all(map(self.thresholds.is_same, readings)):
            return max((entry.pressure for entry in self.measured), default=None)
        known = [(g.tokens, self.thresholds.at(g.point, (g.first,))) for g in readings]
        known += [(entry.tokens, entry.point) for entry in self.of(*COMPACTIONS)]
        return max((tokens / point for tokens, point in known if tokens and point), default=None)


class ReportTables(Protocol):
    """The tables of this home or of a team. log: the column with the log of a row."""

    engine: Engine
    log: str

    @property
    def has_imports(self) -> bool:
        """Return whether there may be rows of transcripts."""

    def make(self, names: Iterable[str]) -> None:
        """Create tables."""

    def timelines(self) -> list[SessionTimeline]:
        """Return the sessions with only their compactions; the table `_sessions` must exist."""


def tables_of(history: ReportTables) -> list[str]:
    """Return the tables that `session_timelines` reads."""
    return ["_sessions", *(name for name in _ENTRIES if name != "_replied" or history.has_imports)]


def session_timelines(history: ReportTables, since: str = "") -> list[SessionTimeline]:
    """Return the sessions of a history, oldest first, or those with events since a time (ISO 8601).

    They have the entries since then.
    """
    names = tables_of(history)
    history.make(names)
    start = millis(since) or 0
    found = {(item.log, item.sid): item for item in history.timelines()}
    compactions: dict[str, list[TimelineEntry]] = defaultdict(list)
    stated: dict[str, set[int]] = defaultdict(set)
    for item in found.values():
        stated[item.log].add(item.stated)
        item.compactions = [each for each in item.compactions if each.at >= start]
        compactions[item.log] += item.compactions
    key = f"select {history.log} as log, session, imported, seq, epoch_ms(ts) as ms,"
    parts = " union all ".join(f"{key} {_ENTRIES[name]}" for name in names if name in _ENTRIES)
    entries = _Entries(history.engine, f"{_GROUPS} ({parts}) where ms >= {start}", found)
    entries.read(_FEW)
    thresholds = {log: Thresholds(entries, stated[log]) for log, entries in compactions.items()}
    for (log, sid), item in found.items():
        item.read = partial(entries.read_rows, log, sid)
        item.thresholds = thresholds[log]
    listed = (item for item in found.values() if max(item.last, item.span[1] or 0) >= start)
    return sorted(listed, key=lambda session: (session.first or session.started, session.sid))


class _Entries:
    """Reads the entries of sessions into their timelines. sql: of their groups."""

    def __init__(
        self, engine: Engine, sql: str, sessions: dict[tuple[str, str], SessionTimeline]
    ) -> None:
        self._engine = engine
        self._sql = sql
        self._sessions = sessions
        self._has_read_rows = False

    def read_rows(self, log: str, sid: str) -> None:
        """Read the rows of a session; at the second call, of all, which takes no longer."""
        only = f"and log = {literal(log)} and session = {literal(sid)}"
        self.read("true", "" if self._has_read_rows else only)
        self._has_read_rows = True

    def read(self, listed: str, only: str = "") -> None:
        """Read groups, with the rows of those entries that are `listed`. only: a condition."""
        groups: dict[tuple[str, str], list[EntryGroup]] = defaultdict(list)
        sql = f"{self._sql.format(listed=listed)} {only} group by all"
        for log, sid, imported, kind, point, detail, model, *rest in self._engine.run(sql).all():
            owner = self._sessions.get((log, sid))
            if owner is None or not _is_of(owner, kind, imported=imported):
                continue
            group = EntryGroup(kind, point or 0, detail or "", imported, *rest)
            if kind == "reply":
                group = group._replace(kind="reading", point=_threshold(model or ""), detail="")
            groups[log, sid].append(group)
        for key, found in groups.items():
            self._sessions[key].groups = found


def timeline_of(item: ProjectSession) -> SessionTimeline:
    """Return a session of this home with only its compactions."""
    merged = item.merged
    return SessionTimeline(
        item.project,
        item.sid,
        imported=merged.is_imported,
        title=title_of(merged.session) or untitled(item.sid, merged.session.started),
        span=(millis(merged.session.started), millis(merged.session.last)),
        log=item.project,
        prompts=merged.counted == IMPORTED,
        stated=merged.session.point if merged.session.stated else 0,
        compactions=[_compacted(*each) for each in merged.compactions if each[1].done],
    )


def _compacted(imported: bool, item: Compaction) -> TimelineEntry:
    kind = item.trigger if item.trigger in COMPACTIONS else "compaction"
    at, tokens = millis(item.at) or 0, item.tokens or 0
    shown = str(item.point) if item.shows_threshold else ""
    return TimelineEntry(at, kind, tokens, item.point, shown, item.seq, imported)


def _is_of(item: SessionTimeline, kind: str, *, imported: bool) -> bool:
    """Return whether a session takes such an entry from this log."""
    if kind == "prompt":
        return item.prompts in (None, imported)
    # Only a session that no hook recorded takes its readings from its replies.
    return item.imported if kind == "reply" else imported == item.imported


@cache
def _threshold(model: str) -> int:
    return compaction_threshold(model, {}, {}, None).tokens or 0


def compaction_rows(found: Iterable[SessionTimeline]) -> list[dict[str, Any]]:
    """Return the compactions of these sessions, session by session; None is unknown."""
    return [
        {
            "project": session.project,
            "at": iso(entry.at),
            "trigger": entry.kind if entry.kind != "compaction" else None,
            "tokens": entry.tokens or None,
            "point": entry.point or None,
            "seq": entry.seq,
            "imported": entry.imported,
        }
        for session in found
        for entry in session.of(*COMPACTIONS)
    ]
