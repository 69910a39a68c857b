"""The journals as a database with the tables of `journal sql`.

A table is created when a query first names it: DuckDB's error says which one is missing.
Invariant: a table's rows do not depend on the query, and no query opens any other file.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from journal.errors import JournalError, JournalOffError
from journal.history.progress import Progress, ignore_progress
from journal.history.tables.columns import literal, literals, picked
from journal.history.tables.engine import Engine, QueryResult
from journal.history.tables.families import FAMILIES
from journal.history.tables.logs import find_logs
from journal.history.tables.schema import TABLES
from journal.history.tables.views import UNREAD, VIEWS, WITH_RECORD, WITHOUT_WORK, view_sql
from journal.home import ensure_directory
from journal.identity import Identity, identity_of, stored_repo

if TYPE_CHECKING:
    from journal.history.tables.sessions import ProjectSession
    from journal.history.timeline import SessionTimeline
    from projections.stage import Span

# A query that matches probably reads columns that need `_work`, so these are read in the pass that
# folds the sessions. A query that needs them and does not match costs a second pass.
_WORK = re.compile(r"(?<!\()\*|(^|\()\s*from\b|\b(heeded|dropped_\w+)\b")
# MiB above which a query uses the disk: each thread reads blocks of 32 MiB.
_MEMORY = max(220, 64 * (os.cpu_count() or 1))
_LISTS = re.compile(r"\b(show|describe|information_schema|sqlite_master|pg_catalog|duckdb_\w+)\b")


class History:
    """The journals under `home`, of one project or of all.

    outputs: files that a query may write. person: value of the column `person`, "" for the random
    ID of the home. progress: called with the name of a step that may take long.
    log: name of the column that identifies the log of a row. most: bytes of new records that one
    call turns into rows, for each log; 0 for all. identity: SQL of the columns that say whose a row
    is; identity_error: why these are unknown. chosen: (project, session) pairs that the tables are
    limited to; None for all sessions. sessions: the chosen ones, once `_sessions` exists.
    """

    log = "project"

    def __init__(
        self,
        home: str,
        project: str = "",
        *,
        unsafe: bool = False,
        outputs: Sequence[str] = (),
        person: str = "",
        progress: Progress = ignore_progress,
    ) -> None:
        self.home = home
        self._progress = progress
        self._temporary = ""  # the cache of this process, if the home's cannot be written
        self.cache = self._directory("cache")
        if not self.cache:
            self.cache = self._temporary = tempfile.mkdtemp(prefix="journal-sql-")
        self.logs = find_logs(home, project, self.cache)
        sides = [
            {log.project for log in self.logs if log.side == side} for side in ("live", "imported")
        ]
        self._both = sorted(sides[0] & sides[1])
        names = {log.project for log in self.logs}
        self.identity, self.identity_error = _identity_columns(home, names, person)
        self._made: set[str] = set()
        self._reads_work = False
        self.sessions: list[ProjectSession] = []
        self.chosen: set[tuple[str, str]] | None = None
        self.most = 0
        # Without a spill directory: better too much memory than no answer.
        spill = self._directory("cache", "spill")
        self.engine = Engine(spill, f"{_MEMORY}MiB" if spill else "")
        self.engine.tables = TABLES
        self.engine.missing = self._missing
        if not unsafe:
            self.engine.lock([f"{log.cache}/" for log in self.logs], outputs)

    @property
    def excluded(self) -> int:
        """Count the lines that are not rows: torn, corrupt or out of order."""
        return sum(log.excluded for log in self.logs)

    @property
    def has_imports(self) -> bool:
        """Return whether a log of transcripts is among the logs."""
        return any(log.side == "imported" for log in self.logs)

    @property
    def reads_logs(self) -> bool:
        """Return whether any table was created; `sessions` reads the logs without `Log.read`."""
        return bool(self._made)

    def timelines(self) -> list[SessionTimeline]:
        """Return the sessions for `history.timeline`; the table `_sessions` must exist."""
        from journal.history.timeline import timeline_of

        return [timeline_of(item) for item in self.sessions]

    def spans(self, since: str) -> list[Span]:
        """Return the stages that finished since a time (ISO 8601), in order."""
        from journal.history.tables.stages import finished_stages

        self.make(["_facts"])
        return finished_stages(self.engine, since)

    def query(self, text: str, params: Mapping[str, str] | None = None) -> Iterator[QueryResult]:
        """Run the statements of a query and return their results, one after another."""
        self._prepare(text)
        return self.engine.query(text, params or {})

    def write_parquet(self, text: str, params: Mapping[str, str], path: str) -> int:
        """Write a query's rows as Parquet and return their number."""
        self._prepare(text)
        return self.engine.write_parquet(text, params, path)

    def make(self, names: Iterable[str]) -> None:
        """Create tables, and first the tables that they read."""
        needed = self._needed(names)
        self._make_families_of(needed)
        for name in needed:
            self._fill(name)
            if name in VIEWS:
                self._create(name, view_sql(VIEWS[name], self._both))
        self._made.update(needed)

    def close(self) -> None:
        """Close the connection and remove its temporary files."""
        self.engine.close()
        for log in self.logs:
            log.discard()
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _prepare(self, text: str) -> None:
        """Create all tables if a query may list them; note whether it seems to need `_work`."""
        self._reads_work = bool(_WORK.search(text.lower()))
        if _LISTS.search(text.lower()):
            self.make(TABLES)

    def _missing(self, message: str) -> bool:
        """Create the table or columns that DuckDB's error names; return False if it names none."""
        if UNREAD in message:
            return self._complete(message)
        named = re.search(r"with name \"?(\w+)", message)
        name = named[1].lower() if named else ""
        if name not in TABLES or name in self._made:
            return False
        if name == "compactions" and not self._reads_work:
            self.make(WITHOUT_WORK.reads)
            self._fill_compactions(with_work=False)
            self._create(name, view_sql(WITHOUT_WORK, self._both))
        else:
            self.make([name])
        return True

    def _complete(self, message: str) -> bool:
        """Read the columns of a table that an error names as unread; return False if none."""
        if f"events.record {UNREAD}" in message and "_records" not in self._made:
            self._make_families(["records"])
            self._create("events", view_sql(WITH_RECORD, self._both))
            return True
        if "compactions." in message and "compactions" not in self._made:
            self.make(["compactions"])
            return True
        return False

    def _fill(self, name: str) -> None:
        """Compute what a name stands for, unless SQL makes all of it from the rows of the logs."""
        if name == "_sessions":
            found = self._project_sessions(dict.fromkeys(log.project for log in self.logs))
            chosen = self.chosen
            self.sessions = [x for x in found if chosen is None or (x.project, x.sid) in chosen]
        elif name == "sessions":
            from journal.history.tables.sessions import fill

            fill(self.engine, self.sessions)
        elif name == "_shared":
            from journal.history.tables.sessions import fill_shared

            fill_shared(self.engine, self._project_sessions(self._both))
        elif name == "compactions":
            self._fill_compactions(with_work=True)
        elif name == "_rates":
            from journal.history.usage.prices import fill_rates

            fill_rates(self.engine, self.home)
        elif name == "_caused":
            from journal.history.usage.compactions import fill_caused

            fill_caused(self.engine)

    def _project_sessions(self, projects: Iterable[str]) -> list[ProjectSession]:
        from journal.history.tables.sessions import project_sessions

        return project_sessions(self.home, projects)

    def _fill_compactions(self, *, with_work: bool) -> None:
        from journal.history.tables import compactions

        compactions.fill(self.engine, self.sessions, with_work=with_work)

    def _needed(self, names: Iterable[str]) -> list[str]:
        """Return the tables that do not exist yet, each after those that it reads."""
        found: list[str] = []
        for name in names:
            if name not in self._made and name not in found:
                reads = VIEWS[name].reads if name in VIEWS else ()
                found += [item for item in self._needed(reads) if item not in found]
                found.append(name)
        return found

    def _make_families_of(self, needed: Sequence[str]) -> None:
        """Update the rows that tables need, in one pass over each log where that is best."""
        folded = {log.project for log in self.logs if "_sessions" in needed}
        folded.update(self._both if "_shared" in needed else ())
        families = [name for name in FAMILIES if f"_{name}" in needed]
        if "usage" in families and all(log.side == "live" for log in self.logs):
            # Usually only an imported log has replies; with one, one pass for all families is best.
            families.remove("usage")
            self._make_families(families, folded)
            from journal.history.replay.run import replay_all  # loads all views

            replays = (replay_all(log.directory, ()) for log in self.logs)
            families = ["usage"] if any(replay.facts.replies for replay in replays) else []
            self._create("_usage", FAMILIES["usage"].no_rows())
        self._make_families(families, folded)

    def _make_families(self, names: list[str], folded: Container[str] = ()) -> None:
        """Update the rows of families from the logs, and create a view of each.

        folded: projects whose sessions the caller folds next.
        """
        if not names:
            return
        for log in self.logs:
            self._progress(f"reading {log.project}")
            replays = ["sessions"] if log.project in folded else []
            log.read(names, self.engine, replays, self.most)
        for name in names:
            paths = [path for log in self.logs for path in log.extracts[name].paths]
            rows = f"from read_parquet({literals(paths)},hive_partitioning=false)"
            self._create(f"_{name}", rows if paths else FAMILIES[name].no_rows())
        self._made |= {f"_{name}" for name in names}

    def _create(self, name: str, sql: str) -> None:
        if name in TABLES:
            sql = f"select *, {self.identity} from ({sql})"
        self.engine.run(f"create or replace view {name} as {sql}")

    def _directory(self, *names: str) -> str:
        """Return a directory of the journal home, created if missing; "" if that fails."""
        path = self.home
        try:
            for name in names:
                path = os.path.join(path, name)
                ensure_directory(path)
        except (OSError, JournalOffError):
            return ""
        return path


def _identity_columns(
    home: str, projects: Iterable[str], person: str
) -> tuple[str, JournalError | None]:
    """Build the columns of `schema.IDENTITY` for rows that have a column `project`.

    They are constants per project, so a query that does not name them costs nothing more. Return
    their SQL, and the error if the home's identity cannot be read; then they are NULL. person: from
    the settings, "" for the one in the identity.
    """
    found, error = Identity(), None
    try:
        found = identity_of(home)
    except JournalError as reason:
        error = reason
    repos = {
        name: literal(stored_repo(os.path.join(home, name)) or "") for name in sorted(projects)
    }
    epochs = {name: str(number) for name, number in found.epochs.items() if name in repos}
    epoch = "null" if error else f"coalesce({picked('project', epochs)}, 1)"
    sql = (
        f"{_text(found.origin)} as origin_id, {_text(person or found.person)} as person, "
        f"nullif({picked('project', repos)}, '') as repo, {epoch}::bigint as epoch"
    )
    return sql, error


def _text(value: str) -> str:
    return f"{literal(value)}::varchar" if value else "null::varchar"
