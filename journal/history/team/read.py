"""A team's tables as this machine's reports read the journals: sessions, stages, and replies.

Invariant: nothing is counted here. DuckDB gets a copy of the rows that count, with only the
columns that reports read, and the reports are those of one journal.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from journal.clock import iso
from journal.history.entries import TimelineEntry, reply_entry
from journal.history.names import short_names
from journal.history.tables.columns import joined, quoted
from journal.history.tables.engine import Engine
from journal.history.team.columns import current, team_columns
from journal.history.team.store import names_in
from journal.history.timeline import SessionTimeline, measure
from projections.stage import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.history.team.store import Store

# What a report calls project is the repository, so that a team's checkouts of it are one.
_PROJECT = "coalesce(repo, project) as project"
# Of the table with the most rows, what the reports read: columns and rows.
_OF_EVENTS = {
    "_compounds": (("session", "seq", "ts"), "type = 'compound.ran' and agent is null"),
    "_events": (("session", "seq", "ts", "type", "us", "short", "hook_call"), "not imported"),
}
# Up to 0.2.0 rows do not tell which events are hook calls: there the type alone decides.
_AS_EVENTS = (
    ", session as sid, not hook_call as inferred, null::bigint as part, null::varchar as via"
)
_OWNERS = ("origin_id", "project", "repo", "imported")
_ENTRIES = """
select project, session, imported, log, seq, epoch_ms(ts) as at, 'reading' as kind, tokens, point,
  '' as detail, model from pressure
union all
select project, session, imported, log, seq, epoch_ms(ts), 'told', tokens, point, level, null
from advice where kind = 'advice' and what = 'pressure'
union all
select project, session, imported, log, seq, epoch_ms(ts), if(trigger = 'auto', 'auto', 'manual'),
  tokens_before, point, '', null from compactions where done
union all
select project, session, imported, log, seq, epoch_ms(started), 'prompt', null, null, '', null
from turns where coalesce(origin, '') <> 'task-notification'
union all
select project, session, imported, log, seq, epoch_ms(ts), 'compound', null, null, '', null
from _compounds
union all
select project, session, imported, log, seq, epoch_ms(ts), 'reply', input_tokens + output_tokens
  + cache_read_input_tokens + cache_creation_input_tokens, null, '', model
from usage where agent is null
"""


class TeamFilter(NamedTuple):
    """Which rows of the tables to read; "" for all. since: ISO 8601."""

    repo: str = ""
    person: str = ""
    origin: str = ""
    since: str = ""

    @property
    def condition(self) -> str:
        """SQL condition of the rows, without the time."""
        values = {"repo": self.repo, "person": self.person, "origin_id": self.origin}
        conditions = [f"{name} = {quoted(value)}" for name, value in values.items() if value]
        return " and ".join(conditions) or "true"


class TeamHistory:
    """The tables at a place, as `usage_report` and the reports of `journal stats` take them."""

    def __init__(self, store: Store, wanted: TeamFilter) -> None:
        self.engine = Engine()
        self._store = store
        self._filter = wanted
        self._made: set[str] = set()
        self._names: dict[str, str] | None = None
        store.must_open("events")

    def close(self) -> None:
        """Close the connection."""
        self.engine.close()

    def name_of(self, project: str) -> str:
        """Return the name of a project for people, unambiguous among those of the tables."""
        if self._names is None:
            self.make(["sessions"])
            found = self.engine.run("select distinct project from sessions").all()
            self._names = short_names(project for (project,) in found)
        return self._names.get(project, project)

    def make(self, names: Iterable[str]) -> None:
        """Copy tables; `_replies` is `usage` with what compactions caused."""
        for name in ("usage" if name == "_replies" else name for name in names):
            if name not in self._made:
                self._copy(name)
                self._made.add(name)
        if "usage" in self._made:
            for view in ("_billed", "_replies"):
                self.engine.run(f"create or replace temp view {view} as from usage")

    def sessions(self) -> list[SessionTimeline]:
        """Return the sessions with their entries, the oldest first."""
        self.make(["sessions", "pressure", "advice", "compactions", "turns", "_compounds", "usage"])
        found: dict[tuple[str, str], SessionTimeline] = {}
        rows = self.engine.run(
            "select log, project, session, imported, model, title from sessions"
        ).all()
        for log, project, sid, imported, model, title in rows:
            session = SessionTimeline(project, sid, imported=imported)
            session.model = model or ""
            session.title = title or ""
            found[log, sid] = session
        entries: dict[str, list[tuple[SessionTimeline, TimelineEntry]]] = defaultdict(list)
        for session, log, entry in self._entries(found):
            entries[log].append((session, entry))
        for items in entries.values():
            measure(items)
        sessions = (session for session in found.values() if session.entries)
        return sorted(sessions, key=lambda session: (session.first, session.sid))

    def tables(self) -> TeamHistory:
        """Return the tables, of hook calls and replies."""
        return self

    def spans(self) -> list[Span]:
        """Return the finished stages in order."""
        self.make(["stages"])
        rows = self.engine.run(
            "select stage, epoch_ms(started), epoch_ms(ended), remaining_before, remaining_after "
            "from stages where outcome = 'finished' order by ended"
        ).all()
        spans = [
            Span(stage, iso(start), iso(end), before, left)
            for stage, start, end, before, left in rows
        ]
        return [span for span in spans if span.finished >= self._filter.since]

    def _entries(
        self, found: dict[tuple[str, str], SessionTimeline]
    ) -> Iterator[tuple[SessionTimeline, str, TimelineEntry]]:
        for _, sid, imported, log, seq, at, kind, tokens, point, detail, model in self.engine.run(
            _ENTRIES
        ).all():
            session = found.get((log, sid))
            if session is None or iso(at) < self._filter.since:
                continue
            # Only a session that no hook recorded takes its readings from its replies.
            if kind == "reply":
                if session.imported:
                    yield session, log, reply_entry(at, model or "", tokens or 0, seq)
            elif kind != "reading" or imported == session.imported:
                measured = kind in ("reading", "auto", "manual")
                more = detail or (str(point or 0) if measured else "")
                entry = TimelineEntry(at, kind, tokens or 0, point or 0, more, seq, imported)
                yield session, log, entry

    def _copy(self, name: str) -> None:
        """Copy the rows of a table that pass the filter, with the columns that reports read."""
        table = "events" if name in _OF_EVENTS else name
        only, where = _OF_EVENTS.get(name, (None, "true"))
        columns = {
            column: kind
            for column, kind in team_columns(table)
            if only is None or column in (*only, *_OWNERS)
        }
        times = [
            f'"{column}"::timestamp as "{column}"'
            for column, kind in columns.items()
            if kind == "TIMESTAMPTZ"
        ]
        opened = self._store.must_open(table)
        existing = names_in(opened)  # an older version may have created the table
        chosen = ", ".join(quoted(column, '"') for column in columns if column in existing)
        missing = "".join(
            f', null::{kind} as "{column}"'
            for column, kind in columns.items()
            if column not in existing
        )
        condition = joined(self._filter.condition, "and", where)
        sql = joined("select", chosen, "from (", current(table), ") counted where", condition)
        copied = joined(
            f"create or replace temp table {name} as select * replace (",
            ", ".join([*times, _PROJECT]),
            "),",
            "origin_id || ' ' || project as log",
            _AS_EVENTS if name == "_events" else "",
            joined("from (select *", missing, "from _stream)"),
        )
        self.engine.for_arrow().register("_stream", self._store.stream(table, sql, opened))
        with self._store.faults():  # rows are read while they are copied
            self.engine.run(copied)
