"""Segments: the files of a log. One is active, the others are sealed.

The name of a sealed segment has its first and last seq, so the names are the index. Its bytes never
change; only `journal.log.seal` replaces a file by the gzip of the same bytes.
"""

from __future__ import annotations

import os
import zlib

from journal.codec import digest, loads
from journal.errors import JournalOffError
from journal.files import open_regular
from journal.log.lines import salvage
from journal.log.packed import unpacked
from journal.log.record import ACTIVE, CAP, is_whole, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

HEAD_BYTES = 64 * 1024  # bytes at the beginning of a segment that are searched for its opening
TAIL_BYTES = 4096  # bytes at the end of a segment whose digest the next segment stores
_PACKED = 5  # estimated compression ratio of a compressed segment
_WIDTH = 9
OPENED = b'"type":"segment.opened"'
_BLOCK = 1024 * 1024


class Segment:
    """One file: `path`, `first` and `last` seq (last 0 for the active one), `sealed`."""

    __slots__ = ("first", "last", "path", "sealed")

    def __init__(self, path: str, first: int, last: int) -> None:
        self.path = path
        self.first = first
        self.last = last
        self.sealed = last > 0

    @property
    def name(self) -> str:
        """Return the file name without `.gz`, as the next segment's first record has it."""
        return os.path.basename(self.path).removesuffix(".gz")

    def open(self) -> IO[bytes]:
        """Open for reading its uncompressed bytes; a plain segment is unbuffered.

        Symbolic links and files of other users are refused. A segment that was compressed after it
        was listed is opened under its new name.
        """
        try:
            descriptor = open_regular(self.path, os.O_RDONLY, linked=True)
        except FileNotFoundError:
            if not self.sealed or self.path.endswith(".gz"):
                raise
            self.path += ".gz"
            descriptor = open_regular(self.path, os.O_RDONLY, linked=True)
        raw = open(descriptor, "rb", buffering=0)  # noqa: SIM115
        return unpacked(raw) if self.path.endswith(".gz") else raw


class _Beginning:
    """The first `size` bytes of an open file that may grow."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._size = size
        self._at = 0
        self.fileno, self.close = file.fileno, file.close

    def seek(self, offset: int) -> None:
        self._file.seek(offset)
        self._at = offset

    def read(self, size: int) -> bytes:
        data = self._file.read(max(0, min(size, self._size - self._at)))
        self._at += len(data)
        return data

    def __enter__(self) -> _Beginning:  # noqa: PYI034 (Self would cost the import of typing)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def beginning(file: IO[bytes], size: int) -> IO[bytes]:
    """Return a file that ends after the first `size` bytes of another one."""
    found: Any = _Beginning(file, size)
    return found  # type: ignore[no-any-return]


def sealed_name(first: int, last: int) -> str:
    """Return the name of a sealed segment: `000000001-000218344.jsonl`."""
    return f"{first:0{_WIDTH}d}-{last:0{_WIDTH}d}.jsonl"


def segments(directory: str) -> list[Segment]:
    """Return all segments of a log in the order of their seqs, the active one last.

    Return [] if there is no directory.
    """
    found: dict[tuple[int, int], Segment] = {}
    active = None
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:
        names = []
    for name in names:
        path = os.path.join(directory, name)
        if name == ACTIVE:
            active = Segment(path, 0, 0)
            continue
        span = span_of(name)
        # While a segment is compressed both forms exist; the plain one sorts first and wins.
        if span and span not in found:
            found[span] = Segment(path, *span)
    ordered = [found[span] for span in sorted(found)]
    if active:
        active.first = ordered[-1].last + 1 if ordered else 1
        ordered.append(active)
    return ordered


def sizes(directory: str, first: int = 0, offset: int = 0) -> tuple[int, int]:
    """Return the approximate size of a log, in bytes, and how much of it is after a position.

    first, offset: of the position: the first seq of its segment, 0 for the log's beginning, and the
    bytes before it in that segment.
    """
    total = new = 0
    try:
        for segment in segments(directory):
            size = os.path.getsize(segment.path)
            size *= _PACKED if segment.path.endswith(".gz") else 1
            total += size
            if segment.first > first:
                new += size
            elif segment.first == first:
                new += max(0, size - offset)
    except OSError:
        pass
    return total, new


def last_sealed(directory: str) -> tuple[str, int]:
    """Return name (as on disk) and last seq of the newest sealed segment, else ("", 0)."""
    newest = ("", 0)
    for name in os.listdir(directory):
        span = span_of(name)
        if span and span[1] > newest[1]:
            newest = (name, span[1])
    return newest


def opening(file: IO[bytes]) -> dict[str, Any]:
    """Return the fields of a segment's `segment.opened`, salvaged if that line is damaged.

    Return {} if the first 64 KiB have none. file: at its beginning, and left there.
    """
    head = file.read(HEAD_BYTES)
    file.seek(0)
    line = head.partition(b"\n")[0]
    if not (is_whole(line) and OPENED in line[:96]):
        line = next((span for _at, span in salvage(head) if OPENED in span[:96]), b"")
    try:
        fields = loads(line) if line else {}
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def open_listing(directory: str) -> tuple[list[Segment], IO[bytes] | None]:
    """List all segments; the active one is opened before they are listed.

    A segment that is sealed meanwhile is therefore read once: under its new name if that is listed,
    else through the open file.
    """
    try:
        active = Segment(os.path.join(directory, ACTIVE), 0, 0).open()
    except FileNotFoundError:
        return [item for item in segments(directory) if item.sealed], None
    except (OSError, JournalOffError):
        return segments(directory), None  # the reader opens it again and reports the error
    listed = segments(directory)
    facts = os.fstat(active.fileno())
    newest = next((item for item in reversed(listed) if item.sealed), None)
    try:
        if newest and os.path.samestat(os.stat(newest.path), facts):
            active.close()
            return [item for item in listed if item.sealed], None
    except OSError:
        pass
    return listed, active


def identity_in(listed: list[Segment], active: IO[bytes] | None, *, thorough: bool = False) -> str:
    """Return the journal's id: the active segment's, else that of the newest with one, else "".

    thorough: search the whole of a segment whose first record is not its opening.
    """
    if active and (found := opening(active).get("journal")):
        return str(found)
    for segment in reversed(listed):
        try:
            if segment.sealed:
                with segment.open() as file:
                    found = opening(file).get("journal") or (thorough and _search_id(file))
                if found:
                    return str(found)
        except (OSError, EOFError, zlib.error, JournalOffError):
            continue
    return ""


def identity(directory: str) -> str:
    """Return the journal's id as readers determine it; "" if there is none."""
    listed, active = open_listing(directory)
    try:
        return identity_in(listed, active)
    finally:
        if active:
            active.close()


def _search_id(file: IO[bytes]) -> str:
    """Return the id in the first opening record of a file whose records were reordered."""
    carried = b""
    while block := file.read(_BLOCK):
        carried = carried[-2 * CAP :] + block
        at = carried.find(OPENED)
        if at >= 0:
            for _at, span in salvage(carried[carried.rfind(b"\n", 0, at) + 1 : at + CAP]):
                if OPENED in span[:96]:
                    return str(unframe(span).get("journal", ""))
    return ""


def tail_of(segment: Segment) -> tuple[bytes, int]:
    """Return the last 4 KiB of a segment, uncompressed, and its size."""
    tail, size = b"", 0
    with segment.open() as file:
        if not segment.path.endswith(".gz"):
            size = os.fstat(file.fileno()).st_size
            return os.pread(file.fileno(), TAIL_BYTES, max(0, size - TAIL_BYTES)), size
        while block := file.read(_BLOCK):
            tail, size = (tail + block)[-TAIL_BYTES:], size + len(block)
    return tail, size


def digest_of(tail: bytes) -> str:
    """Return the digest of a segment's tail, which the next segment stores."""
    return "b2:" + digest(tail, 16)


def span_of(name: str) -> tuple[int, int] | None:
    """Return the first and last seq in the name of a sealed segment; None for another file."""
    stem = name.removesuffix(".gz")
    if not stem.endswith(".jsonl"):
        return None
    first, dash, last = stem.removesuffix(".jsonl").partition("-")
    plain = first.isascii() and last.isascii() and first.isdigit() and last.isdigit()
    if dash and plain and len(first) >= _WIDTH and 0 < int(first) <= int(last):
        return int(first), int(last)
    return None
