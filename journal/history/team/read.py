"""A team's tables as this machine's reports read the journals: sessions, stages, and replies.

Invariant: nothing is counted here. DuckDB gets a copy of the rows that count, with only the
columns that reports read, and the reports are those of one journal.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from journal.clock import iso
from journal.history.logs import short_names
from journal.history.tables.columns import identifier, literal
from journal.history.tables.engine import Engine
from journal.history.team.columns import current, team_columns
from journal.history.team.store import Store, names_in
from journal.history.timeline import SessionTimeline, TimelineEntry
from journal.history.usage import TOKENS
from projections.digest import untitled
from projections.stage import Span

# What a report calls project is the repository, so that a team's checkouts of it are one.
_PROJECT = "coalesce(repo, project) as project"
# The columns and rows that reports read of `events`, the table with the most rows.
_OF_EVENTS = {
    "_compounds": (("session", "seq", "ts"), "type = 'compound.ran' and agent is null"),
    "_events": (("session", "seq", "ts", "type", "us", "short", "hook_call"), "not imported"),
}
# Up to 0.2.0 rows do not tell which events are hook calls: there the type alone decides.
_AS_EVENTS = (
    ", session as sid, not hook_call as inferred, null::bigint as part, null::varchar as via"
)
_OWNERS = ("origin_id", "project", "repo", "imported")
_MARKS = """
select log, session, imported, seq, started as ts, 'prompt' as kind from turns
where coalesce(origin, '') <> 'task-notification'
union all select log, session, imported, seq, ts, 'compound' from _compounds
"""
_SESSIONS = """
select log, project, session, imported, title, epoch_ms(started), epoch_ms(last) from sessions
"""
_COMPACTIONS = """
select log, session, epoch_ms(ts), if(trigger in ('auto', 'manual'), trigger, 'compaction'),
  coalesce(tokens_before, 0), coalesce(point, 0), coalesce(point, 0)::varchar, seq, imported
from compactions where done
"""
# View → the tables that it reads, and its SQL.
_VIEWS = {
    "_sessions": (("sessions", "compactions"), "from sessions"),
    "_marks": (("turns", "_compounds"), _MARKS),
    "_billed": (("usage",), "from usage"),
    "_replies": (("_billed",), "from _billed"),
    "_replied": (("_billed",), "from _billed where agent is null"),
}

_MOST = 10**15  # of any number: a journal records none that is larger


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
        conditions = [f"{name} = {literal(value)}" for name, value in values.items() if value]
        return " and ".join(conditions) or "true"


class TeamHistory:
    """The tables at a place, as `usage_report` and the reports of `journal stats` take them.

    log: the column with the log of a row. refused: number of rows that no journal wrote.
    """

    log = "log"
    has_imports = True  # any of the tables may have rows of transcripts

    def __init__(self, store: Store, wanted: TeamFilter) -> None:
        self.engine = Engine()
        self._store = store
        self._filter = wanted
        self.refused = 0
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
        """Copy tables, and create the views of reports over them."""
        for name in names:
            if name in self._made:
                continue
            self._made.add(name)
            if name in _VIEWS:
                tables, sql = _VIEWS[name]
                self.make(tables)
                self.engine.run(f"create temp view {name} as {sql}")
            else:
                self._copy(name)

    def timelines(self) -> list[SessionTimeline]:
        """Return the sessions, for `history.timeline`."""
        self.make(["sessions", "compactions"])
        compacted: dict[tuple[str, str], list[TimelineEntry]] = defaultdict(list)
        for log, sid, *entry in self.engine.run(_COMPACTIONS).all():
            compacted[log, sid].append(TimelineEntry(*entry))
        found = self.engine.run(_SESSIONS).all()
        return [
            SessionTimeline(
                project,
                sid,
                imported=imported,
                title=title or untitled(sid, iso(started) if started else ""),
                span=(started, last),
                log=log,
                compactions=compacted[log, sid],
            )
            for log, project, sid, imported, title, started, last in found
        ]

    def spans(self, since: str) -> list[Span]:
        """Return the stages that finished since a time (ISO 8601), in order."""
        self.make(["stages"])
        rows = self.engine.run(
            "select stage, epoch_ms(started), epoch_ms(ended), remaining_before, remaining_after "
            "from stages where outcome = 'finished' order by ended"
        ).all()
        spans = [
            Span(stage, iso(start), iso(end), before, left)
            for stage, start, end, before, left in rows
        ]
        return [span for span in spans if span.finished >= since]

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
        chosen = ", ".join(identifier(column) for column in columns if column in existing)
        missing = "".join(
            f', null::{kind} as "{column}"'
            for column, kind in columns.items()
            if column not in existing
        )
        condition = f"{self._filter.condition} and {where}"
        sql = f"select {chosen} from ({current(table)}) counted where {condition}"
        replaced = ", ".join([*times, _PROJECT])
        more = _AS_EVENTS if name == "_events" else ""
        copied = f"""create or replace temp table {name} as
            select * replace ({replaced}), origin_id || ' ' || project as log {more}
            from (select * {missing} from _stream)"""
        self.engine.for_arrow().register("_stream", self._store.stream(table, sql, opened))
        with self._store.faults():  # rows are read while they are copied
            self.engine.run(copied)
        ((refused,),) = self.engine.run(
            f"delete from {name} where ({_plausible(columns)}) is not true"
        ).all()
        self.refused += refused


def _plausible(columns: Mapping[str, str]) -> str:
    """Build the condition of the rows that a journal can have written.

    Others may write to the tables: the sum of two of their numbers must not end every report.
    """
    ranges = {"BIGINT": f"{-_MOST} and {_MOST}", "TIMESTAMPTZ": "'1970-01-01' and '9999-12-31'"}
    return " and ".join(
        (
            "log is not null",
            *(f'"{name}" is not null' for name in columns if name in TOKENS),
            *(
                f'("{name}" is null or "{name}" between {ranges[kind]})'
                for name, kind in columns.items()
                if kind in ranges and name != "version"
            ),
        )
    )
