"""The file of the index, brought up to date with the logs before it is read.

A cache that can be deleted at any time. Invariant: a session's data is the fold of its logs, so
building the index again gives the same.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from journal.errors import JournalError
from journal.history.progress import Progress, ignore_progress
from journal.history.search.database import DAMAGED, CopyOnWrite, Database, can_store
from journal.history.search.update import (
    IndexedLog,
    LogUpdate,
    add_words,
    changed_logs,
    lacks_words,
    logs_of,
)


class IndexFile:
    """The index file of one journal home.

    progress: called with messages for the user; building: with a message before all journals are
    read, which takes long. stores: whether updates are written to the journal home, if it can be
    written, or to a copy in memory.
    """

    def __init__(self, home: str, *, progress: Progress, stores: bool) -> None:
        self.home = home
        self.progress = progress
        self.building: Progress = ignore_progress
        self._stores = stores and can_store(home)
        self.database = (Database if self._stores else CopyOnWrite)(home, progress)

    def update(self, only: Sequence[str] = (), *, words: bool = False) -> int:
        """Update the index from the journals; return how many sessions changed.

        only: names of projects; none: all. words: add the words now, not at the next search.
        An index that cannot be written is read as it is.
        Raises JournalError if there is none and none can be created.
        """
        return self._updated(only, 0, words=words)[0]

    def read_on(self, project: str, most: int) -> bool:
        """Index about `most` bytes of new records of a project; return whether that was all."""
        return self._updated((project,), most, words=True)[1]

    def _updated(self, only: Sequence[str], most: int, *, words: bool) -> tuple[int, bool]:
        try:
            for _ in range(2):
                try:
                    return self._update(only, most, words=words)
                except FileNotFoundError:  # a segment was just sealed or compressed
                    continue
            return self._update(only, most, words=words)
        except (sqlite3.OperationalError, OSError) as error:
            # An index that cannot be updated can still be read.
            reason = str(getattr(error, "strerror", None) or error).lower()
            try:
                connection = self.database.open()
            except (sqlite3.Error, OSError):
                connection = None
            if connection is None and self._stores:  # in memory it can still be made
                self.building, self._stores = ignore_progress, False
                self.database = CopyOnWrite(self.home, self.progress)
                made = self._updated(only, most, words=words)
                self.progress(f"The search index cannot be stored: {reason}.")
                return made
            if connection is None:
                path, what = self.database.path, f"cannot be made: {reason}"
                raise JournalError(path, what, "journal doctor shows what is wrong") from error
            busy = self.database.is_busy(error)
            if busy and not connection.execute("select 1 from logs limit 1").fetchall():
                what = "another process is building the search index"
                raise JournalError(self.database.path, what, "try again in a moment") from None
            why = "another process is updating it" if busy else reason
            self.progress(f"The search index is not up to date ({why}): the newest may be missing.")
            return 0, False

    def add_words(self) -> bool:
        """Index the words of sessions that lack them; return whether all sessions have theirs."""
        connection = self.database.open()
        if connection is None or not self.database.words:
            return False
        try:
            if lacks_words(connection):
                with self.database.writing() as connection:
                    add_words(connection)
        except sqlite3.OperationalError as error:
            if self.database.is_damage(error):
                raise
            return False
        return True

    def _update(self, only: Sequence[str], most: int, *, words: bool) -> tuple[int, bool]:
        logs = list(logs_of(self.home, only))
        stale, gone = self._healthy(lambda: changed_logs(self.database.open(), logs, only))
        if not (stale or gone):
            return 0, True
        if self.database.open() is None:
            self.building("Reading all journals to build the search index. This happens once.")
        found: tuple[int, bool] = self._healthy(lambda: self._write(logs, only, most, words=words))
        return found

    def _healthy(self, act: Callable[[], Any]) -> Any:
        """Call `act`; if the file is damaged, discard it and call again."""
        try:
            return act()
        except DAMAGED as error:
            if not self.database.is_damage(error):
                raise
            self.database.discard(error)
            return act()

    def _write(
        self, logs: list[IndexedLog], only: Sequence[str], most: int, *, words: bool
    ) -> tuple[int, bool]:
        """Index the new records in one transaction."""
        changed, complete = 0, True
        with self.database.writing() as connection:
            # Again: another process may have done it before this transaction began.
            stale, gone = changed_logs(connection, logs, only)
            for log in gone:
                changed += LogUpdate(connection, log).remove()
            for log in stale:
                try:
                    update = LogUpdate(connection, log)
                    count, reached = update.add_new(most, stores=self._stores)
                except FileNotFoundError:
                    raise
                except OSError as error:
                    self.progress(f"{log.directory} cannot be read: {error.strerror or error}")
                    continue
                changed += count
                complete = complete and reached
            if words and self.database.words:
                add_words(connection)
        return changed, complete

    def read(self, read: Callable[[sqlite3.Connection], Any]) -> Any:
        """Read from the index; if it is missing or damaged, build it first."""

        def attempt() -> Any:
            connection = self.database.open()
            if connection is None:
                self.update()
                connection = self.database.open()
            return [] if connection is None else read(connection)  # None: there is no journal

        try:
            return self._healthy(attempt)
        except sqlite3.Error as error:
            remedy = "delete the file: the journal makes a new one"
            raise JournalError(self.database.path, f"cannot be read: {error}", remedy) from error

    def close(self) -> None:
        """Close the file."""
        self.database.close()
