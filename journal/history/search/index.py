"""The index of past sessions: brought up to date from the logs, listed, searched.

A cache that can be deleted at any time. Invariant: what it says of a session is what its logs say,
folded; nothing is in it that another build of it would not put there again.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.error import warn
from journal.codec import text as sound
from journal.errors import JournalError
from journal.history.search import write
from journal.history.search.feed import Log, logs_of, read_on
from journal.history.search.rank import DEPTH, Filter, by_meaning, by_words, fused
from journal.history.search.store import DatabaseError, Store, Taken
from journal.history.search.tokens import asked, normal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import duckdb

    from journal.history.search.embed import Embedder
    from projections.digest import Digest

__all__ = ["Hit", "Index", "Past"]

_ROW = "s.project, s.live, s.imported"
_CHOSEN = f"select {_ROW}, s.doc from sessions s where doc in (select unnest(?::integer[]))"  # noqa: S608
_WEIGHTS = {"words": 1.0, "meaning": 1.0}


class Past(NamedTuple):
    """A session. project: name of the journal it is in."""

    project: str
    digest: Digest


class Hit(NamedTuple):
    """A session that was found.

    snippet: a piece of its text; spans: places of the matches in it, as (start, end). ways: what
    found it ("words", "meaning") → its rank there. score: of both together, best first.
    """

    digest: Digest
    project: str
    score: float
    snippet: str
    spans: list[tuple[int, int]]
    ways: dict[str, int]


class Index:
    """The index of one journal home.

    settings: `search.model` counts; none: the default. patience: seconds a search takes at most
    for vectors that are missing; the next one goes on.
    """

    def __init__(
        self,
        home: str,
        *,
        settings: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        patience: float = 2.0,
    ) -> None:
        self.home = home
        self.patience = patience
        self._settings = settings or {}
        self._env = os.environ if env is None else env
        self._store = Store(home)
        self._embedder: Embedder | None = None
        self._looked = False

    def update(self, only: Sequence[str] = ()) -> int:
        """Bring it up to date with the journals; give the number of sessions that changed.

        only: names of projects; none: all. JournalError where it cannot be made.
        """
        try:
            return self._update(only)
        except (Taken, OSError) as error:
            # What cannot be brought up to date can be read as it is, where it is there at all.
            with self._store.reading() as connection:
                if connection is None and isinstance(error, Taken):
                    what = "another process is building the index of past sessions"
                    raise JournalError(self._store.path, what, "try again in a moment") from None
                if connection is None:
                    raise
            taken = "another process is updating it"
            why = taken if isinstance(error, Taken) else str(error.strerror or error).lower()
            warn(f"the index of past sessions is not up to date ({why}): what is newest may lack")
            return 0

    def sessions(
        self,
        *,
        project: str = "",
        since: str = "",
        until: str = "",
        status: str = "",
        text: str = "",
        limit: int = 0,
    ) -> list[Past]:
        """Sessions, newest first.

        since, until: dates or times (ISO 8601, UTC); status: completed or open; text: part of the
        title or first prompt, in any case; limit: 0 for all.
        """
        wanted = Filter(project, since, until, status, normal(sound(text)).casefold())
        where, given = wanted.sql()
        most = f"limit {int(limit)}" if limit > 0 else ""
        sql = f"select {_ROW} from sessions s where {where} order by s.started desc, s.sid {most}"  # noqa: S608
        return [_past(row) for row in self._ask(lambda made: made.execute(sql, given).fetchall())]

    def count(
        self,
        *,
        project: str = "",
        since: str = "",
        until: str = "",
        status: str = "",
        text: str = "",
    ) -> int:
        """Count the sessions that `sessions` would return with the same filters and no limit."""
        where, given = Filter(project, since, until, status, normal(sound(text)).casefold()).sql()
        sql = f"select count(*) from sessions s where {where}"  # noqa: S608 (words of our own)
        rows = self._ask(lambda made: made.execute(sql, given).fetchall())
        return int(rows[0][0]) if rows else 0

    def find(self, ref: str, *, project: str = "") -> list[Past]:
        """Sessions with this id, else those whose id begins with it; newest first."""
        if not (ref := sound(ref).strip()):
            return []
        where, given = Filter(project).sql()
        sql = f"""select {_ROW}, s.sid = ? as whole from sessions s
            where starts_with(s.sid, ?) and {where} order by s.started desc, s.sid"""  # noqa: S608
        rows = self._ask(lambda made: made.execute(sql, [ref, ref, *given]).fetchall())
        return [_past(row) for row in [row for row in rows if row[3]] or rows]

    def search(
        self, query: str, *, project: str = "", since: str = "", status: str = "", limit: int = 10
    ) -> list[Hit]:
        """Sessions that answer a query, best first; [] for a query without a word."""
        from journal.history.search.snippet import snippet_of

        query = sound(query)
        terms = asked(query)
        if not terms:
            return []
        wanted = Filter(project, since, "", status)
        vector = self._vector(query)

        def ask(made: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
            depth = max(DEPTH, limit)
            ways = {"words": by_words(made, terms, wanted, depth)}
            if vector:
                ways["meaning"] = by_meaning(made, vector, wanted, depth)
            best = fused(ways, _WEIGHTS)[: max(0, limit)]
            docs = [doc for doc, _, _ in best]
            rows = made.execute(_CHOSEN, [docs]).fetchall()
            known = {row[3]: row for row in rows}
            return [(*known[doc], score, ways) for doc, score, ways in best if doc in known]

        hits = []
        for row in self._ask(ask):
            past = _past(row)
            snippet, spans = snippet_of(past.digest, terms)
            hits.append(Hit(past.digest, past.project, row[4], snippet, spans, row[5]))
        return hits

    def waiting(self, project: str) -> int:
        """Count the sessions of a project that are over and have no summary of their end yet."""
        sql = "select count(*) from sessions where project = ? and waiting"
        rows = self._ask(lambda made: made.execute(sql, [project]).fetchall())
        return int(rows[0][0]) if rows else 0

    def close(self) -> None:
        """Let the file go."""
        self._store.close()

    # -- keeping it up to date --------------------------------------------------------------------

    def _update(self, only: Sequence[str]) -> int:
        for last in (False, True):
            logs = list(logs_of(self.home, only))
            stale, gone, usable = self._stale(logs, only)
            if not (stale or gone):
                return 0
            if not usable and only:  # a new file holds all projects, or it would hold few forever
                logs = list(logs_of(self.home))
            try:
                return self._write(logs, only, anew=not usable)
            except FileNotFoundError:  # a segment was sealed or compressed this moment
                if last:
                    raise
        return 0

    def _stale(self, logs: list[Log], only: Sequence[str]) -> tuple[list[Log], list[Log], bool]:
        """Logs with something new, logs that are gone, and whether there is an index at all."""
        try:
            with self._store.reading() as connection:
                if connection is None:
                    if self._store.fault:
                        warn(f"the index of past sessions is made anew: {self._store.fault}")
                    return logs, [], False
                return (*_compared(connection, logs, only), True)
        except DatabaseError as error:
            self._store.damaged(error)
            warn(f"the index of past sessions is made anew: {self._store.fault}")
            return logs, [], False

    def _write(self, logs: list[Log], only: Sequence[str], *, anew: bool) -> int:
        changed = 0
        if anew and sys.stderr.isatty():
            warn("reading all journals for the index of past sessions, this once")
        try:
            with self._store.writing(anew=anew) as connection:
                # Once more, under the lock: another process may have done it meanwhile.
                stale, gone = _compared(connection, logs, () if anew else only)
                for log in gone:
                    changed += write.drop(connection, log)
                for log in stale:
                    changed += self._read(connection, log)
                write.settle(connection)
        except DatabaseError as error:
            self._store.damaged(error)
            if anew:
                remedy = "make room on that disk; journal doctor says more"
                what = f"cannot be written: {self._store.fault}"
                raise JournalError(self._store.path, what, remedy) from error
            warn(f"the index of past sessions is made anew: {self._store.fault}")
            return self._write(list(logs_of(self.home)), (), anew=True)
        return changed

    def _read(self, connection: duckdb.DuckDBPyConnection, log: Log) -> int:
        """Take in what is new in one log; one that cannot be read is said and left as it is."""
        place = write.place_in(connection, log)
        try:
            book, place, fresh = read_on(
                log, place, lambda sid: write.side_of(connection, log, sid)
            )
        except FileNotFoundError:
            raise
        except OSError as error:
            warn(f"{log.directory} cannot be read: {error.strerror or error}")
            return 0
        return write.put(connection, log, book, place, fresh=fresh)

    def _ask(self, ask: Callable[[duckdb.DuckDBPyConnection], list[Any]]) -> list[Any]:
        """Ask the file there is; where it is missing or damaged it is made first."""
        for _ in range(2):
            try:
                with self._store.reading() as connection:
                    if connection is not None:
                        return ask(connection)
            except DatabaseError as error:
                self._store.damaged(error)
                warn(f"the index of past sessions is made anew: {self._store.fault}")
                self._write(list(logs_of(self.home)), (), anew=True)
                continue
            self.update()
            if not (self._store.fault or os.path.lexists(self._store.path)):
                return []  # there is no journal
        raise JournalError(self._store.path, "cannot be read", "delete the file: it is made again")

    # -- by meaning -------------------------------------------------------------------------------

    def embed(self, patience: float) -> int:
        """Make the vectors that are missing, newest sessions first, for so many seconds.

        Gives how many are missing still; 0 without a model too.
        """
        from journal.history.search import vectors

        model = self._model()
        if model is None:
            return 0
        with self._store.reading() as connection:
            missing = vectors.missing(connection, model) if connection else 0
        if not missing or patience <= 0:
            return missing
        try:
            with self._store.writing() as connection:
                return vectors.fill(connection, model, patience)
        except (Taken, DatabaseError):
            return missing

    def _model(self) -> Embedder | None:
        if not self._looked:
            from journal.history.search.embed import find, load

            self._looked = True
            self._embedder = load(find(self.home, self._settings, self._env))
        return self._embedder

    def _vector(self, query: str) -> list[float]:
        """Vector of a query; [] where there is no model, or none for its language."""
        model = self._model()
        if model is None or not model.knows(query):
            return []
        self.embed(self.patience)
        return next(model.vectors([query]))


def _compared(
    connection: duckdb.DuckDBPyConnection, logs: list[Log], only: Sequence[str]
) -> tuple[list[Log], list[Log]]:
    """Logs with something new, and those the index knows and there are no more."""
    rows = connection.execute("select project, side, mark from logs").fetchall()
    known = {(project, side): mark for project, side, mark in rows}
    here = {(log.project, log.side) for log in logs}
    stale = [log for log in logs if known.get((log.project, log.side)) != log.mark]
    gone = [
        Log(project, side, "", "")
        for project, side in known
        if (project, side) not in here and (not only or project in only)
    ]
    return stale, gone


def _past(row: Sequence[Any]) -> Past:
    return Past(row[0], write.digest_in(row[1], row[2]))
