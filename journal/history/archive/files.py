"""The files of stored conversations: one per session, `conversations/DIGEST` in a journal.

A file is a sequence of parts, each a header line followed by compressed lines. Parts are only
appended, under the lock of an import. Invariant: a part that a crash cut off is never read, and a
project never stores more than its size limit.
"""

import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from errno import EACCES, EISDIR, ELOOP, ENXIO
from shutil import copyfileobj
from typing import NamedTuple

import msgspec

from journal.codec import digest
from journal.errors import JournalOffError, LinkedError
from journal.files import open_regular
from journal.history.importer.records import TranscriptLine, line_of
from journal.home import ensure_directory
from journal.replace_file import Replacement, sync_directory

FOLDER = "conversations"
_HEAD = 256  # maximum bytes of the header line of a part
_HEADER = re.compile(rb"[0-9A-Za-z_-]{4,64} \d{1,15} \d{1,15}")
_PART = re.compile(_HEADER.pattern + rb"\nx")  # a header, and the first byte of zlib data
_TOGETHER = 8  # files synced at once
_MOST = 256 * 1024 * 1024  # maximum bytes of a part, unpacked; written parts are far smaller


class ArchivedPart(msgspec.Struct, array_like=True, gc=False):
    """Lines of one transcript, for the file of a session.

    source: the transcript; end: the offset up to which it was read; data: the lines, compressed.
    """

    project: str
    sid: str
    source: str
    end: int
    data: bytes


class _Head(NamedTuple):
    """A header. source, end: see `ArchivedPart`; begin: its offset; at, size: of its data."""

    source: str
    end: int
    begin: int
    at: int
    size: int


def packed(lines: list[bytes]) -> bytes:
    """Compress lines for a part."""
    return zlib.compress(b"\n".join(lines), 1)


def conversation(
    directory: str,
    sid: str,
    damaged: list[int] | None = None,
    stored: Mapping[str, int] | None = None,
) -> Iterator[TranscriptLine]:
    """Yield the lines of a session's stored conversation; none if nothing is stored.

    A line that several copies of a transcript share is yielded once. damaged: a list to which the
    offsets of unreadable or missing parts are added; the other parts are read. stored: transcript →
    end of the last part that must be there.
    """
    damaged, stored = [] if damaged is None else damaged, stored or {}
    try:
        descriptor = open_regular(path_of(directory, sid), os.O_RDONLY, linked=True)
    except FileNotFoundError:
        damaged += [0] if stored else []
        return
    except (OSError, JournalOffError):
        damaged.append(0)
        return
    seen: set[str | bytes] = set()
    with os.fdopen(descriptor, "rb", buffering=0):
        for _, lines in _parts(descriptor, damaged):
            for raw in lines:
                line = line_of(raw)
                if line is not None and (name := line.uuid or raw) not in seen:
                    seen.add(name)
                    yield line
        ends, whole = _ends(descriptor)
        is_short = any(ends.get(source, 0) < end for source, end in stored.items())
        if is_short and whole not in damaged:
            damaged.append(whole)


def ends_of(directory: str, sid: str) -> dict[str, int]:
    """Return how far each transcript is stored in a session's file; {} if it cannot be read."""
    try:
        descriptor = open_regular(path_of(directory, sid), os.O_RDONLY, linked=True)
    except (OSError, JournalOffError):
        return {}
    with os.fdopen(descriptor, "rb", buffering=0):
        return _ends(descriptor)[0]


def path_of(directory: str, sid: str) -> str:
    """Return the path of a session's file."""
    return os.path.join(directory, FOLDER, digest(sid))


def stored_bytes(directory: str) -> int:
    """Return how many bytes the stored conversations of a project take."""
    try:
        with os.scandir(os.path.join(directory, FOLDER)) as entries:
            return sum(entry.stat(follow_symlinks=False).st_size for entry in entries)
    except OSError:
        return 0


class Archive:
    """The stored conversations of one project, for appending. limit: bytes of all its files."""

    def __init__(self, directory: str, limit: int) -> None:
        self.limit = limit
        self._directory = directory
        self._size = stored_bytes(directory)
        self._appended: set[str] = set()

    def append(self, part: ArchivedPart) -> bool:
        """Append a part; return False if it would exceed the limit.

        Raise JournalOffError if something else is in the file's place, OSError if writing fails.
        """
        path = path_of(self._directory, part.sid)
        data = b"%s %d %d\n%s" % (part.source.encode(), part.end, len(part.data), part.data)
        if self._size + len(data) > self.limit:
            return False
        ensure_directory(os.path.dirname(path))
        with os.fdopen(_opened(path), "ab") as file:
            if path not in self._appended:
                _drop_torn(file.fileno())
                self._appended.add(path)
            file.write(data)
        self._size += len(data)
        return True

    def sync(self) -> None:
        """Wait until the appended parts are on disk, including the names of new files."""
        if not self._appended:
            return
        # Files that wait together share a commit of the file system: 20 times faster than in turn.
        paths = list(self._appended)
        from concurrent.futures import ThreadPoolExecutor  # loads logging; commands only read

        with ThreadPoolExecutor(_TOGETHER) as pool:
            for _ in pool.map(_sync, (paths[at::_TOGETHER] for at in range(_TOGETHER))):
                pass  # raise the error of a sync
        sync_directory(os.path.join(self._directory, FOLDER))


def _sync(paths: Iterable[str]) -> None:
    for path in paths:
        with os.fdopen(open_regular(path, os.O_RDONLY, linked=True), "rb", buffering=0) as file:
            os.fsync(file.fileno())


def _opened(path: str) -> int:
    """Open a session's file for appending; one with a second link is replaced by a copy first.

    Raise JournalOffError if something else is in its place.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
    try:
        return open_regular(path, flags)
    except OSError as error:
        if error.errno not in (ELOOP, EISDIR, ENXIO, EACCES):
            raise
        raise JournalOffError(path, error.strerror or str(error), "move it away") from error
    except LinkedError:  # leave the old content to the backup that the other link is
        descriptor = open_regular(path, os.O_RDONLY, linked=True)
        with os.fdopen(descriptor, "rb") as old, Replacement(path, sync=True) as new:
            copyfileobj(old, new)
        return open_regular(path, flags)


def _drop_torn(descriptor: int) -> None:
    """Remove a last part that a crash left incomplete; parts damaged in another way stay."""
    whole = _ends(descriptor)[1]
    begin, end, _ = os.pread(descriptor, _HEAD, whole).partition(b"\n")
    if not end or _HEADER.fullmatch(begin):
        os.ftruncate(descriptor, whole)


def _ends(descriptor: int) -> tuple[dict[str, int], int]:
    """Return how far each transcript is stored in an open file, and where its last part ends."""
    ends: dict[str, int] = {}
    whole = 0
    for head in _heads(descriptor):
        ends[head.source] = max(head.end, ends.get(head.source, -1))
        whole = head.at + head.size
    return ends, whole


def parts_in(path: str) -> Iterator[tuple[_Head, list[bytes]]]:
    """Yield the parts of a file with their lines. Raise zlib.error if any byte of it is damaged."""
    damaged: list[int] = []
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb", buffering=0) as file:
        yield from _parts(file.fileno(), damaged)
    if damaged:
        raise zlib.error(f"what it has at byte {damaged[0]:,} is no whole part")


def _parts(descriptor: int, damaged: list[int]) -> Iterator[tuple[_Head, list[bytes]]]:
    """Yield the readable parts of an open file with their lines. damaged: gets where others are."""
    whole = 0
    for head in _heads(descriptor):
        if head.begin > whole:
            damaged.append(whole)
        whole = head.at + head.size
        unpack, data = zlib.decompressobj(), b""
        with suppress(zlib.error):
            data = unpack.decompress(os.pread(descriptor, head.size, head.at), _MOST)
        if unpack.eof:  # a flipped bit can make zlib wait for more
            yield head, data.split(b"\n")
        else:
            damaged.append(head.at)
    if os.fstat(descriptor).st_size > whole:  # an import was killed here
        damaged.append(whole)


def _heads(descriptor: int) -> Iterator[_Head]:
    """Yield the headers of the whole parts, also of those after a damaged header."""
    size = os.fstat(descriptor).st_size
    at = 0
    while at < size:
        head = _head_at(descriptor, at, size)
        if head is not None:
            yield head
            at = head.at + head.size
            continue
        rest = os.pread(descriptor, size - at, at)
        found = (at + match.start() for match in _PART.finditer(rest, 1))
        at = next((start for start in found if _head_at(descriptor, start, size)), size)


def _head_at(descriptor: int, at: int, size: int) -> _Head | None:
    """Return the header of the part at offset `at`; None without one, or if the part is cut off."""
    line, end, _ = os.pread(descriptor, _HEAD, at).partition(b"\n")
    source, *numbers = line.split(b" ")
    if not end or len(numbers) != 2 or not all(number.isdigit() for number in numbers):
        return None
    upto, length = map(int, numbers)
    head = _Head(source.decode("ascii", "replace"), upto, at, at + len(line) + 1, length)
    return head if head.at + length <= size else None
