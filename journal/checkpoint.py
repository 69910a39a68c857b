"""Derived state, stored with the position in the log that it is valid for.

Everything derived from a log (a hook's views, folds of commands, the tables, the search index) is a
checkpoint: a position, the version of the code that made it, and a payload. It is committed at
once, by a rename or in the transaction of a database. Invariant: `position_holds` alone decides
whether it still belongs to the log, and deleting a checkpoint costs time and nothing else.
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

__all__ = [
    "SLOT",
    "SNAPSHOT",
    "Checkpoint",
    "Position",
    "load",
    "load_hints",
    "position_holds",
    "read_all",
    "save",
    "save_in_place",
]

SNAPSHOT = "snapshot"  # the file beside a log with the views that hooks answer from
SLOT = 1024 * 1024  # of a file written in place; sparse: only what a slot holds is on the disk
_HEADER = 24 * 1024
_END = 11  # bytes a record ends with: the 8 digits of its checksum, `"}` and the newline


class Position:
    """How far a log has been read, and what tells that it is still the same log up to there.

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
        """Return it as JSON values, for whoever stores it: a file's header, a row of a table."""
        found: dict[str, Any] = {
            "segment": self.segment,
            "offset": self.offset,
            "seq": self.seq,
            "end": self.end,
        }
        if self.checksum >= 0:
            found["journal"] = self.journal
            found["lines"] = self.lines
            found["checksum"] = self.checksum
            found["sealed"] = self.sealed
            found["file"] = self.file
        return found

    @staticmethod
    def parse(plain: Any) -> Position | None:
        """Build one from what `plain` returned; None where it is anything else."""
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


# -- does it still fit the log? -------------------------------------------------------------------


def position_holds(directory: str, position: Position, *, whole: bool = False) -> bool:
    """Return whether the log is, up to the position, the one that was read.

    In O(1), for hooks: the last record read still ends where it did. whole, for commands: every
    byte before the position is the same. A sealed segment is the same if size, times and inode
    are, else if its CRC is; so is the segment of the position, which is read again up to there.
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
    """Return whether the segment holds, at that offset, the record the position names."""
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
    """Return whether it is in a segment that was sealed since and is not compressed.

    Then a hook gives up: what is compressed was sealed long ago, and the rest is not a hook's work.
    """
    from journal.log.segment import segments

    for segment in segments(directory):
        if segment.sealed and segment.first == position.segment:
            return not segment.path.endswith(".gz") and _ends_at(segment.path, position)
    return False


# -- files ----------------------------------------------------------------------------------------


def load(
    path: str,
    directory: str,
    code: str,
    *,
    in_place: bool = False,
    whole: bool = False,
    holds: bool = True,
) -> Checkpoint | None:
    """Read the newest undamaged checkpoint of a file that is of this `code` and holds in the log.

    in_place: the file is one of `save_in_place`. whole: see `position_holds`; where segments are
    other files now with the same content (compressed ones), that is stored, to be read once.
    holds: False returns it also where the log is another one by now.
    """
    for checkpoint in read_all(path, slots=2 if in_place else 1):
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


def load_hints(directory: str, form: int) -> tuple[dict[str, Any], int]:
    """Read the hints of a log's snapshot, and where its position is; {} for those of another form.

    form: the number the hints must have as their `format`. What folded them does not matter.
    That is the offset in the active segment, -1 where the position is not in it or there is none.
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
    """Write a checkpoint in place of the one before, by a rename; OSError where that fails."""
    from journal.replace_file import write_atomic  # no hook writes this way

    write_atomic(path, _header_of(checkpoint) + checkpoint.payload)


def save_in_place(path: str, checkpoint: Checkpoint) -> bool:
    """Write a checkpoint into the older of a file's two slots; call it under the lock.

    Twenty times as fast as a rename, and a torn write costs only what came since the other slot.
    False where it is too large or cannot be written.
    """
    header = _header_of(checkpoint)
    if len(header) > _HEADER or len(header) + len(checkpoint.payload) > SLOT:
        return False
    try:
        try:
            descriptor = open_regular(path, os.O_RDWR | os.O_CREAT)
        except LinkedError:  # a backup by links keeps what it has
            os.unlink(path)
            descriptor = open_regular(path, os.O_RDWR | os.O_CREAT)
    except (OSError, JournalOffError):
        return False
    try:
        seqs = [_header_at(descriptor, at, _HEADER).get("seq", -1) for at in (0, SLOT)]
        # A slot from the future is of a log that was replaced: it is the one to give up.
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
    """Read the header at an offset; {} where there is no whole one."""
    raw = os.pread(descriptor, longest, at)
    line = raw[: raw.find(b"\n")]
    try:
        header = unframe(line) if is_whole(line) else {}
    except ValueError:
        return {}
    header["length"] = len(line) + 1
    return header if isinstance(header.get("seq"), int) else {}
