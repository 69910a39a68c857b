"""Add what is new in the journals of this home to the team's tables.

Invariant: a row is in the tables once, whatever is repeated, killed or late. The commit that adds
rows to a table also stores how far each log is in it; `events` comes last and shows that the others
are complete. If a project's log was replaced, all of the project's rows are replaced.
"""

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple

from msgspec import Struct

from journal.history.export.columns import ExportOptions
from journal.history.locks import export_lock
from journal.history.progress import Progress, ignore_progress
from journal.history.tables.columns import literal, picked
from journal.history.tables.database import History
from journal.history.team.columns import rows_of
from journal.history.team.forget import allowed_rows, digest_of, remove_forgotten
from journal.history.team.forked import Pushed
from journal.history.team.positions import (
    ALTERED,
    LogEnd,
    StoredMark,
    folder_of,
    is_same,
    seq_of,
    store_mark,
    stored_mark,
)
from journal.history.team.rows import NewRows
from journal.history.team.store import ORDER, Store
from journal.identity import make_identity, save_epochs


class Part(NamedTuple):
    """Logs whose rows are added together. starts: name of a log → last seq in the table.

    version: SQL of a project's version. replaced: the project whose rows these replace, or "".
    """

    ends: list[LogEnd]
    starts: Mapping[str, int]
    version: str
    replaced: str = ""

    @property
    def new(self) -> str:
        """Return the SQL condition of the records of these logs that are new."""
        spans = " or ".join(
            f"(project = {literal(end.log.project)} and imported = {end.log.side == 'imported'} "
            f"and seq > {self.starts.get(end.name, 0)} and seq <= {end.position.seq})"
            for end in self.ends
        )
        return f"({spans})"

    @property
    def marks(self) -> dict[str, int]:
        """Return the mark of each log once its rows are added."""
        return {end.name: end.mark for end in self.ends}


def push(
    home: str,
    project: str,
    store: Store,
    options: ExportOptions,
    *,
    dry: bool = False,
    progress: Progress = ignore_progress,
) -> Pushed:
    """Bring the tables up to date with the journals of this home, or of one project.

    Raise JournalError if this home is exporting already: both would add the same rows.
    """
    with nullcontext() if dry else export_lock(home):
        run = Push(home, project, store, options, dry=dry, progress=progress)
        try:
            return run.run()
        finally:
            run.history.close()


class Push(Struct, eq=False, dict=True):
    """One export. history: of the journals, opened again when a project's history began anew."""

    home: str
    project: str
    store: Store
    options: ExportOptions
    dry: bool
    progress: Progress

    def __post_init__(self) -> None:
        self.folder = folder_of(self.home, self.store.location)
        self.origin = make_identity(self.home).origin  # before the rows are read, which have it
        self.history = self.open()

    def run(self) -> Pushed:
        """Compare each log with the tables, and add what is new."""
        ends = self.ends()
        memory = {end.name: stored_mark(self.folder, end) for end in ends}
        if self._is_finished(ends, memory):
            return Pushed({}, [], self.history.excluded)
        events = self.store.open("events")
        if events is None and not self.dry:
            events = self.store.create()
        table = str(events.metadata().id) if events else ""
        verified = {name: m.mark if m.table == table else 0 for name, m in memory.items()}
        marks = _marks_of(events, ends)
        altered = {name for name, mark in verified.items() if mark == ALTERED}
        changed = [end for end in ends if marks[end.name] != end.mark or end.name in altered]
        # Otherwise nothing was cut short: each log is as far in every table as in `events`.
        known = all(m.is_complete and m.table == table for m in memory.values())
        unsure = not known or marks != verified
        forgotten = allowed_rows(self.store) if events else {}
        rows: dict[str, int] = {}
        forked: list[str] = []
        if changed:
            read = ORDER if unsure and events else ()
            opened = {name: _marks_of(self.store.open(name), ends) for name in read}
            reached = {**dict.fromkeys(ORDER, marks), **opened}
            forked = _replaced(changed, verified, reached)
            if not self.dry:
                self._begin(forked)
                for end in ends:
                    if end.name not in altered:  # it stays so until all of its rows are replaced
                        store_mark(self.folder, end.name, end.position, table, is_complete=False)
            rows = self.add(parts_of(ends, changed, forked, reached), forgotten)
        if not self.dry:
            if unsure or allowed_rows(self.store) != forgotten:
                remove_forgotten(self.store, self.origin)
            for end in ends:
                store_mark(self.folder, end.name, end.position, table)
        return Pushed(rows, forked, self.history.excluded)

    def ends(self) -> list[LogEnd]:
        """Return the end of each log that has one."""
        return [end for log in self.history.logs if (end := LogEnd.of(log, self.origin))]

    def open(self) -> History:
        """Open the journals."""
        history = History(
            self.home, self.project, unsafe=True, person=self.options.person, progress=self.progress
        )
        history.make(["events"])
        return history

    def _is_finished(self, ends: list[LogEnd], memory: Mapping[str, StoredMark]) -> bool:
        """Return whether all rows of the logs are in this store, as this home remembers it."""
        known = [memory[end.name] for end in ends]
        if not all(item.is_complete for item in known):
            return False
        if [item.mark for item in known] != [end.mark for end in ends]:
            return False
        return len({item.table for item in known}) < 2 and self.store.has("events")

    def _begin(self, forked: list[str]) -> None:
        """Record that the history of some projects began anew."""
        if forked:
            self.history.close()
            epochs = make_identity(self.home).epochs
            save_epochs(self.home, {name: epochs.get(name, 1) + 1 for name in forked})
            self.history = self.open()

    def add(self, parts: dict[str, list[Part]], forgotten: Mapping[str, str]) -> dict[str, int]:
        """Add the parts of each table; return the number of rows of those that got any.

        forgotten: table → SQL of the rows that may be exported.
        """
        new = dict.fromkeys(part.new for of_table in parts.values() for part in of_table)
        rows = NewRows(self.history, " or ".join(new))
        counts = {}
        for name in ORDER:
            self.progress(f"exporting {name}")
            allowed = forgotten.get(name, "true")
            counts[name] = sum(self.add_part(name, part, rows, allowed) for part in parts[name])
        return {name: count for name, count in counts.items() if count}

    def add_part(self, table: str, part: Part, new: NewRows, allowed: str) -> int:
        """Add the new rows of a part to a table in one commit; return their number."""
        if not part.replaced and not new.may_have(table, part.new):
            return 0
        options, engine = self.options, self.history.engine
        source = new.source(table, part.new, with_records=options.level == "none")
        rows = rows_of(table, source, options.level, options.author, options.host, part.version)
        rows = f"select * from ({rows}) where {allowed}"
        engine.run(f"create or replace temp table _leaving as {rows}")
        (count,) = engine.run("select count(*) from _leaving").all()[0]
        if self.dry or (not count and not part.replaced):
            return int(count)
        self.write(table, part)
        return int(count)

    def write(self, table: str, part: Part) -> None:
        """Commit the rows of `_leaving`."""

        def leaving() -> Any:
            return self.history.engine.for_arrow().sql("select * from _leaving")

        if part.replaced:
            project = literal(digest_of(part.replaced))
            predicate = f"origin_id = {literal(self.origin)} and md5(project) = {project}"
            self.store.replace(table, predicate, leaving, part.marks)
        else:
            self.store.append(table, leaving(), part.marks)


def _replaced(
    changed: Iterable[LogEnd], verified: Mapping[str, int], reached: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """Return the projects of those logs that are not the ones whose rows the tables have.

    verified: log → a mark that is known to be in it, or ALTERED. reached: see `parts_of`.
    """
    replaced = {
        end.log.project
        for end in changed
        if verified[end.name] == ALTERED
        or not all(is_same(end, marks[end.name], verified[end.name]) for marks in reached.values())
    }
    return sorted(replaced)


def _marks_of(table: Any, ends: Iterable[LogEnd]) -> dict[str, int]:
    """Return the mark of each log in a table, 0 for none. table: None if it does not exist."""
    return {end.name: (table and table.transaction_version(end.name)) or 0 for end in ends}


def parts_of(
    ends: list[LogEnd],
    changed: list[LogEnd],
    forked: list[str],
    reached: Mapping[str, Mapping[str, int]],
) -> dict[str, list[Part]]:
    """Return the parts to add to each table: new records, and all of each replaced project.

    reached: table → log → its mark there. Each table has all rows that `events` has.
    """
    versions = _versions(ends)
    plain = [end for end in changed if end.log.project not in forked]
    again = [
        Part([end for end in ends if end.log.project == project], {}, versions, project)
        for project in forked
    ]
    found = {name: list(again) for name in ORDER}
    for table in ORDER if plain else ():
        both = reached[table], reached["events"]
        starts = {end.name: seq_of(max(marks[end.name] for marks in both)) for end in plain}
        found[table].insert(0, Part(plain, starts, versions))
    return found


def _versions(ends: Iterable[LogEnd]) -> str:
    """Return SQL of the version of a project's rows, which grows with both of its logs."""
    found: dict[str, int] = {}
    for end in ends:
        found[end.log.project] = found.get(end.log.project, 0) + end.position.seq
    return picked("project", {name: str(seq) for name, seq in found.items()})
