"""Find sessions without a vector, and compute the vectors.

Invariant: all vectors in the file are of one model; with another model they are computed again.
"""

import sqlite3
import time

from journal.history.search.columns import gist
from journal.history.search.database import Database
from journal.history.search.embed import Embedder
from journal.history.search.update import digest_of

_BATCH = 32  # sessions
_MISSING = "from sessions s where not exists (select 1 from vectors v where v.doc = s.doc)"


def missing(connection: sqlite3.Connection, model: Embedder) -> int:
    """Return how many sessions have no vector of this model."""
    which = _MISSING if _model_of(connection) == model.version else "from sessions"
    return int(connection.execute(f"select count(*) {which}").fetchone()[0])


def fill(database: Database, model: Embedder, patience: float) -> int:
    """Compute vectors for `patience` seconds, newest sessions first; return how many are missing.

    At least one batch is computed.
    """
    end = time.monotonic() + patience
    while True:
        with database.writing() as connection:
            if _model_of(connection) != model.version:
                connection.execute("delete from vectors")
                connection.execute(
                    "insert or replace into facts values ('model', ?)", [model.version]
                )
            made = _fill(connection, model)
            left = missing(connection, model)
        if not made or not left or time.monotonic() > end:
            return left


def _fill(connection: sqlite3.Connection, model: Embedder) -> int:
    """Compute the vectors of one batch; return how many sessions it had."""
    sql = f"select s.doc, s.live, s.imported {_MISSING} order by s.started desc limit {_BATCH}"
    rows = connection.execute(sql).fetchall()
    texts = [gist(digest_of(live, imported)) for _, live, imported in rows]
    readable = [text for text in texts if text and model.can_read(text)]
    vectors = dict(zip(readable, model.vectors(readable), strict=True))
    connection.executemany(
        "insert into vectors values (?, ?)",  # null: none, and none to come
        [(row[0], vectors.get(text)) for row, text in zip(rows, texts, strict=True)],
    )
    return len(rows)


def _model_of(connection: sqlite3.Connection) -> str:
    rows = connection.execute("select value from facts where name = 'model'").fetchall()
    return str(rows[0][0]) if rows else ""
