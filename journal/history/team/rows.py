"""Select the rows of a home's tables that are new or that new events changed.

Invariant: they are the rows of the local tables. If a row depends only on its session, only the
changed sessions are read, so the cost follows the number of new events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.tables.views import VIEWS, WITH_RECORD, view_sql
from journal.history.team.columns import FACTS

if TYPE_CHECKING:
    from journal.history.tables.database import History

_FAMILIES = ("_turns", "_tools", "_facts", "_usage", "_work")
_SESSIONS = """
create or replace temp table {name} as
select distinct project, coalesce(sid, '') as session from _events where {new}
"""
_CYCLES = """
(project, cycle) in (select project, cycle from _facts where starts_with(type, 'stage.') and {new})
"""
_CHANGED = "(project, coalesce(sid, '')) in (from _changed)"
_TOUCHED = "(project, coalesce(sid, '')) in (from _touched)"


class NewRows:
    """New rows of the tables of a history. new: SQL of the records that are new to any table."""

    def __init__(self, history: History, new: str) -> None:
        self._history = history
        self._narrowed: set[str] = set()
        history.make(_FAMILIES)  # together, so that each log is read once
        self._run(_SESSIONS.format(name="_changed", new=new))
        history.chosen = self._sessions("_changed")

    def may_have(self, table: str, new: str) -> bool:
        """Return whether a table may have new rows, before reading anything for it.

        new: SQL of the records that are new to this table.
        """
        if table == "usage":
            self._history.make(["_usage"])
            reply = "select 1 from _usage where type = 'usage.recorded' and"
            return bool(self._run(f"{reply} {new} limit 1"))
        if table == "compactions":
            self._history.make(["sessions"])
            self._run(_SESSIONS.format(name="_touched", new=new))
            touched = self._sessions("_touched")
            return any(
                item.merged.session.compacted and (item.project, item.sid) in touched
                for item in self._history.sessions
            )
        return True

    def source(self, table: str, new: str, *, with_records: bool = False) -> str:
        """Build SQL of the rows of a table. with_records: for events."""
        if table == "events":
            return f"{self._events(with_records=with_records)} where {new}"
        if table in FACTS:
            self._history.make([table])
            return f"{table} where {new}"
        if table == "stages":
            self._history.make([table, "_facts"])
            return f"{table} where {_CYCLES.format(new=new)}"
        self._run(_SESSIONS.format(name="_touched", new=new))
        if table == "usage":
            return self._replies(new)
        if table == "hooks":
            return self._hooks()
        if table == "turns":
            self._narrow("_turns", _CHANGED)
        self._history.make([table])
        return f"{table} where (project, coalesce(session, '')) in (from _touched)"

    def _sessions(self, name: str) -> set[tuple[str, str]]:
        return {(str(project), str(sid)) for project, sid in self._run(f"from {name}")}

    def _run(self, sql: str) -> list[tuple[object, ...]]:
        return self._history.engine.run(sql).all()

    def _narrow(self, family: str, where: str) -> None:
        """Restrict a family to the rows of `where`, for all views that read it from now on."""
        if family not in self._narrowed:
            self._narrowed.add(family)
            self._history.make([family])
            self._run(f"alter view {family} rename to _all{family}")
            self._run(f"create view {family} as from _all{family} where {where}")

    def _events(self, *, with_records: bool) -> str:
        """Build SQL of the events of both logs of each project.

        The local table takes the facts of a session from one of its two logs. Which one may change
        after an export, but the rows of the two logs do not.
        """
        view = WITH_RECORD if with_records else VIEWS["events"]
        self._history.make([view.reads[0]])
        return f"(select *, {self._history.identity} from ({view_sql(view, [])}))"

    def _replies(self, new: str) -> str:
        """Build SQL of the new replies with their compaction cost, from their sessions only.

        A reply may be in two sessions and counts in one: all replies with its key are read.
        """
        self._history.make(["_usage"])
        if "_usage" not in self._narrowed:
            keys = "create or replace temp table _keys as select distinct key from _usage where"
            self._run(f"{keys} {_CHANGED}")
        self._narrow("_usage", f"{_CHANGED} or key in (from _keys)")
        self._history.make(["usage", "_caused"])
        touched = _TOUCHED.replace("sid", "session")
        found = view_sql(VIEWS["_replies"], [])
        return f"""(with _billed as (from memory.main.usage where {touched})
            select found.*, _usage.key as reply from ({found}) found
            left join _usage using (project, imported, seq) where {new})"""

    def _hooks(self) -> str:
        self._history.make(["_facts", "_events"])
        narrowed = ",".join(
            f"{name} as materialized (from memory.main.{name} where {_TOUCHED})"
            for name in ("_facts", "_events")
        )
        found = view_sql(VIEWS["hooks"], []).strip().removeprefix("with")
        return f"(select *, {self._history.identity} from (with {narrowed}, {found}))"
