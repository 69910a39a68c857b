"""The index of past sessions: brought up to date from the logs, listed, searched.

A cache that can be deleted at any time. Invariant: what it says of a session is what its logs say,
folded; nothing is in it that another build of it would not put there again.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.codec import text as sound
from journal.errors import JournalError
from journal.history.search import update as updating
from journal.history.search.database import DAMAGED, CopyOnWrite, Database
from journal.history.search.logs import logs_of
from journal.history.search.query import expanded, parsed
from journal.history.search.ranking import (
    DEPTH,
    Filter,
    by_meaning,
    by_scan,
    by_words,
    fused,
    holds_all,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from journal.checkpoint import Position
    from journal.history.search.embed import Embedder
    from journal.history.search.logs import IndexedLog
    from journal.history.search.query import Term
    from projections.digest import Digest

__all__ = ["Filter", "Hit", "Index", "PastSession"]

_EVERY = Filter()


class PastSession(NamedTuple):
    """A session. project: name of the journal it is in."""

    project: str
    digest: Digest


class Hit(NamedTuple):
    """A session that was found.

    snippet: a piece of its text; spans: positions of the matches in it, as (start, end); kind: of
    the text it is from, see `snippet.Snippet`. ways: what found it ("words", "meaning") → its rank
    there. score: of both together, best first.
    """

    digest: Digest
    project: str
    score: float
    snippet: str
    spans: list[tuple[int, int]]
    ways: dict[str, int]
    kind: str = ""


def _silent(_message: str) -> None:
    """Report nothing."""


class Index:
    """The index of one journal home.

    settings: `search.model` counts; none: the default. patience: seconds a search takes at most
    for vectors that are missing; the next one goes on. progress: is called with what a person
    should know; building: with a line before all journals are read, which takes a while.
    stores: whether what is brought up to date is written to the journal home, or to a copy.
    """

    def __init__(
        self,
        home: str,
        *,
        settings: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        patience: float = 0.5,
        progress: Callable[[str], None] = _silent,
        stores: bool = True,
    ) -> None:
        self.home = home
        self.patience = patience
        self.progress = progress
        self.building: Callable[[str], None] = _silent
        self._settings = settings or {}
        self._env = os.environ if env is None else env
        self._stores = stores
        self._database = Database(home) if stores else CopyOnWrite(home)
        self._model: Embedder | None = None
        self._model_checked = False

    # -- up to date -------------------------------------------------------------------------------

    def update(self, only: Sequence[str] = ()) -> int:
        """Bring the index up to date with the journals; return how many sessions changed.

        only: names of projects; none: all. JournalError where there is no index and none can be
        made; where one is there that cannot be changed now, it is read as it is.
        """
        return self._updated(only, 0)[0]

    def read_on(self, project: str, most: int) -> bool:
        """Read about `most` bytes of what is new in a project's journal; whether that was all."""
        return self._updated((project,), most)[1]

    def _updated(self, only: Sequence[str], most: int) -> tuple[int, bool]:
        try:
            for _ in range(2):
                try:
                    return self._update(only, most)
                except FileNotFoundError:  # a segment was sealed or compressed this moment
                    continue
            return self._update(only, most)
        except (sqlite3.OperationalError, OSError) as error:
            # What cannot be brought up to date can be read as it is, where it is there at all.
            connection = self._database.open()
            if connection is None:
                raise
            busy = self._database.is_busy(error)
            if busy and not connection.execute("select 1 from logs limit 1").fetchall():
                what = "another process is building the search index"
                raise JournalError(self._database.path, what, "try again in a moment") from None
            why = "another process is updating it" if busy else _reason(error)
            self.progress(f"The search index is not up to date ({why}): the newest may be missing.")
            return 0, False

    def _update(self, only: Sequence[str], most: int) -> tuple[int, bool]:
        logs = list(logs_of(self.home, only))
        stale, gone = self._healthy(lambda: updating.changed_logs(self._open(), logs, only))
        if not (stale or gone):
            return 0, True
        if self._open() is None:
            self.building("Reading all journals to build the search index. This happens once.")
        found: tuple[int, bool] = self._healthy(lambda: self._write(logs, only, most))
        return found

    def _healthy(self, act: Callable[[], Any]) -> Any:
        """Call `act`; where it finds the file damaged, discard that and call it again."""
        try:
            return act()
        except DAMAGED as error:
            if not self._database.is_damage(error):
                raise
            self._database.discard(error)
            self._report_discarded()
            return act()

    def _write(self, logs: list[IndexedLog], only: Sequence[str], most: int) -> tuple[int, bool]:
        """Take in what is new, in one transaction."""
        changed, complete = 0, True
        with self._database.writing() as connection:
            # Once more: another process may have done it before this transaction began.
            stale, gone = updating.changed_logs(connection, logs, only)
            words = self._database.words
            for log in gone:
                changed += updating.drop(connection, log, words=words)
            for log in stale:
                try:
                    count, reached = updating.update_log(
                        connection, log, words=words, most=most, stores=self._stores
                    )
                except FileNotFoundError:
                    raise
                except OSError as error:
                    self.progress(f"{log.directory} cannot be read: {error.strerror or error}")
                    continue
                changed += count
                complete = complete and reached
        return changed, complete

    def _open(self) -> sqlite3.Connection | None:
        connection = self._database.open()
        self._report_discarded()
        return connection

    def _report_discarded(self) -> None:
        if why := self._database.discarded:
            self._database.discarded = ""
            self.progress(f"The search index is built again: {why}.")

    # -- questions --------------------------------------------------------------------------------

    def sessions(self, wanted: Filter = _EVERY, *, limit: int = 0) -> list[PastSession]:
        """Return sessions, newest first. limit: 0 for all."""
        where, given = wanted.sql()
        sql = f"""select s.project, s.live, s.imported from sessions s where {where}
            order by s.started desc, s.sid limit ?"""  # noqa: S608 (words of our own)
        return self._pasts(sql, [*given, limit if limit > 0 else -1])

    def count(self, wanted: Filter = _EVERY) -> int:
        """Return how many sessions `sessions` would with the same filter and no limit."""
        where, given = wanted.sql()
        return self._count(f"select count(*) from sessions s where {where}", given)  # noqa: S608

    def find(self, ref: str, *, project: str = "") -> list[PastSession]:
        """Return the sessions with this id, else those whose id begins with it; newest first."""
        if not (ref := sound(ref).strip()):
            return []
        where, given = Filter(project).sql()
        sql = f"""select s.project, s.live, s.imported from sessions s
            where {{}} and {where} order by s.started desc, s.sid"""  # noqa: S608 (ours)
        return self._pasts(sql.format("s.sid = ?"), [ref, *given]) or self._pasts(
            sql.format("substr(s.sid, 1, length(?)) = ?"), [ref, ref, *given]
        )

    def waiting(self, project: str) -> list[Digest]:
        """Return what is known of the sessions that wait for a summary, the latest first."""
        sql = "select live, imported from sessions where project = ? and waiting"
        rows = self._ask(lambda made: made.execute(sql, [project]).fetchall())
        found = [updating.waits(*map(updating.unpacked, row)) for row in rows]
        waiting = [digest for digest in found if digest is not None]
        return sorted(waiting, key=lambda digest: (digest.session.last, digest.seq), reverse=True)

    def live(self, project: str, sid: str = "") -> list[Digest]:
        """Return what the hooks saw of a project's sessions (of one: `sid`), the latest first."""
        sql = "select live from sessions where project = ? and live is not null"
        given = [project, sid] if sid else [project]
        rows = self._ask(
            lambda made: made.execute(sql + " and sid = ?" * bool(sid), given).fetchall()
        )
        found = [digest for (live,) in rows if (digest := updating.unpacked(live)) is not None]
        return sorted(found, key=lambda digest: -digest.seq)

    def position(self, project: str) -> Position | None:
        """Return how far the log of a project's hooks has been read."""
        return self._ask(lambda made: updating.checkpoint_of(made, project)[0]) or None

    def search(self, query: str, wanted: Filter = _EVERY, *, limit: int = 10) -> list[Hit]:
        """Return the sessions that answer a query, best first; [] for one that asks for nothing."""
        query = sound(query)
        asked = parsed(query)
        if not asked.terms:
            return []

        def ask(made: sqlite3.Connection) -> list[Hit]:
            terms = self._terms(made, asked.terms)
            depth = max(DEPTH, limit)
            rank = by_words if self._database.words else by_scan
            ways = {"words": rank(made, terms, wanted, depth)}
            model = self._embedder(made, query, asked.terms, wanted)
            if model is not None:
                ways["meaning"] = by_meaning(made, model, query, wanted, depth)
            return [
                _hit(made, doc, score, held, terms)
                for doc, score, held in fused(ways)[: max(0, limit)]
            ]

        found: list[Hit] = self._ask(ask)
        return found

    def close(self) -> None:
        """Close the file."""
        self._database.end()

    def _terms(self, made: sqlite3.Connection, asked: Sequence[Term]) -> list[Term]:
        """Return the terms to look for; report the words that are taken for another spelling."""
        if not self._database.words:
            self.progress("This Python's SQLite has no FTS5: every session is read.")
            return list(asked)

        def vocabulary(first: str, last: str) -> list[str]:
            sql = "select term from vocabulary where term >= ? and term <= ?"
            return [row[0] for row in made.execute(sql, [first, last])]

        terms = expanded(asked, vocabulary)
        typed = {term.text for term in asked}
        if other := [term.text for term in terms if term.text not in typed]:
            self.progress(f"Some words are in no session. Also searched for: {', '.join(other)}.")
        return terms

    def _pasts(self, sql: str, given: list[Any]) -> list[PastSession]:
        def ask(made: sqlite3.Connection) -> list[PastSession]:
            return [
                PastSession(project, updating.digest_in(live, imported))
                for project, live, imported in made.execute(sql, given)
            ]

        found: list[PastSession] = self._ask(ask)
        return found

    def _count(self, sql: str, given: list[Any]) -> int:
        rows = self._ask(lambda made: made.execute(sql, given).fetchall())
        return int(rows[0][0]) if rows else 0

    def _ask(self, ask: Callable[[sqlite3.Connection], Any]) -> Any:
        """Ask the file there is; where it is missing or damaged, build it first."""

        def asked() -> Any:
            connection = self._open()
            if connection is None:
                self.update()
                connection = self._open()
            return [] if connection is None else ask(connection)  # None: there is no journal

        try:
            return self._healthy(asked)
        except sqlite3.Error as error:
            remedy = "delete the file: it is made again"
            raise JournalError(self._database.path, f"cannot be read: {error}", remedy) from error

    # -- by meaning -------------------------------------------------------------------------------

    def embed(self, patience: float) -> int:
        """Make vectors that are missing, newest sessions first, for so many seconds.

        Returns how many are missing still; 0 without a model too.
        """
        from journal.history.search import vectors

        model = self._loaded()
        connection = self._database.open()
        if model is None or connection is None:
            return 0
        missing = vectors.missing(connection, model)
        if missing and patience > 0:
            try:
                return vectors.fill(self._database, model, patience)
            except sqlite3.OperationalError:  # another process is writing
                return missing
        return missing

    def _loaded(self) -> Embedder | None:
        if not self._model_checked:
            from journal.history.search.embed import find, load

            self._model_checked = True
            self._model = load(find(self.home, self._settings, self._env), self.progress)
        return self._model

    def _embedder(
        self, made: sqlite3.Connection, query: str, terms: Sequence[Term], wanted: Filter
    ) -> Embedder | None:
        """Return the model, with vectors made; None where there is none for the query.

        Loading it takes longer than all else: where a session holds every word, words are enough.
        """
        if not self._model_checked and self._database.words and holds_all(made, terms, wanted):
            return None
        model = self._loaded()
        if model is None or not model.knows(query):
            return None
        self.embed(self.patience)
        return model


def _hit(
    made: sqlite3.Connection, doc: int, score: float, ways: dict[str, int], terms: Sequence[Term]
) -> Hit:
    from journal.history.search.snippet import snippet_of

    sql = "select project, live, imported from sessions where doc = ?"
    project, live, imported = made.execute(sql, [doc]).fetchone()
    digest = updating.digest_in(live, imported)
    found = snippet_of(digest, terms)
    return Hit(digest, project, score, found.text, found.spans, ways, found.kind)


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).lower()
