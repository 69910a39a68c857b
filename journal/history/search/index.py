"""The index of past sessions: list them, find them by id, search them by words and by meaning."""

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from journal.checkpoint import Position
from journal.codec import text as sound
from journal.history.progress import Progress, ignore_progress
from journal.history.search import embed
from journal.history.search.digests import digest_of, unpack, waiting_digest
from journal.history.search.embed import Embedder
from journal.history.search.index_file import IndexFile
from journal.history.search.query import Term, expand, parse_query
from journal.history.search.ranking import (
    DEPTH,
    Filter,
    by_meaning,
    by_scan,
    by_words,
    holds_all,
    merge_rankings,
)
from journal.history.search.update import reading_of
from projections.digest import Digest

_EVERY = Filter()
Row = TypeVar("Row")


class PastSession(NamedTuple):
    """A session. project: name of its journal."""

    project: str
    digest: Digest


class Hit(NamedTuple):
    """A search result.

    snippet: a passage of its text; spans: positions of the matches in it, as (start, end); kind: of
    that text, see `snippet.Snippet`. ways: what found it ("words", "meaning") → its rank there.
    score: of both rankings, best first.
    """

    digest: Digest
    project: str
    score: float
    snippet: str
    spans: list[tuple[int, int]]
    ways: dict[str, int]
    kind: str = ""


class Index(IndexFile):
    """The index of one journal home, to list and search its sessions.

    patience: maximum seconds that a search spends on missing vectors; the next one continues. For
    the other arguments see `IndexFile`.
    """

    def __init__(
        self,
        home: str,
        *,
        settings: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        patience: float = 0.5,
        progress: Progress = ignore_progress,
        stores: bool = True,
    ) -> None:
        super().__init__(home, progress=progress, stores=stores)
        self.patience = patience
        self._settings = settings or {}
        self._env = os.environ if env is None else env
        self._model: Embedder | None = None
        self._model_checked = False

    def sessions(self, wanted: Filter = _EVERY, *, limit: int = 0) -> list[PastSession]:
        """Return sessions, newest first. limit: 0 for all."""
        where, parameters = wanted.sql()
        sql = f"""select s.project, s.live, s.imported from sessions s where {where}
            order by s.started desc, s.sid limit ?"""
        return self._rows(_past_session, sql, *parameters, limit if limit > 0 else -1)

    def count(self, wanted: Filter = _EVERY) -> int:
        """Return how many sessions pass a filter."""
        where, parameters = wanted.sql()
        sql = f"select count(*) from sessions s where {where}"
        return sum(self._rows(int, sql, *parameters))

    def find(self, ref: str, *, project: str = "") -> list[PastSession]:
        """Return the sessions with this id, else those whose id begins with it; newest first."""
        if not (ref := sound(ref).strip()):
            return []
        where, parameters = Filter(project).sql()
        sql = f"""select s.project, s.live, s.imported from sessions s
            where {{}} and {where} order by s.started desc, s.sid"""
        exact = self._rows(_past_session, sql.format("s.sid = ?"), ref, *parameters)
        prefix = sql.format("substr(s.sid, 1, length(?)) = ?")
        return exact or self._rows(_past_session, prefix, ref, ref, *parameters)

    def waiting(self, project: str) -> list[Digest]:
        """Return the digests of the sessions that wait for a summary, the latest first."""
        sql = "select live, imported from sessions where project = ? and waiting"
        found = filter(None, self._rows(_waiting, sql, project))
        return sorted(found, key=lambda digest: (digest.session.last, digest.seq), reverse=True)

    def live(self, project: str) -> list[Digest]:
        """Return the digests of a project's hooks, the latest first."""
        sql = "select live from sessions where project = ? and live is not null"
        found = filter(None, self._rows(unpack, sql, project))
        return sorted(found, key=lambda digest: -digest.seq)

    def has(self, project: str) -> bool:
        """Return whether a log of a project is in a usable index, without building it."""

        def attempt() -> bool:
            connection = self.database.open()
            sql = "select 1 from logs where project = ?"
            return connection is not None and bool(connection.execute(sql, [project]).fetchall())

        try:
            return bool(self._healthy(attempt))
        except sqlite3.OperationalError:  # as in `CopyOnWrite.open`
            return False

    def position(self, project: str) -> Position | None:
        """Return the position up to which a project's live log was read."""
        return self.read(lambda connection: reading_of(connection, project)[0]) or None

    def search(self, query: str, wanted: Filter = _EVERY, *, limit: int = 10) -> list[Hit]:
        """Return the sessions that match a query, best first; [] if it has no terms."""
        query = sound(query)
        parsed = parse_query(query)
        if not parsed.terms:
            return []

        def read(connection: sqlite3.Connection) -> list[Hit]:
            has_words = self.add_words()
            connection = self.database.open() or connection
            terms = self._terms(connection, parsed.terms) if has_words else list(parsed.terms)
            if not self.database.words:
                self.progress("This Python's SQLite has no FTS5: every session is read.")
            depth = max(DEPTH, limit)
            rank = by_words if has_words else by_scan
            ways = {"words": rank(connection, terms, wanted, depth)}
            is_answered = has_words and holds_all(connection, parsed.terms, wanted)
            model = self._embedder(query, is_answered=is_answered)
            if model is not None:
                ways["meaning"] = by_meaning(connection, model, query, wanted, depth)
            return [
                _hit(connection, doc, score, by_way, terms)
                for doc, score, by_way in merge_rankings(ways)[: max(0, limit)]
            ]

        found: list[Hit] = self.read(read)
        return found

    def _terms(self, connection: sqlite3.Connection, asked: Sequence[Term]) -> list[Term]:
        """Return the terms to search; report words that are replaced by other spellings."""

        def vocabulary(first: str, last: str) -> list[str]:
            sql = "select term from vocabulary where term >= ? and term <= ?"
            return [row[0] for row in connection.execute(sql, [first, last])]

        terms = expand(asked, vocabulary)
        typed = {term.text for term in asked}
        if other := [term.text for term in terms if term.text not in typed]:
            self.progress(f"Some words are in no session. Also searched for: {', '.join(other)}.")
        return terms

    def _rows(self, build: Callable[..., Row], sql: str, *parameters: object) -> list[Row]:
        """Return what `build` makes of the columns of each row."""
        found: list[Row] = self.read(
            lambda connection: [build(*row) for row in connection.execute(sql, parameters)]
        )
        return found

    # -- by meaning -------------------------------------------------------------------------------

    def embed(self, patience: float) -> int:
        """Compute missing vectors for `patience` seconds, newest sessions first.

        Return how many are still missing; 0 without a model.
        """
        model = self._loaded()
        connection = self.database.open()
        if model is None or connection is None:
            return 0
        missing = embed.missing_vectors(connection, model)
        if missing and patience > 0:
            try:
                return embed.fill_vectors(self.database, model, patience)
            except sqlite3.OperationalError:  # another process is writing
                return missing
        return missing

    def _loaded(self) -> Embedder | None:
        if not self._model_checked:
            self._model_checked = True
            found = embed.find(self.home, self._settings, self._env)
            self._model = embed.load(found, self.progress)
        return self._model

    def _embedder(self, query: str, *, is_answered: bool) -> Embedder | None:
        """Compute vectors and return the model; None if the query does not need or cannot use it.

        is_answered: whether a session contains every word. Then searching by words is enough,
        because loading the model takes longest.
        """
        if is_answered and not self._model_checked:
            return None
        model = self._loaded()
        if model is None or not model.can_read(query):
            return None
        self.embed(self.patience)
        return model


def _past_session(project: str, live: bytes | None, imported: bytes | None) -> PastSession:
    return PastSession(project, digest_of(live, imported))


def _waiting(live: bytes | None, imported: bytes | None) -> Digest | None:
    return waiting_digest(unpack(live), unpack(imported))


def _hit(
    connection: sqlite3.Connection,
    doc: int,
    score: float,
    ways: dict[str, int],
    terms: Sequence[Term],
) -> Hit:
    from journal.history.search.snippet import snippet_of

    sql = "select project, live, imported from sessions where doc = ?"
    project, live, imported = connection.execute(sql, [doc]).fetchone()
    digest = digest_of(live, imported)
    found = snippet_of(digest, terms)
    return Hit(digest, project, score, found.text, found.spans, ways, found.kind)
