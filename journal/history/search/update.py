"""Update the index from a log: digests, words, and the position that was read.

Words come last, because only a search needs them. Invariant: the words of a session are those of
its digest in the same file; a session that no log has any more is in no table.
"""

import sqlite3
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from journal.checkpoint import Position, position_holds
from journal.codec import dumps
from journal.history.logs import LIVE
from journal.history.search.columns import COLUMNS, columns_of
from journal.history.search.logs import IndexedLog, read
from projections.digest import Digest, has_no_work, status, title_of
from projections.merging import merge
from projections.summary import is_over, is_waiting
from projections.terms import normal

_PARAMETERS = ", ".join("?" * len(COLUMNS))
_ADD = f"insert into words(rowid, {', '.join(COLUMNS)}) values (?, {_PARAMETERS})"
_REMOVE = (
    f"insert into words(words, rowid, {', '.join(COLUMNS)}) values('delete', ?, {_PARAMETERS})"
)

# Members of hooks whose empty values have a meaning: that the session is open, or had no error.
_OF_HOOKS = frozenset(("session", "imported", "error", "of", "seqs", "trace", "away"))
_SUMMARY = frozenset(
    ("summary", "summary_seq", "summary_upto", "summary_decisions", "summary_files", "engine")
)
_OF_COMMANDS = _SUMMARY | {"decisions", "notes", "units", "work"}
_NOTHING = asdict(Digest())
_digest = msgspec.json.Decoder(Digest).decode


def unpack(blob: bytes | None) -> Digest | None:
    """Return the digest of one column of a session's row."""
    return _digest(zlib.decompress(blob)) if blob else None


def digest_of(live: bytes | None, imported: bytes | None) -> Digest:
    """Return a session's digest from both columns of its row."""
    return merged(unpack(live), unpack(imported)) or Digest()


def merged(live: Digest | None, imported: Digest | None) -> Digest | None:
    """Return the digest of a session from those of both logs; None if neither has it.

    What hooks recorded has priority; a transcript adds only what they did not record.
    """
    if live is None or imported is None:
        return live or imported
    session = merge(live.session, imported.session)
    recorded = asdict(live)
    if not live.session.seq:  # no hook recorded any of it; commands added to it later
        added = {name: recorded[name] for name in _OF_COMMANDS if recorded[name] != _NOTHING[name]}
        return replace(imported, session=session, **added)
    missing = {
        name: value
        for name, value in asdict(imported).items()
        if value and not recorded[name] and name not in _OF_HOOKS
    }
    return replace(live, **{**missing, "session": session})


def waiting_digest(live: Digest | None, imported: Digest | None) -> Digest | None:
    """Return the digest to summarize a session from; None if it does not wait for a summary.

    That is the hooks' digest, or the imported one if hooks recorded nothing.
    """
    if live is not None and live.session.seq:
        return live if is_waiting(live) else None
    if imported is None or not is_over(imported):
        return None
    return imported if live is None or live.summary_upto < imported.seq else None


def changed_logs(
    connection: sqlite3.Connection | None, logs: Sequence[IndexedLog], only: Sequence[str]
) -> tuple[list[IndexedLog], list[IndexedLog]]:
    """Return the logs with new records, and the indexed logs that no longer exist."""
    rows = connection.execute("select project, side, files from logs") if connection else ()
    indexed = {(project, side): files for project, side, files in rows}
    here = {(log.project, log.side) for log in logs}
    stale = [log for log in logs if indexed.get((log.project, log.side)) != log.files]
    gone = [
        IndexedLog(project, side, "", "")
        for project, side in indexed
        if (project, side) not in here and (not only or project in only)
    ]
    return stale, gone


def lacks_words(connection: sqlite3.Connection) -> bool:
    """Return whether the words of a session are not in the index yet."""
    return bool(connection.execute("select 1 from sessions where not worded limit 1").fetchall())


def add_words(connection: sqlite3.Connection) -> None:
    """Index the words of the sessions that were stored since the last time."""
    sql = "select doc, live, imported from sessions where not worded"
    for doc, live, imported in connection.execute(sql):
        connection.execute(_ADD, [doc, *columns_of(digest_of(live, imported))])
    connection.execute("update sessions set worded = true where not worded")


def reading_of(
    connection: sqlite3.Connection, project: str, side: str = LIVE
) -> tuple[Position | None, dict[str, int]]:
    """Return the position up to which a log was read, and its recent idempotency keys."""
    rows = connection.execute(
        "select checkpoint from logs where project = ? and side = ?", [project, side]
    ).fetchall()
    if not rows:
        return None, {}
    plain, keys = msgspec.json.decode(zlib.decompress(rows[0][0]))
    return Position.parse(plain), keys


class LogUpdate(NamedTuple):
    """An update of the index from one log, without the words."""

    connection: sqlite3.Connection
    log: IndexedLog

    def add_new(self, most: int = 0, *, stores: bool = True) -> tuple[int, bool]:
        """Index the new records; return how many sessions changed, and whether all were read.

        If the log is no longer the one that was read, all of it is read again, and any session that
        it does not have is gone. most, stores: see `logs.read`.
        """
        log = self.log
        position, keys = reading_of(self.connection, log.project, log.side)
        is_new = position is None or not position_holds(log.directory, position, whole=True)
        if is_new:
            position, keys = None, {}
        digests, fold, reader, complete = read(log, position, keys, self._load, most, stores=stores)
        gone = [sid for sid in self._sids() if sid not in digests] if is_new else []
        for sid in (*digests, *gone):
            self._store(sid, digests.get(sid))
        reached = reader.position()
        checkpoint = dumps([reached.plain() if reached else None, fold.recent_keys()])
        files = log.files if complete and not reader.stopped else ""
        self.connection.execute(
            "insert or replace into logs values (?, ?, ?, ?)",
            [log.project, log.side, files, zlib.compress(checkpoint, 1)],
        )
        return len(digests) + len(gone), complete

    def remove(self) -> int:
        """Remove the data of a deleted log; return how many sessions changed."""
        gone = self._sids()
        for sid in gone:
            self._store(sid, None)
        sql = "delete from logs where project = ? and side = ?"
        self.connection.execute(sql, [self.log.project, self.log.side])
        return len(gone)

    @property
    def _column(self) -> int:
        return 1 if self.log.side == LIVE else 2

    def _sids(self) -> list[str]:
        """Return the sessions the index knows from this log."""
        sql = f"select sid from sessions where project = ? and {self.log.side} is not null"
        return [row[0] for row in self.connection.execute(sql, [self.log.project])]

    def _row(self, sid: str) -> tuple[Any, ...] | None:
        """Return doc, live and imported digest, and whether its words are indexed."""
        sql = "select doc, live, imported, worded from sessions where project = ? and sid = ?"
        row: tuple[Any, ...] | None = self.connection.execute(
            sql, [self.log.project, sid]
        ).fetchone()
        return row

    def _load(self, sid: str) -> Digest | None:
        row = self._row(sid)
        return unpack(row[self._column]) if row else None

    def _store(self, sid: str, own: Digest | None) -> None:
        """Write the row of one session; own: what this log knows of it. A search adds its words."""
        old = self._row(sid)
        if old is not None:
            self._remove(*old)
        sides: list[bytes | None] = list(old[1:3]) if old else [None, None]
        sides[self._column - 1] = zlib.compress(msgspec.json.encode(own), 1) if own else None
        other = unpack(sides[2 - self._column])
        live, imported = (own, other) if self.log.side == LIVE else (other, own)
        whole = merged(live, imported)
        if whole is None:
            return
        waiting = waiting_digest(live, imported) is not None
        plain = normal("\n".join((title_of(whole), *whole.prompts[:1]))).casefold()
        self.connection.execute(
            "insert into sessions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, false)",
            [
                old[0] if old else None,
                self.log.project,
                sid,
                *sides,
                whole.session.started,
                whole.session.last,
                status(whole),
                plain,
                waiting,
                has_no_work(whole),
            ],
        )

    def _remove(self, doc: int, live: bytes | None, imported: bytes | None, worded: int) -> None:
        if worded:
            self.connection.execute(_REMOVE, [doc, *columns_of(digest_of(live, imported))])
        self.connection.execute("delete from vectors where doc = ?", [doc])
        self.connection.execute("delete from sessions where doc = ?", [doc])
