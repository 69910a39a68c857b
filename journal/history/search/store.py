"""The file of the index: `<home>/cache/sessions.duckdb`, 0600, made when missing.

A writer works on a copy and puts it in the place of the file, so a reader never waits, never sees
half of a change, and a writer that is killed leaves the file as it was. One writer at a time, by a
lock beside it. Invariant: a connection that is handed out is of the newest file there is.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from journal.events.upcast import CURRENT
from journal.files import open_regular
from journal.history.tables.engine import DatabaseError, database
from journal.home import ensure_directory
from projections.digest import PROJECTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

__all__ = ["FORM", "DatabaseError", "Store", "Taken"]

FORM = f"1.{PROJECTION.version} {CURRENT}"
"""Form of the tables, of the digests in them and of the events; another one is built anew."""

_PATIENCE = 2.0  # seconds for another writer
_PAUSE = 0.02
_BLOCK = 1 << 22
_TABLES = """
create table facts(name varchar primary key, value varchar);
create table logs(project varchar, side varchar, mark varchar, place blob);
create table sessions(doc integer, project varchar, sid varchar, live blob, imported blob,
  started varchar, last varchar, status varchar, size integer, plain varchar, waiting boolean);
create table postings(term varchar, doc integer, tf usmallint);
create table vectors(doc integer, vector float[384]);
"""

# One connection per file and process: DuckDB shares what it has open by name, and the file under
# the name changes.
_LOCK = threading.RLock()
_OPEN: dict[str, tuple[tuple[int, int, int], duckdb.DuckDBPyConnection]] = {}


class Taken(Exception):  # noqa: N818 (it is no error: another process does the work)
    """Another process has been writing for longer than one waits."""


class Store:
    """The index file of one journal home. fault: why the file there is cannot be used, or ""."""

    def __init__(self, home: str) -> None:
        self.directory = os.path.join(home, "cache")
        self.path = os.path.join(self.directory, "sessions.duckdb")
        self.fault = ""

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection | None]:
        """Give a connection to the file as it is now; None where there is none of this form."""
        with _LOCK:
            yield self._opened()

    @contextmanager
    def writing(self, *, anew: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection to a copy (anew: an empty one) that becomes the file at the end.

        Taken where another process holds the lock; DatabaseError and OSError where nothing can be
        written or what there is cannot be read.
        """
        ensure_directory(self.directory)
        lock = self._locked()
        part = f"{self.path}.{os.getpid()}-{threading.get_ident()}"
        try:
            self._sweep()
            if not anew:
                self._copy(part)
            connection = database(part)
            try:
                if anew:
                    os.chmod(part, 0o600)
                    connection.execute(_TABLES)
                    connection.execute("insert into facts values ('form', ?)", [FORM])
                yield connection
                connection.execute("checkpoint")
            finally:
                connection.close()
            os.replace(part, self.path)
        finally:
            for left in (part, f"{part}.wal"):
                if os.path.lexists(left):
                    os.unlink(left)
            os.close(lock)

    def close(self) -> None:
        """Let the file go."""
        with _LOCK:
            known = _OPEN.pop(self.path, None)
            if known:
                known[1].close()

    def damaged(self, error: Exception) -> None:
        """Forget the file: reading it failed."""
        self.close()
        self.fault = _told(error)

    def _opened(self) -> duckdb.DuckDBPyConnection | None:
        try:
            facts = os.stat(self.path)
        except OSError:
            self.close()
            return None
        now = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
        known = _OPEN.get(self.path)
        if known and known[0] == now:
            return known[1]
        self.close()
        self.fault = ""
        try:
            connection = database(self.path, read_only=True)
            connection.execute(
                "set threads = 1"
            )  # what a query touches is less than a thread's due
            found = connection.execute("select value from facts where name = 'form'").fetchall()
        except DatabaseError as error:
            self.fault = _told(error)
            return None
        if found != [(FORM,)]:
            connection.close()
            self.fault = "it is of another build"
            return None
        _OPEN[self.path] = (now, connection)
        return connection

    def _locked(self) -> int:
        lock = open_regular(os.path.join(self.directory, "sessions.lock"), os.O_RDWR | os.O_CREAT)
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
            except OSError:
                if time.monotonic() > end:
                    os.close(lock)
                    raise Taken from None
                time.sleep(_PAUSE)

    def _sweep(self) -> None:
        """Remove what a writer that was killed has left; the lock is ours, so nobody writes."""
        for name in os.listdir(self.directory):
            if name.startswith("sessions.duckdb."):
                os.unlink(os.path.join(self.directory, name))

    def _copy(self, part: str) -> None:
        target = open_regular(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            source = open_regular(self.path, os.O_RDONLY)
            try:
                while block := os.read(source, _BLOCK):
                    view = memoryview(block)
                    while view:
                        view = view[os.write(target, view) :]
            finally:
                os.close(source)
        finally:
            os.close(target)


def _told(error: Exception) -> str:
    return str(error).partition("\n")[0]
