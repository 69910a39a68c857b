"""Read logs for the tables, through the journal's own reader, and store their rows.

Invariant: a row is a record whose checksum passes, no record is two rows, and lines that are not
rows are counted.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from journal.files import open_regular
from journal.history.logs import is_log, log_directories
from journal.history.tables.columns import literal
from journal.history.tables.extract import Extract
from journal.history.tables.repeats import Repeats
from journal.home import ensure_directory
from journal.log.findings import VALID, Findings
from journal.log.read import Reader

if TYPE_CHECKING:
    from journal.history.tables.engine import Engine

    Batch = list[tuple[int, bytes]]

_LOCK = "lock"  # held while rows are written
_READERS = "readers.lock"  # shared by those who read them, so that nobody removes a file in use
_GROWING = b'"type":"usage.recorded"'  # an import records a reply again that has grown
_PART = 64 * 1024 * 1024  # bytes of records that become one file


class Log:
    """One log. side: "live" or "imported"; cache: directory of its stored rows.

    extracts: family → rows; repeated: number of repeated records; found: the reader's findings,
    None if the log was not read. state: identifies the bytes that were read, "" if unknown.
    """

    def __init__(self, project: str, side: str, directory: str, cache: str) -> None:
        self.project = project
        self.side = side
        self.directory = directory
        self.cache = cache
        self.extracts: dict[str, Extract] = {}
        self.repeated = 0
        self.found: Findings | None = None
        self.state = ""
        self._reading = -1

    def read(
        self, names: Iterable[str], engine: Engine, folded: Collection[str] = (), most: int = 0
    ) -> None:
        """Write the rows of these families that are not stored yet.

        Families with the same position are read together. engine: writes the rows. folded:
        projections that the caller replays next: if nothing of the log is stored yet, the same pass
        folds and stores them. most: bytes of new records after which each family stops (0: at the
        end of the log).
        """
        ensure_directory(self.cache)
        path = os.path.join(self.cache, _LOCK)
        lock = open_regular(path, os.O_RDWR | os.O_CREAT, linked=True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            is_alone = self._is_alone()
            groups: dict[int, list[Extract]] = {}
            for name in names:
                made = Extract(self.directory, self.cache, name, self._origin)
                self.extracts[name] = made
                groups.setdefault(made.position.seq if made.position else 0, []).append(made)
            for seq, extracts in groups.items():
                if folded and not seq and self._has_no_folds():
                    from journal.history.replay.run import replay_all  # loads all views

                    rows = self._new_rows(extracts, engine)
                    replay = replay_all(self.directory, folded, each=rows.add)
                    self._finish(rows, replay.reader)
                else:
                    self._read_on(extracts, engine, most)
            if is_alone:
                self._sweep()
        finally:
            if self._reading >= 0:
                fcntl.flock(self._reading, fcntl.LOCK_SH)
            os.close(lock)

    def _has_no_folds(self) -> bool:
        from journal.history.replay.stored import StoredFolds

        return not StoredFolds(self.directory).seqs()

    @property
    def excluded(self) -> int:
        """Count the lines that are not rows: torn, corrupt or out of order."""
        found = self.found
        return sum(found.counts.values()) - found.counts[VALID] - len(found.gaps) if found else 0

    def discard(self) -> None:
        """Remove the files that only this process uses, and release the rows to other processes."""
        for extract in self.extracts.values():
            extract.discard()
        if self._reading >= 0:
            os.close(self._reading)
            self._reading = -1

    @property
    def _origin(self) -> str:
        return f"{literal(self.project)} as project,{self.side == 'imported'} as imported"

    def _is_alone(self) -> bool:
        """Return whether no other process reads the rows; none begins before `read` returns."""
        if self._reading < 0:
            path = os.path.join(self.cache, _READERS)
            self._reading = open_regular(path, os.O_RDWR | os.O_CREAT, linked=True)
        try:
            fcntl.flock(self._reading, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _sweep(self) -> None:
        """Remove files that are no longer valid, and those of version 0.1.0."""
        for extract in self.extracts.values():
            extract.sweep()
        earlier = os.path.dirname(self.cache)
        for entry in os.listdir(earlier):
            if entry == "index.json" or entry.endswith((".parquet", ".clean.jsonl")):
                os.unlink(os.path.join(earlier, entry))

    def _read_on(self, extracts: list[Extract], engine: Engine, most: int) -> None:
        first = extracts[0]
        rows = self._new_rows(extracts, engine)
        reader = Reader(self.directory, position=first.position, found=first.found, whole=True)
        for batch in reader.batches():
            if rows.add(batch):
                rows.save(reader)
            if 0 < most <= reader.bytes_read and reader.position() is not None:
                break
        self._finish(rows, reader)

    def _new_rows(self, extracts: list[Extract], engine: Engine) -> _NewRows:
        return _NewRows(extracts, engine, b"" if self.side == "live" else _GROWING)

    def _finish(self, rows: _NewRows, reader: Reader) -> None:
        """Store what a pass added, and note what it found."""
        if not rows.save(reader):
            rows.write_temporary()
        self.repeated, self.found = rows.repeats.count, reader.found
        if position := reader.position():
            files = [facts[-1] for facts in position.sealed]
            self.state = f"{position.journal} {position.seq} {position.checksum} {files}"


class _NewRows:
    """New records of a log, on their way into the parts of some extracts."""

    def __init__(self, extracts: list[Extract], engine: Engine, exempt: bytes) -> None:
        self.repeats = Repeats(**extracts[0].repeats, exempt=exempt)
        self._size = 0  # bytes added since the last part was written
        self._extracts = extracts
        self._engine = engine
        self._written = False

    def add(self, batch: Batch) -> bool:
        """Add records; return whether that filled a part, which is written now."""
        lines = self.repeats.drop(batch)
        self._size += sum(map(len, lines))
        for extract in self._extracts:
            extract.add(lines)
        if self._size < _PART:
            return False
        self._write(batch[-1][0])
        return True

    def save(self, reader: Reader) -> bool:
        """Write what was added and store the position; return False if there is none to store."""
        position = reader.position()
        if position is None or not (self._size or self._written):
            return False
        self._write(position.seq)
        state = {"recent": self.repeats.recent(position.seq), "count": self.repeats.count}
        for extract in self._extracts:
            extract.save(position, state, reader.found)
        self._written = False
        return True

    def write_temporary(self) -> None:
        """Write what cannot be stored, for use by this process only."""
        for extract in self._extracts:
            extract.write_temporary(self._engine)

    def _write(self, seq: int) -> None:
        for extract in self._extracts:
            extract.write(self._engine, seq)
        self._size, self._written = 0, True


def find_logs(home: str, project: str, cache: str) -> list[Log]:
    """Return the logs under a journal home: of one project, or of all. cache: for their rows."""
    only = [project] if project else []
    return [
        Log(name, side, directory, os.path.join(cache, name, side, "tables"))
        for name, side, directory in log_directories(home, only)
        if is_log(directory)
    ]
