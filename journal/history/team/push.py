"""Add what is new in the journals of this home to the team's tables.

Invariant: a row is in the tables once, whatever is repeated, killed or late. Each table notes how
far each log is in it, in the commit that adds the rows; `events` comes last and tells that the
others are done. The rows of a project whose log was replaced are replaced as a whole.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.codec import digest
from journal.history.export.columns import TIMES
from journal.history.tables.columns import joined, quoted
from journal.history.tables.database import History
from journal.history.tables.views import VIEWS, WITH_RECORD, view_sql
from journal.history.team.columns import FACTS, rows_of
from journal.history.team.forget import but_forgotten, digest_of
from journal.history.team.positions import ALTERED, LogEnd, is_same, remember, remembered, seq_of
from journal.home import ensure_directory
from journal.identity import make_identity, save_epochs
from journal.replace_file import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from journal.history.export.run import ExportOptions
    from journal.history.team.store import Store

__all__ = ["Pushed", "push"]

ORDER = (*(table for table in TIMES if table != "events"), "events")

# What belongs to the sessions in which something happened; stages belong to cycles.
_SESSIONS = """
create or replace temp table _touched as
select distinct project, coalesce(sid, '') as session from _events where {new}
"""
_CYCLES = """
(project, cycle) in (select project, cycle from _facts where starts_with(type, 'stage.') and {new})
"""


class Pushed(NamedTuple):
    """What was added. rows: table → number; replaced: projects whose history began anew.

    excluded: lines that are no rows.
    """

    rows: dict[str, int]
    replaced: list[str]
    excluded: int


class _Part(NamedTuple):
    """Logs whose rows are added together. starts: name of a log → seq its rows are in up to."""

    ends: list[LogEnd]
    starts: Mapping[str, int]
    version: str

    @property
    def new(self) -> str:
        """SQL of what is new in them."""
        return "(" + " or ".join(
            f"(project = {quoted(end.log.project)} and imported = {end.log.side == 'imported'} "
            f"and seq > {self.starts.get(end.name, 0)} and seq <= {end.position.seq})"
            for end in self.ends
        ) + ")"  # fmt: skip

    @property
    def marks(self) -> dict[str, int]:
        """How far the logs are in a table once the rows are added."""
        return {end.name: end.mark for end in self.ends}


def push(
    home: str,
    project: str,
    store: Store,
    options: ExportOptions,
    *,
    dry: bool = False,
    progress: Callable[[str], None] = lambda _text: None,
) -> Pushed:
    """Bring the tables up to date with the journals of this home, or of one project."""
    origin = make_identity(home).origin
    folder = os.path.join(home, "cache", "export", digest(store.place, 8))
    history = _open(home, project, options, progress)
    try:
        ends = [end for log in history.logs if (end := LogEnd.of(log, origin))]
        memory = {end.name: remembered(folder, end) for end in ends}
        begun = os.path.join(folder, "begun")
        finished = not os.path.exists(begun) and all(memory[e.name][0] == e.mark for e in ends)
        if (
            finished
            and len({table for _mark, table in memory.values()}) < 2
            and store.has("events")
        ):
            return _done(history, {}, [])
        events = store.open("events")
        if events is None and not dry:
            events = store.create()
        table = str(events.metadata().id) if events else ""
        known = {name: mark if of == table else 0 for name, (mark, of) in memory.items()}
        marks = {end.name: (events and events.transaction_version(end.name)) or 0 for end in ends}
        altered = [end for end in ends if known[end.name] == ALTERED]
        changed = [end for end in ends if marks[end.name] != end.mark or end in altered]
        if not changed:
            return _done(history, {}, [])
        # Else each log is as far in every table as in `events`.
        unsure = marks != known or os.path.exists(begun) or not os.path.isdir(folder)
        other = _Others(store, marks, known, unsure=unsure) if events else None
        replaced = altered + [
            end for end in changed if not is_same(end, marks[end.name], known[end.name])
        ]
        replaced += [end for end in changed if other and not other.are_same(end)]
        forked = sorted({end.log.project for end in replaced})
        if forked and not dry:
            history.close()
            epochs = make_identity(home)
            save_epochs(home, {name: epochs.epoch(name) + 1 for name in forked})
            history = _open(home, project, options, progress)
        if not dry:
            ensure_directory(folder)
            write_atomic(begun, b"")
        versions = _versions(ends)
        rows: dict[str, int] = {}
        forgotten = but_forgotten(store) if events else {}
        for name in ORDER:
            progress(f"exporting {name}")
            starts = other.starts(name, changed) if other else {}
            plain = [end for end in changed if end.log.project not in forked]
            parts = [(_Part(plain, starts, versions), "")] if plain else []
            parts += [
                (_Part([end for end in ends if end.log.project == one], {}, versions), one)
                for one in forked
            ]
            for part, renewed in parts:
                count = _add(history, store, name, part, options, forgotten, renewed, dry=dry)
                rows[name] = rows.get(name, 0) + count
        if not dry:
            for end in ends:
                remember(folder, end, table)
            os.unlink(begun)
        return _done(history, {name: count for name, count in rows.items() if count}, forked)
    finally:
        history.close()


class _Others:
    """How far the other tables are. unsure: whether they have to be asked."""

    def __init__(
        self, store: Store, marks: Mapping[str, int], known: Mapping[str, int], *, unsure: bool
    ) -> None:
        self._events = marks
        self._known = known
        self._tables: dict[str, Any] = {}
        if unsure:
            self._tables = {name: store.open(name) for name in ORDER if name != "events"}

    def are_same(self, end: LogEnd) -> bool:
        """Return whether the log is the one whose rows are in the other tables."""
        return all(is_same(end, mark, self._known[end.name]) for mark in self._marks(end.name))

    def starts(self, table: str, ends: Iterable[LogEnd]) -> dict[str, int]:
        """Return the seqs up to which a table has the rows; what `events` has, every table has."""
        found = self._tables.get(table)
        own = {end.name: (found and found.transaction_version(end.name)) or 0 for end in ends}
        return {name: seq_of(max(mark, self._events[name])) for name, mark in own.items()}

    def _marks(self, name: str) -> set[int]:
        return {found.transaction_version(name) or 0 for found in self._tables.values() if found}


def _open(
    home: str, project: str, options: ExportOptions, progress: Callable[[str], None]
) -> History:
    history = History(home, project, unsafe=True, person=options.person, progress=progress)
    history.make(["events"])
    return history


def _done(history: History, rows: dict[str, int], forked: list[str]) -> Pushed:
    excluded = sum(count for name, count in history.excluded.items() if name != "repeated")
    return Pushed(rows, forked, excluded)


def _versions(ends: Iterable[LogEnd]) -> str:
    """SQL of the version of a project's rows: it grows with both of its logs."""
    found: dict[str, int] = {}
    for end in ends:
        found[end.log.project] = found.get(end.log.project, 0) + end.position.seq
    pairs = ", ".join(f"{quoted(name)}: {seq}" for name, seq in found.items())
    return f"(map {{{pairs}}})[project]"


def _add(
    history: History,
    store: Store,
    table: str,
    part: _Part,
    options: ExportOptions,
    forgotten: Mapping[str, str],
    replaced: str,
    *,
    dry: bool,
) -> int:
    """Add the rows of one table in one commit; return their number. replaced: whose rows go."""
    if table == "usage" and not replaced and not _has_replies(history, part):
        return 0
    source = _source(history, table, part, options.level)
    rows = rows_of(table, source, options.level, options.author, options.host, part.version)
    if kept := forgotten.get(table):
        rows = joined("select * from (", rows, ") where", kept)
    history.engine.run(joined("create or replace temp table _leaving as", rows))
    (count,) = history.engine.run("select count(*) from _leaving").all()[0]
    if dry or (not count and not replaced):
        return int(count)
    leaving = history.engine.arrow("select * from _leaving")
    if replaced:
        own = make_identity(history.home).origin
        predicate = f"origin_id = {quoted(own)} and md5(project) = {quoted(digest_of(replaced))}"
        store.replace(table, predicate, leaving, part.marks)
    else:
        store.append(table, leaving, part.marks)
    return int(count)


def _source(history: History, table: str, part: _Part, level: str) -> str:
    """SQL of the rows of a table that are new, or of what something new belongs to."""
    if table == "usage":
        return _replies(history, part)
    if table == "events":
        return joined(_all_events(history, whole=level == "none"), "where", part.new)
    history.make([table])
    if table in FACTS:
        return joined(table, "where", part.new)
    if table == "stages":
        history.make(["_facts"])
        return joined(table, "where", _CYCLES.format(new=part.new))
    history.engine.run(_SESSIONS.format(new=part.new))
    return joined(table, "where (project, coalesce(session, '')) in (from _touched)")


def _all_events(history: History, *, whole: bool) -> str:
    """SQL of the events of both logs of each project. whole: with the records.

    The local table leaves out the facts of a session that its other log counts, and which log that
    is may change after they were exported; what both logs hold, does not.
    """
    view = WITH_RECORD if whole else VIEWS["events"]
    history.make([view.reads[0]])
    return joined("(select *,", history.identity, "from (", view_sql(view, []), "))")


def _has_replies(history: History, part: _Part) -> bool:
    """Return whether replies are new: what they cost takes longer than all other tables."""
    history.make(["_usage"])
    asked = joined("select 1 from _usage where type = 'usage.recorded' and", part.new, "limit 1")
    return bool(history.engine.run(asked).all())


def _replies(history: History, part: _Part) -> str:
    """SQL of the new replies with what a compaction caused of them, in their sessions alone."""
    history.make(["usage", "_usage"])
    history.engine.run(_SESSIONS.format(new=part.new))
    sql = view_sql(VIEWS["_replies"], []).strip().removeprefix("with")
    narrowed = joined(
        "with _billed as materialized (select * from memory.main.usage where (project,",
        "coalesce(session, '')) in (from _touched)),",
        "_usage as materialized (select * from memory.main._usage where (project,",
        "coalesce(sid, '')) in (from _touched)),",
        sql,
    )
    keyed = joined(
        "select found.*, _usage.key as reply from (", narrowed, ") found left join _usage",
        "using (project, imported, seq)",
    )  # fmt: skip
    return joined("(", keyed, ") where", part.new)
