"""The file of the index: `<home>/cache/sessions.sqlite`, 0600, created when it is missing.

Readers do not wait for the writer (write-ahead log), and each change is one transaction, so a
killed process leaves the file unchanged. Invariant: a connection reads only files of this version;
a file of another version, or a damaged one, is deleted and built again.
"""

import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import msgspec

from journal.errors import LinkedError
from journal.events.registry import CURRENT
from journal.files import open_regular
from journal.history.progress import Progress, ignore_progress
from journal.history.search.columns import COLUMNS
from journal.home import ensure_directory
from projections.digests import PROJECTION

CODE = f"7.{PROJECTION.version} {CURRENT}"
"""Version of the tables, their digests and the events; an index of another one is built again."""

DAMAGED = (sqlite3.DatabaseError, zlib.error, msgspec.DecodeError)
"""What reading a damaged file raises; see `Database.is_damage`."""

_CACHE = "cache"
_WAIT = 2.0  # seconds for another writer
_TABLES = """
create table facts(name text primary key, value text);
create table logs(project text, side text, files text, checkpoint blob,
  primary key (project, side));
create table sessions(doc integer primary key, project text, sid text, live blob, imported blob,
  started text, last text, status text, plain text, waiting integer, looked integer,
  worded integer,
  unique (project, sid));
create index newest on sessions(project, started);
create table vectors(doc integer primary key, vector blob);
"""
_WORDS = f"""
create virtual table words using fts5({", ".join(COLUMNS)}, content = '',
  tokenize = "ascii tokenchars '_+#'");
create virtual table vocabulary using fts5vocab(words, row);
"""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_OUTSIDE = (
    *_BUSY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
)


def has_fts5() -> bool:
    """Return whether this Python's SQLite has full-text search."""
    with closing(sqlite3.connect(":memory:")) as memory:
        return bool(memory.execute("select sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0])


def can_store(home: str) -> bool:
    """Return whether the index of a home can be written, as far as permissions tell."""
    existing = (path for path in (os.path.join(home, _CACHE), home) if os.path.isdir(path))
    return os.access(next(existing, os.path.dirname(home)), os.W_OK)


class Database:
    """The index file of one journal home.

    progress: called with the reason why a file is built again. words: whether it has a full-text
    index.
    """

    def __init__(self, home: str, progress: Progress = ignore_progress) -> None:
        self.directory = os.path.join(home, _CACHE)
        self.path = os.path.join(self.directory, "sessions.sqlite")
        self.progress = progress
        self.words = True
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def open(self) -> sqlite3.Connection | None:
        """Return a connection to the current file; None if there is none of this version."""
        try:
            inode = os.stat(self.path).st_ino
        except FileNotFoundError:
            self.close()
            return None
        if self._connection is None or inode != self._inode:
            self.close()
            self._inode = inode
            self._connection = self._open_file()
        return self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Return a connection within a transaction that is committed at the end.

        Raises sqlite3.Error if the file cannot be written; see `is_busy`.
        """
        connection = self.open() or self._create()
        connection.execute("begin immediate")
        try:
            yield connection
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("rollback")
            raise
        connection.execute("commit")

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    def discard(self, why: object) -> None:
        """Delete the file: it cannot be read."""
        self.close()
        self._report_discarded(why)
        with suppress(FileNotFoundError), self._locked():
            if os.stat(self.path).st_ino == self._inode:  # else it was replaced already
                self._remove("", "-wal", "-shm")

    def _report_discarded(self, why: object) -> None:
        reason = str(why).partition("\n")[0]
        if isinstance(
            why, (zlib.error, msgspec.DecodeError)
        ):  # about bytes and members of a digest
            reason = "a session in it cannot be read"
        self.progress(f"Rebuilding the search index: {reason}.")

    @staticmethod
    def is_busy(error: Exception) -> bool:
        """Return whether an error means that another process is writing."""
        return _code_of(error) in _BUSY

    @staticmethod
    def is_damage(error: Exception) -> bool:
        """Return whether an error means that the file itself is broken."""
        return _code_of(error) not in _OUTSIDE

    def _open_file(self) -> sqlite3.Connection | None:
        """Open the file; if it is not an index of this version, discard it and return None."""
        try:
            os.close(open_regular(self.path, os.O_RDONLY))
        except LinkedError as error:  # the other link may be a backup, which keeps the old file
            self.discard(error)
            return None
        connection = self._connect()
        try:
            if not _has_tables(connection):  # another process is about to make them
                connection.close()
                return None
            code = connection.execute("select value from facts where name = 'code'").fetchall()
            listed = connection.execute("select 1 from sqlite_master where name = 'words'")
            self.words = bool(listed.fetchall())
        except DAMAGED as error:
            connection.close()
            if not self.is_damage(error):
                raise
            self.discard(error)
            return None
        if code == [(CODE,)] and (self.words or not has_fts5()):
            return connection
        connection.close()
        self.discard("another version of the journal made it")
        return None

    def _connect(self) -> sqlite3.Connection:
        found = sqlite3.connect(
            f"file:{_quoted(self.path)}?{self._mode()}",
            uri=True,
            timeout=_WAIT,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            found.execute("pragma synchronous = normal")
            found.execute("pragma cache_size = -65536")
        except BaseException:  # a damaged file
            found.close()
            raise
        return found

    def _mode(self) -> str:
        return "mode=rw" if os.access(self.directory, os.W_OK) else "mode=ro&immutable=1"

    def _create(self) -> sqlite3.Connection:
        """Create the file with its tables, unless another process has done so."""
        ensure_directory(self.directory)
        with self._locked():
            if not os.path.lexists(self.path):
                self._remove("-wal", "-shm")
                os.close(open_regular(self.path, os.O_RDWR | os.O_CREAT))
            connection = self._connect()
            try:
                self._make_tables(connection)
            except BaseException:
                connection.close()
                raise
        self._connection, self._inode = connection, os.stat(self.path).st_ino
        return connection

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        connection.execute("pragma journal_mode = wal")
        connection.execute("begin immediate")
        if not _has_tables(connection):
            self.words = has_fts5()
            for statement in (_TABLES + (_WORDS if self.words else "")).split(";"):
                connection.execute(statement)
            connection.execute("insert into facts values ('code', ?)", [CODE])
        connection.execute("commit")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Prevent other processes from creating or deleting the file."""
        folder = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _remove(self, *endings: str) -> None:
        for ending in endings:
            with suppress(FileNotFoundError):
                os.unlink(self.path + ending)


class CopyOnWrite(Database):
    """An index that is copied to memory before its first change; nothing in the home changes."""

    def __init__(self, home: str, progress: Progress = ignore_progress) -> None:
        super().__init__(home, progress)
        self._copy: sqlite3.Connection | None = None
        self._is_unreadable = False

    def open(self) -> sqlite3.Connection | None:
        """Return a connection to the copy, or to the file if nothing was changed."""
        if self._copy is not None or self._is_unreadable:
            return self._copy
        try:
            return super().open()
        except sqlite3.OperationalError as error:
            if self.is_busy(error):
                raise
            self.discard(error)  # reading a write-ahead log takes a file that cannot be made
            return None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Return a connection to the copy within a transaction."""
        if self._copy is None:
            source = self.open()
            self._copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            if source is None:
                self._make_tables(self._copy)
            else:
                source.backup(self._copy)
        with super().writing() as connection:
            yield connection

    def discard(self, why: object) -> None:
        """Start an index for this process only, because the existing one cannot be read."""
        self.close()
        self._is_unreadable = True
        self._report_discarded(why)

    def close(self) -> None:
        """Close the connection, and drop the copy."""
        super().close()
        if self._copy is not None:
            self._copy.close()
        self._copy = None

    def _mode(self) -> str:
        # Without a write-ahead log the file has everything; SQLite would create one to read it.
        return "mode=ro" if os.path.exists(f"{self.path}-wal") else "mode=ro&immutable=1"


def _has_tables(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("select 1 from sqlite_master limit 1").fetchall())


def _quoted(path: str) -> str:
    from urllib.parse import quote

    return quote(os.path.abspath(path))


def _code_of(error: Exception) -> int:
    """Return the primary result code of an SQLite error, 0 of any other."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
