"""Vectors of the sessions: which are missing, and making them.

Invariant: all vectors in the file are of one model; with another one they are made anew.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from journal.history.search.fields import gist
from journal.history.search.write import digest_in

if TYPE_CHECKING:
    import duckdb

    from journal.history.search.embed import Embedder

__all__ = ["fill", "missing"]

_BATCH = 32  # sessions
_MISSING = "from sessions s where not exists (select 1 from vectors v where v.doc = s.doc)"


def missing(connection: duckdb.DuckDBPyConnection, model: Embedder) -> int:
    """Count the sessions without a vector of this model."""
    if _made_by(connection) != model.mark:
        return int(connection.execute("select count(*) from sessions").fetchall()[0][0])
    return int(connection.execute(f"select count(*) {_MISSING}").fetchall()[0][0])


def fill(connection: duckdb.DuckDBPyConnection, model: Embedder, patience: float) -> int:
    """Make vectors, of the newest sessions first, for so many seconds; give how many are missing.

    One batch is made in any case.
    """
    if _made_by(connection) != model.mark:
        connection.execute("delete from vectors")
        connection.execute("delete from facts where name = 'model'")
        connection.execute("insert into facts values ('model', ?)", [model.mark])
    end = time.monotonic() + patience
    sql = f"select s.doc, s.live, s.imported {_MISSING} order by s.started desc limit {_BATCH}"
    while rows := connection.execute(sql).fetchall():
        texts = [gist(digest_in(live, imported)) for _, live, imported in rows]
        known = [text for text in texts if text and model.knows(text)]
        vectors = dict(zip(known, model.vectors(known), strict=True))
        made = [vectors.get(text) for text in texts]  # NULL: none, and none to come
        connection.execute(
            "insert into vectors select unnest(?::integer[]), unnest(?::float[384][])",
            [[row[0] for row in rows], made],
        )
        if time.monotonic() > end:
            break
    return missing(connection, model)


def _made_by(connection: duckdb.DuckDBPyConnection) -> str:
    rows = connection.execute("select value from facts where name = 'model'").fetchall()
    return str(rows[0][0]) if rows else ""
