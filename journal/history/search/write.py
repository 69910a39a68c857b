"""Put what a log says into the tables: digests, terms, how far it was read.

Invariant: a session's postings are those of its digest as it stands in the same file; a session
that no log knows any more is gone from all tables.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import msgspec

from journal.history.search.feed import LIVE, Book, Place
from journal.history.search.fields import counted
from journal.history.search.merge import merged
from journal.history.search.tokens import normal
from projections.digest import Digest, status, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import duckdb

    from journal.history.search.feed import Log

    Row = tuple[int, bytes | None, bytes | None, bool]  # doc, live, imported, waiting

__all__ = ["digest_in", "drop", "place_in", "put", "settle", "side_of"]

_BATCH = 500  # sessions
_LOOSE = 50_000  # postings out of order that may pile up, and one in _SHARE of all
_SHARE = 5
_POSTINGS = """
insert into postings select unnest(string_split(terms, ' ')), doc,
  unnest(string_split(counts, ' '))::usmallint
from (select unnest(?::varchar[]) as terms, unnest(?::integer[]) as doc,
  unnest(?::varchar[]) as counts) where terms <> ''
"""
_SESSIONS = """
insert into sessions select unnest(?::integer[]), ?, unnest(?::varchar[]), unnest(?::blob[]),
  unnest(?::blob[]), unnest(?::varchar[]), unnest(?::varchar[]), unnest(?::varchar[]),
  unnest(?::integer[]), unnest(?::varchar[]), unnest(?::boolean[])
"""

_digest = msgspec.json.Decoder(Digest).decode
_place = msgspec.json.Decoder(Place).decode


def digest_in(live: bytes | None, imported: bytes | None) -> Digest:
    """Read a session's digest from the two columns of its row."""
    found = merged(_unpacked(live), _unpacked(imported))
    return found or Digest()


def place_in(connection: duckdb.DuckDBPyConnection, log: Log) -> Place | None:
    """How far a log was read; None where it was not."""
    rows = connection.execute(
        "select place from logs where project = ? and side = ?", [log.project, log.side]
    ).fetchall()
    return _place(zlib.decompress(rows[0][0])) if rows else None


def side_of(connection: duckdb.DuckDBPyConnection, log: Log, sid: str) -> Digest | None:
    """Give what the index holds of a session from this log."""
    rows = connection.execute(
        f"select {log.side} from sessions where project = ? and sid = ?",  # noqa: S608 (ours)
        [log.project, sid],
    ).fetchall()
    return _unpacked(rows[0][0]) if rows else None


def put(
    connection: duckdb.DuckDBPyConnection, log: Log, book: Book, place: Place, *, fresh: bool
) -> int:
    """Write the sessions a log changed; fresh: what it does not name it no longer knows of.

    Gives how many changed.
    """
    known = _known(connection, log, None if fresh else list(book.changed))
    gone = [sid for sid, row in known.items() if sid not in book.changed and row[_column(log)]]
    connection.execute("begin")
    (last,) = connection.execute("select coalesce(max(doc), 0) from sessions").fetchall()[0]
    _clear(connection, [known[sid][0] for sid in (*book.changed, *gone) if sid in known])
    rows = _rows(log, book, known, [*book.changed, *gone], last)
    count = sum(_insert(connection, log.project, batch) for batch in _batches(rows))
    _forget(connection, log)
    connection.execute(
        "insert into logs values (?, ?, ?, ?)",
        [
            log.project,
            log.side,
            log.mark,
            zlib.compress(msgspec.json.encode(place), 1),
        ],
    )
    connection.execute("commit")
    return max(count, len(book.changed) + len(gone))


def drop(connection: duckdb.DuckDBPyConnection, log: Log) -> int:
    """Forget what a log that is no longer there said."""
    count = put(connection, log, Book(lambda _sid: None), Place(), fresh=True)
    _forget(connection, log)
    return count


def settle(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the postings back into order where many were added, so that few are read by a query."""
    rows = connection.execute("select value::bigint from facts where name = 'loose'").fetchall()
    (total,) = connection.execute("select count(*) from postings").fetchall()[0]
    if not rows or rows[0][0] <= max(_LOOSE, total // _SHARE):
        return
    connection.execute("create table ordered as select * from postings order by term, doc")
    connection.execute("drop table postings")
    connection.execute("alter table ordered rename to postings")
    connection.execute("delete from facts where name = 'loose'")


def _unpacked(blob: bytes | None) -> Digest | None:
    return _digest(zlib.decompress(blob)) if blob else None


def _column(log: Log) -> int:
    return 1 if log.side == LIVE else 2


def _known(
    connection: duckdb.DuckDBPyConnection, log: Log, sids: list[str] | None
) -> dict[str, Row]:
    """Rows there are, by sid."""
    sql = "select sid, doc, live, imported, waiting from sessions where project = ?"
    given: list[Any] = [log.project]
    if sids is not None:
        sql += " and sid in (select unnest(?::varchar[]))"
        given.append(sids)
    return {row[0]: row[1:] for row in connection.execute(sql, given).fetchall()}


def _rows(
    log: Log, book: Book, known: dict[str, Row], sids: list[str], doc: int
) -> Iterator[tuple[Any, ...]]:
    """Rows to write: doc, sid, the two sides, the digest of both, whether it waits."""
    from journal.history.summaries.backlog import (
        is_waiting,  # a search that writes nothing does without
    )

    for sid in sids:
        row = known.get(sid)
        sides: list[bytes | None] = list(row[1:3]) if row else [None, None]
        own = book.digests.get(sid)
        at = _column(log) - 1
        sides[at] = zlib.compress(msgspec.json.encode(own)) if own else None
        whole = merged(
            own if at == 0 else _unpacked(sides[0]), own if at == 1 else _unpacked(sides[1])
        )
        if whole is None:
            continue
        if row is None:
            doc += 1
        waits = log.side == LIVE and own is not None and is_waiting(own)
        if log.side != LIVE and row:
            waits = row[3]
        yield (row[0] if row else doc, sid, *sides, whole, waits)


def _batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _insert(connection: duckdb.DuckDBPyConnection, project: str, rows: list[Any]) -> int:
    terms, counts, sizes, plain = [], [], [], []
    loose = 0
    for row in rows:
        found, size = counted(row[4])
        loose += len(found)
        terms.append(" ".join(found))
        counts.append(" ".join(map(str, found.values())))
        sizes.append(size)
        texts = (title_of(row[4]), *row[4].prompts[:1])
        plain.append(normal("\n".join(texts)).casefold())
    docs = [row[0] for row in rows]
    digests = [row[4] for row in rows]
    connection.execute(
        _SESSIONS,
        [
            docs,
            project,
            [row[1] for row in rows],
            [row[2] for row in rows],
            [row[3] for row in rows],
            [item.session.started for item in digests],
            [item.session.last for item in digests],
            [status(item) for item in digests],
            sizes,
            plain,
            [row[5] for row in rows],
        ],
    )
    connection.execute(_POSTINGS, [terms, docs, counts])
    connection.execute(
        "insert into facts values ('loose', ?) on conflict (name) "
        "do update set value = (value::bigint + excluded.value::bigint)::varchar",
        [str(loose)],
    )
    return len(rows)


def _clear(connection: duckdb.DuckDBPyConnection, docs: list[int]) -> None:
    if not docs:
        return
    for table in ("postings", "vectors", "sessions"):
        connection.execute(
            f"delete from {table} where doc in (select unnest(?::integer[]))",  # noqa: S608 (ours)
            [docs],
        )


def _forget(connection: duckdb.DuckDBPyConnection, log: Log) -> None:
    connection.execute("delete from logs where project = ? and side = ?", [log.project, log.side])
