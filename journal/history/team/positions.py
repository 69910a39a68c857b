"""How far each log was exported to the team's tables, and whether it is still the same log.

A mark is a number: the seq of the last exported record and 24 bits of its checksum. A commit stores
it under the log's name. Invariant: a log that ends before its mark, or has another record there,
was replaced (a machine was restored from a backup), whatever this machine remembers.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from journal.checkpoint import Checkpoint, Position, load, save
from journal.codec import digest
from journal.home import ensure_directory

if TYPE_CHECKING:
    from journal.history.tables.logs import Log

_CODE = "team 1"
_BITS = 24

ALTERED = -1
"""Instead of a mark: a repair or a redaction changed records that were exported."""


class LogEnd(NamedTuple):
    """A log and its end. name: in commits, a digest, because a project's name is a text."""

    log: Log
    position: Position
    name: str

    @classmethod
    def of(cls, log: Log, origin: str) -> LogEnd | None:
        """Return the end of a log that was read; None if it has no position."""
        position = log.extracts["events"].position
        if position is None or not position.seq:
            return None
        return cls(log, position, name_of(origin, log.project, log.side))

    @property
    def mark(self) -> int:
        """Return the mark of the last record."""
        return mark_of(self.position.seq, self.position.end)


def folder_of(home: str, location: str) -> str:
    """Return the directory in which a home stores how far it has exported to a location."""
    return os.path.join(home, "cache", "export", digest(location, 8))


def name_of(origin: str, project: str, side: str) -> str:
    """Return the name of a log in commits."""
    return digest(f"{origin} {project} {side}", 12)


def mark_of(seq: int, checksum: str) -> int:
    """Return the mark of a record. checksum: its 8 hex digits."""
    return seq << _BITS | int(checksum or "0", 16) & (1 << _BITS) - 1


def seq_of(mark: int) -> int:
    """Return the seq of a mark, 0 for none."""
    return mark >> _BITS


def is_same(end: LogEnd, mark: int, verified: int) -> bool:
    """Return whether a log has the record of a mark. verified: a mark known to be in the log."""
    if mark in (0, verified, end.mark):
        return True
    from journal.history.replay.run import line_at  # loads all projections, and is seldom needed

    seq = seq_of(mark)
    found = line_at(end.log.directory, seq) if seq <= end.position.seq else b""
    return bool(found) and mark_of(seq, found.rstrip()[-10:-2].decode("ascii", "replace")) == mark


class StoredMark(NamedTuple):
    """What this home stored of a log's export to the table with an ID.

    mark: all rows up to it are in the table; ALTERED if the log before it is not what was exported,
    0 if nothing is known. is_complete: false if the export that was adding rows did not end, or the
    home is a copy, whose logs may have lost records that were exported.
    """

    mark: int = 0
    table: str = ""
    is_complete: bool = False


def stored_mark(folder: str, end: LogEnd) -> StoredMark:
    """Return what this home stored of a log's export."""
    path = os.path.join(folder, end.name)
    found = load(path, end.log.directory, _CODE)
    stored = found or load(path, "", _CODE, holds=False)
    if stored is None:
        return StoredMark()
    table, _, complete_in = stored.payload.decode().partition(" ")
    mark = mark_of(stored.position.seq, stored.position.end) if found else ALTERED
    return StoredMark(mark, table, complete_in == _id_of(folder))


def mark_altered(home: str, name: str) -> None:
    """Replace every mark that this home stored for a log by ALTERED, and drop its checksums."""
    top = os.path.join(home, "cache", "export")
    for folder in sorted(os.listdir(top)) if os.path.isdir(top) else ():
        path = os.path.join(top, folder, name)
        if (stored := load(path, "", _CODE, holds=False)) is not None:
            save(path, Checkpoint(Position(seq=stored.position.seq), _CODE, stored.payload))


def store_mark(
    folder: str, name: str, position: Position, table: str, *, is_complete: bool = True
) -> None:
    """Store that all rows of a log are in the table, or that an export begins to add them."""
    ensure_directory(folder)
    payload = f"{table} {_id_of(folder) if is_complete else ''}"
    save(os.path.join(folder, name), Checkpoint(position, _CODE, payload.encode()))


def _id_of(folder: str) -> str:
    """Return the inode of a directory: in a home restored from a backup it is another one."""
    return str(os.stat(folder).st_ino)
