"""Update the index from the logs: digests, words, and the position that was read.

Words come last, because only a search needs them. Invariant: reading on gives the same as reading
all; the words of a session are those of its digest in the same file; a session that no log has any
more is in no table.
"""

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from journal.checkpoint import Position, position_holds
from journal.codec import dumps
from journal.history.logs import LIVE, log_directories
from journal.history.replay.run import replay_all
from journal.history.replay.stored import StoredFolds
from journal.history.search.columns import COLUMNS, columns_of
from journal.history.search.digests import digest_of, merged, unpack, waiting_digest
from journal.log.read import Reader
from journal.log.segment import segments
from journal.log.unchanged import file_facts
from projections.digest import Digest, has_no_work, status, title_of
from projections.digests import PROJECTION, Digests
from projections.fold import Fold
from projections.terms import normal

_PARAMETERS = ", ".join("?" * len(COLUMNS))
_ADD = f"insert into words(rowid, {', '.join(COLUMNS)}) values (?, {_PARAMETERS})"
_REMOVE = (
    f"insert into words(words, rowid, {', '.join(COLUMNS)}) values('delete', ?, {_PARAMETERS})"
)


class IndexedLog(NamedTuple):
    """One log. files: its segments with sizes, times and inodes; if equal, nothing is new."""

    project: str
    side: str
    directory: str
    files: str


class _Digests(dict[str, Digest]):
    """The digests that changed, by session; others come from `load`."""

    def __init__(self, load: Callable[[str], Digest | None]) -> None:
        super().__init__()
        self._load = load

    def get(self, sid: str, default: Any = None) -> Any:
        if sid in self:
            return self[sid]
        return (self._load(sid) if sid else None) or default

    def copy(self) -> "_Digests":
        """Return the same object: a fold may change it."""
        return self


def logs_of(home: str, only: Iterable[str] = ()) -> Iterator[IndexedLog]:
    """Yield the logs in a journal home, live and imported: of some projects, or of all."""
    for name, side, directory in log_directories(home, only):
        if files := _files(directory):
            yield IndexedLog(name, side, directory, files)


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
        it does not have is gone. most: about how many bytes to read (0: all). stores: whether a
        checkpoint of the log may be stored.
        """
        log = self.log
        position, keys = reading_of(self.connection, log.project, log.side)
        is_new = position is None or not position_holds(log.directory, position, whole=True)
        fold, reader, complete = self._read(
            None if is_new else position, {} if is_new else keys, most, stores=stores
        )
        digests: dict[str, Digest] = fold.states[PROJECTION.name].sessions
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

    def _read(
        self, position: Position | None, keys: Mapping[str, int], most: int, *, stores: bool
    ) -> tuple[Fold, Reader, bool]:
        """Fold the digests that the records after `position` change; None: from the first record.

        Return the fold, its reader, and whether the end was reached.
        """
        digests: dict[str, Digest] = _Digests(self._load) if position else {}
        states = {PROJECTION.name: Digests(digests)}
        fold = Fold([PROJECTION], states, keys, position.seq if position else 0)
        directory = self.log.directory
        if stores and not (position or most or StoredFolds(directory).seqs()):
            # The command checks the log for damage next: one pass serves both.
            return fold, replay_all(directory, (), each=fold.feed).reader, True
        reader = Reader(directory, 0, position, whole=True)
        for batch in reader.batches():
            fold.feed(batch)
            if 0 < most <= reader.bytes_read and reader.position() is not None:
                return fold, reader, False
        return fold, reader, True

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


def _files(directory: str) -> str:
    """Return facts that change with the log; "" if there is none."""
    try:
        listed = segments(directory)
        return dumps([[item.name, *file_facts(item)] for item in listed]).decode() if listed else ""
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return "unreadable"  # its sessions stay in the index
