"""Derived state, stored with the position in the log that it is valid for.

Everything derived from a log (a hook's views, folds of commands, the tables, the search index) is a
checkpoint: a position, the version of the code that made it, and a payload. It is committed
atomically, by a rename or in a database transaction. Invariant: `position_holds` alone decides
whether it is still valid for the log, and deleting a checkpoint only costs time.
"""

from __future__ import annotations

import os
import zlib

from journal.codec import dumps
from journal.errors import JournalOffError, LinkedError
from journal.files import open_regular
from journal.log.record import ACTIVE, is_whole, numbered, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SNAPSHOT = "snapshot"  # the file beside a log with the views that hooks answer from
SLOT = 1024 * 1024  # of a file written in place; sparse: only what a slot holds is on the disk
_HEADER = 24 * 1024
_END_NAMES = ("segment", "offset", "seq", "end")
_WHOLE_NAMES = ("journal", "lines", "checksum", "sealed", "file")
_END = 11  # bytes a record ends with: the 8 digits of its checksum, `"}` and the newline


class Position:
    """How far a log was read, and how to recognize that it is still that log up to there.

    segment: first seq of the segment read last; offset: end of the last record read, in that
    segment's uncompressed bytes; seq: that record; end: the 8 hex digits of its checksum.
    A whole position, as `Reader.position` returns it, knows more: journal: the id; lines: number
    of lines before `offset`; checksum: CRC-32 of the bytes before `offset`; sealed: for each
    segment before, its name, size, mtime_ns, ctime_ns, inode and the CRC-32 of its uncompressed
    bytes; file: the same four numbers of the segment of the position as it was opened, [] where it
    had just changed. A hook's position has checksum -1 and none of these.
    """

    def __init__(
        self,
        segment: int = 0,
        offset: int = 0,
        seq: int = 0,
        end: str = "",
        *,
        journal: str = "",
        lines: int = 0,
        checksum: int = -1,
        sealed: list[list[Any]] | None = None,
        file: list[int] | None = None,
    ) -> None:
        self.segment = segment
        self.offset = offset
        self.seq = seq
        self.end = end
        self.journal = journal
        self.lines = lines
        self.checksum = checksum
        self.sealed = sealed or []
        self.file = file or []

    def plain(self) -> dict[str, Any]:
        """Return it as JSON values, to be stored in a file's header or a row of a table."""
        names = _END_NAMES if self.checksum < 0 else (*_END_NAMES, *_WHOLE_NAMES)
        return {name: getattr(self, name) for name in names}

    @staticmethod
    def parse(plain: Any) -> Position | None:
        """Build a position from what `plain` returned; None from anything else."""
        try:
            return Position(**plain) if isinstance(plain["seq"], int) else None
        except (KeyError, TypeError):
            return None


class Checkpoint:
    """Derived state at a position.

    code: names and versions of what made it. hints: the few facts a hook reads without the rest.
    payload: the state's bytes (b"" from `load_hints`).
    """

    def __init__(self, position: Position, code: str, payload: bytes, hints: Any = None) -> None:
        self.position = position
        self.code = code
        self.payload = payload
        self.hints = hints


# -- whether it is still valid --------------------------------------------------------------------


def position_holds(directory: str, position: Position, *, whole: bool = False) -> bool:
    """Return whether the log, up to the position, is still the one that was read.

    For hooks, in O(1): the last record read still ends at the same offset. For commands (whole):
    every byte before the position is the same. A segment counts as the same if its size, times and
    inode are; if not, its bytes up to the position are read and their CRC is compared.
    """
    if not position.seq:
        return True
    try:
        if not whole:
            return _ends_at(f"{directory}/{ACTIVE}", position) or _is_sealed(directory, position)
        from journal.log.unchanged import is_unchanged  # only commands ask for it

        return is_unchanged(directory, position.plain())
    except (OSError, EOFError, zlib.error, JournalOffError):
        return False


def _ends_at(path: str, position: Position) -> bool:
    """Return whether the segment has, at that offset, the record that the position names."""
    try:
        descriptor = open_regular(path, os.O_RDONLY, linked=True)
    except (OSError, JournalOffError):
        return False
    try:
        if not os.pread(descriptor, 32, 0).startswith(b'{"seq":%d,' % position.segment):
            return False
        end = os.pread(descriptor, _END, max(0, position.offset - _END))
        return end == position.end.encode() + b'"}\n'
    finally:
        os.close(descriptor)


def _is_sealed(directory: str, position: Position) -> bool:
    """Return whether the position is valid in a segment that was sealed since.

    A compressed one was sealed long ago; a hook does not read it.
    """
    from journal.log.segment import segments

    for segment in segments(directory):
        if segment.sealed and segment.first == position.segment:
            return not segment.path.endswith(".gz") and _ends_at(segment.path, position)
    return False


# -- files ----------------------------------------------------------------------------------------


def load(
    path: str, directory: str, code: str, *, whole: bool = True, holds: bool = True
) -> Checkpoint | None:
    """Read a checkpoint of a command if it has this `code` and is valid for the log.

    If segments have become other files with the same content (compressed ones), their state is
    stored, so that they are read only once. whole: see `position_holds`. holds: if False, return it
    for any log.
    """
    for checkpoint in read_all(path, slots=1):
        facts = [row[:] for row in checkpoint.position.sealed]
        if checkpoint.code == code and (
            not holds or position_holds(directory, checkpoint.position, whole=whole)
        ):
            if facts != checkpoint.position.sealed:
                try:  # noqa: SIM105 (contextlib is one more module to load)
                    save(path, checkpoint)
                except OSError:
                    pass
            return checkpoint
    return None


def load_snapshot(directory: str, code: str) -> Checkpoint | None:
    """Read the newest undamaged snapshot that has this `code` and is valid for its log."""
    for checkpoint in read_all(f"{directory}/{SNAPSHOT}", slots=2):
        if checkpoint.code == code and position_holds(directory, checkpoint.position):
            return checkpoint
    return None


def load_hints(directory: str, form: int) -> tuple[dict[str, Any], int]:
    """Read the hints of a log's snapshot and its offset; ({}, -1) if no valid one exists.

    form: the `format` that the hints must have; any version of the projections will do. The offset
    is in the active segment, -1 if the position is in another one.
    """
    for checkpoint in read_all(f"{directory}/{SNAPSHOT}", slots=2, with_payload=False):
        position = checkpoint.position
        hints = checkpoint.hints
        if isinstance(hints, dict) and hints.get("format") == form:
            if _ends_at(f"{directory}/{ACTIVE}", position):
                return hints, position.offset
            if position_holds(directory, position):
                return hints, -1
    return {}, -1


def save(path: str, checkpoint: Checkpoint) -> None:
    """Replace a checkpoint by a rename. Raise OSError if that fails."""
    from journal.replace_file import write_atomic  # no hook writes this way

    write_atomic(path, _header_of(checkpoint) + checkpoint.payload)


def save_in_place(path: str, checkpoint: Checkpoint) -> bool:
    """Write a checkpoint into the older of a file's two slots; call it under the lock.

    This is twenty times as fast as a rename, and after a torn write the other slot is valid. Return
    False if the checkpoint is too large or cannot be written.
    """
    header = _header_of(checkpoint)
    if len(header) > _HEADER or len(header) + len(checkpoint.payload) > SLOT:
        return False
    try:
        try:
            descriptor = open_regular(path, os.O_RDWR | os.O_CREAT)
        except LinkedError:  # leave the old file to the backup with the other link
            os.unlink(path)
            descriptor = open_regular(path, os.O_RDWR | os.O_CREAT)
    except (OSError, JournalOffError):
        return False
    try:
        seqs = [_header_at(descriptor, at, _HEADER).get("seq", -1) for at in (0, SLOT)]
        # A slot with a later seq is of a log that was replaced: overwrite that one.
        seqs = [-2 if seq > checkpoint.position.seq else seq for seq in seqs]
        slot = 0 if seqs[0] <= seqs[1] else 1
        os.pwrite(descriptor, header + checkpoint.payload, slot * SLOT)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _header_of(checkpoint: Checkpoint) -> bytes:
    """Return the line a stored checkpoint begins with, framed like a record."""
    payload = checkpoint.payload
    fields = {
        "position": checkpoint.position.plain(),
        "code": checkpoint.code,
        "payload": [len(payload), zlib.crc32(payload)],
        "hints": checkpoint.hints,
    }
    return numbered(checkpoint.position.seq, dumps(fields)[1:-1])


def read_all(path: str, *, slots: int, with_payload: bool = True) -> list[Checkpoint]:
    """Read the undamaged checkpoints of a file, the newest first."""
    try:
        descriptor = open_regular(path, os.O_RDONLY, linked=True)
    except (OSError, JournalOffError):
        return []
    try:
        longest = _HEADER if slots > 1 else SLOT
        found = [
            _checkpoint_at(descriptor, slot * SLOT, longest, with_payload=with_payload)
            for slot in range(slots)
        ]
    finally:
        os.close(descriptor)
    return sorted(filter(None, found), key=lambda checkpoint: -checkpoint.position.seq)


def _checkpoint_at(
    descriptor: int, at: int, longest: int, *, with_payload: bool
) -> Checkpoint | None:
    try:
        header = _header_at(descriptor, at, longest)
        position = Position.parse(header["position"])
        length, checksum = header["payload"]
        payload = os.pread(descriptor, length, at + header["length"]) if with_payload else b""
        if position is None or (
            with_payload and (len(payload) != length or zlib.crc32(payload) != checksum)
        ):
            return None
        return Checkpoint(position, header["code"], payload, header["hints"])
    except (OSError, KeyError, TypeError, ValueError):
        return None


def _header_at(descriptor: int, at: int, longest: int) -> dict[str, Any]:
    """Read the header at an offset; {} if there is no whole one."""
    raw = os.pread(descriptor, longest, at)
    line = raw[: raw.find(b"\n")]
    try:
        header = unframe(line) if is_whole(line) else {}
    except ValueError:
        return {}
    header["length"] = len(line) + 1
    return header if isinstance(header.get("seq"), int) else {}
