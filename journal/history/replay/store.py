"""The files of kept states: `<home>/cache/PROJECT/{live,imported}/folds/SEQ.fold`, 0600.

A first line (framed and checksummed like a record) and behind it the sections' JSON. Invariant: a
file is used only if the log holds, byte for byte, what it held when the file was made; else it is
as if there were none.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING, Any

import msgspec

from journal.errors import JournalOffError
from journal.files import open_regular
from journal.history.importer import IMPORTED
from journal.history.replay.facts import ABOUT, FORM, About, Head, bookmark_of, head_of
from journal.home import ensure_directory
from journal.log.read import identity
from journal.log.segment import segments
from projections.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from journal.log.position import Bookmark
    from projections.fold import Fold

__all__ = ["Files", "Kept"]

_ENDING = ".fold"
_MOST = 96  # files of one journal; beyond it every second of the older half goes
_BLOCK = 1024 * 1024
_VERSION = {ABOUT: 1}


class Kept:
    """A place and the states there. about: None unless it was asked for."""

    def __init__(self, head: Head, states: dict[str, Any]) -> None:
        self.head = head
        self.bookmark: Bookmark = bookmark_of(head)
        self.about: About | None = states.pop(ABOUT, None)
        self.states = states


class Files:
    """The kept files of one journal."""

    def __init__(self, directory: str) -> None:
        self.log = directory
        project, side = directory.rstrip(os.sep), "live"
        if os.path.basename(project) == IMPORTED:
            project, side = os.path.dirname(project), IMPORTED
        home, name = os.path.split(project)
        self.directory = os.path.join(home, "cache", name, side, "folds")
        self.size = 0  # bytes of the file written last
        self._sums: dict[str, tuple[str, int, int]] = {}

    def seqs(self) -> list[int]:
        """Places there are files of, the last one first."""
        try:
            names = os.listdir(self.directory)
        except OSError:
            return []
        found = [name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)]
        return sorted(
            (int(name) for name in found if name.isascii() and name.isdigit()), reverse=True
        )

    def best(
        self, names: Iterable[str], upto: int | str | None = None, most: int | None = None
    ) -> Kept | None:
        """Give the last place at which all these sections are kept and every record is within.

        upto: highest seq, or a time that every record's must be earlier than. most: highest seq
        of the place, in any case.
        """
        wanted = list(names)
        if isinstance(upto, str):
            wanted.append(ABOUT)
        for seq in self.seqs():
            if (isinstance(upto, int) and seq > upto) or (most is not None and seq > most):
                continue
            kept = self._load(seq, wanted)
            if kept is None or (isinstance(upto, str) and not _earlier(kept.about, upto)):
                continue
            if self._holds(kept.head):
                return kept
            self._drop(seq)
        return None

    def last(self) -> Bookmark | None:
        """Give the last place that holds, whatever is kept there."""
        for seq in self.seqs():
            head = self._head(seq)
            if head is None:
                continue
            if self._holds(head):
                return bookmark_of(head)
            self._drop(seq)
        return None

    def save(self, bookmark: Bookmark, fold: Fold, about: About | None) -> None:
        """Keep the states at a place, beside those that are kept there already."""
        try:
            self._save(bookmark, fold, about)
        except (OSError, JournalOffError):
            return  # it costs time, the next time

    def _save(self, bookmark: Bookmark, fold: Fold, about: About | None) -> None:
        names = [item.name for item in fold.projections] + ([ABOUT] if about else [])
        old = self._read(bookmark.seq)
        head = head_of(bookmark)
        blobs: dict[str, bytes] = {}
        if old is not None and (old[0].offset, old[0].checksum) == (head.offset, head.checksum):
            head, blobs = old
            blobs = {name: raw for name, raw in blobs.items() if _current(head, name)}
            if all(name in blobs for name in names):
                return
        elif (files := self._files(bookmark)) is not None:
            head.files = files
        else:
            return
        for name in names:
            state = about if name == ABOUT else fold.states[name]
            blobs[name] = msgspec.json.encode(state)
        head.sections = {
            name: (_version(name), len(raw), zlib.crc32(raw)) for name, raw in blobs.items()
        }
        head.keys = {**head.keys, **fold.recent_keys()}
        head.unknown = {**head.unknown, **fold.unknown}
        self._write(bookmark.seq, _framed(head) + b"".join(blobs.values()))

    def _write(self, seq: int, data: bytes) -> None:
        ensure_directory(self.directory)
        path = os.path.join(self.directory, f"{seq}{_ENDING}")
        temporary = f"{path}.{os.getpid()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(open_regular(temporary, flags), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        self.size = len(data)
        seqs = self.seqs()
        if len(seqs) > _MOST:
            for old in seqs[len(seqs) // 2 :: 2]:
                self._drop(old)

    def _drop(self, seq: int) -> None:
        """Remove a file that is of no use, or one too many."""
        try:
            os.unlink(os.path.join(self.directory, f"{seq}{_ENDING}"))
        except OSError:
            return

    def _load(self, seq: int, names: list[str]) -> Kept | None:
        found = self._read(seq, names)
        if found is None:
            return None
        head, blobs = found
        if not all(name in blobs and _current(head, name) for name in names):
            return None
        try:
            states = {
                name: msgspec.json.decode(raw, type=_type(name)) for name, raw in blobs.items()
            }
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        return Kept(head, states)

    def _read(
        self, seq: int, names: list[str] | None = None
    ) -> tuple[Head, dict[str, bytes]] | None:
        """Read a file's head and sections (all of them, without names); None where damaged."""
        try:
            with os.fdopen(self._open(seq), "rb") as file:
                head = _head(file.readline())
                if head is None:
                    return None
                blobs: dict[str, bytes] = {}
                for name, (_, size, checksum) in head.sections.items():
                    if names is not None and name not in names:
                        file.seek(size, os.SEEK_CUR)
                        continue
                    blobs[name] = file.read(size)
                    if len(blobs[name]) != size or zlib.crc32(blobs[name]) != checksum:
                        return None
        except (OSError, JournalOffError):
            return None
        return head, blobs

    def _head(self, seq: int) -> Head | None:
        found = self._read(seq, [])
        return found[0] if found else None

    def _open(self, seq: int) -> int:
        return open_regular(os.path.join(self.directory, f"{seq}{_ENDING}"), os.O_RDONLY)

    def _files(self, bookmark: Bookmark) -> list[tuple[str, int, int]] | None:
        """Name, size and checksum of the segments before a place; None where one is unreadable."""
        try:
            paths = [item.path for item in segments(self.log)[: bookmark.index]]
            for path in paths:
                if path not in self._sums:
                    self._sums[path] = (os.path.basename(path), *_sum(path))
        except (OSError, JournalOffError):
            return None
        return [self._sums[path] for path in paths] if len(paths) == bookmark.index else None

    def _holds(self, head: Head) -> bool:
        """Whether the log is, up to the place, what it was."""
        try:
            listed = segments(self.log)
            paths = [item.path for item in listed[: head.index]]
            names = [os.path.basename(path) for path in paths]
            if names != [name for name, _, _ in head.files] or identity(self.log) != head.journal:
                return False
            for path in paths:
                if path not in self._sums:
                    self._sums[path] = (os.path.basename(path), *_sum(path))
            if [self._sums[path] for path in paths] != head.files:
                return False
            if not head.offset:
                return True
            if head.index >= len(listed) or listed[head.index].path.endswith(".gz"):
                return False
            return _sum(listed[head.index].path, head.block) == (head.block, head.checksum)
        except (OSError, JournalOffError):
            return False


def _sum(path: str, size: int = -1) -> tuple[int, int]:
    """Bytes and CRC-32 of a file, or of its first `size` bytes."""
    checksum, taken = 0, 0
    block = memoryview(bytearray(_BLOCK))
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb", buffering=0) as file:
        while taken != size:
            count = file.readinto(block[: _BLOCK if size < 0 else min(_BLOCK, size - taken)])
            if not count:
                break
            checksum = zlib.crc32(block[:count], checksum)
            taken += count
    return taken, checksum


def _framed(head: Head) -> bytes:
    body = msgspec.json.encode(head)
    return b"%b %08x\n" % (body, zlib.crc32(body))


def _head(line: bytes) -> Head | None:
    body, _, checksum = line.rstrip(b"\n").rpartition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        head = msgspec.json.decode(body, type=Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return head if head.form == FORM else None


def _version(name: str) -> int:
    return _VERSION[name] if name in _VERSION else REGISTRY[name].version


def _current(head: Head, name: str) -> bool:
    """Whether a section was made by the projection as it is in this build."""
    known = name == ABOUT or name in REGISTRY
    return known and name in head.sections and head.sections[name][0] == _version(name)


def _type(name: str) -> Any:
    return About if name == ABOUT else REGISTRY[name].state


def _earlier(about: About | None, moment: str) -> bool:
    return about is not None and bool(about.latest) and about.latest < moment
