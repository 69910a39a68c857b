"""Segments: the files a journal consists of. One is active, the others are sealed.

A sealed segment is named by its first and last seq, so the names are the index. Its bytes never
change again; only `compress` replaces a file by the gzip of the same bytes.
"""

from __future__ import annotations

import os
import zlib

from journal.codec import digest, loads
from journal.errors import JournalOffError
from journal.files import open_regular, sync_directory
from journal.log.record import ACTIVE, CAP, is_whole, salvage, seq_of, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO, Any

__all__ = [
    "ACTIVE",
    "Segment",
    "compress",
    "first_seq_at",
    "journal_id",
    "last_sealed",
    "lines_of",
    "opening",
    "sealed_name",
    "segments",
    "tail_digest",
]

TAIL_DIGESTED = 4096  # bytes at the end of a segment whose digest its successor keeps
_WIDTH = 9
_HEAD = 64 * 1024
_OPENED = b'"type":"segment.opened"'
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
        """File name without `.gz`: what the next segment's first record calls this one."""
        return os.path.basename(self.path).removesuffix(".gz")

    def open(self) -> IO[bytes]:
        """Open for reading, uncompressed bytes, unbuffered where plain.

        Links and files of others are refused. A segment that was compressed since it was listed
        is found under its new name.
        """
        try:
            descriptor = open_regular(self.path, os.O_RDONLY)
        except FileNotFoundError:
            if not self.sealed or self.path.endswith(".gz"):
                raise
            self.path += ".gz"
            descriptor = open_regular(self.path, os.O_RDONLY)
        raw = open(descriptor, "rb", buffering=0)  # noqa: SIM115
        return unpacked(raw) if self.path.endswith(".gz") else raw


def sealed_name(first: int, last: int) -> str:
    """`000000001-000218344.jsonl`."""
    return f"{first:0{_WIDTH}d}-{last:0{_WIDTH}d}.jsonl"


def segments(directory: str) -> list[Segment]:
    """All segments of a journal in the order of their seqs, the active one last."""
    found: dict[tuple[int, int], Segment] = {}
    active = None
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if name == ACTIVE:
            active = Segment(path, 0, 0)
            continue
        span = _span(name)
        # While one is being compressed both forms exist: the first in sorting order, plain, wins.
        if span and span not in found:
            found[span] = Segment(path, *span)
    ordered = [found[span] for span in sorted(found)]
    if active:
        active.first = ordered[-1].last + 1 if ordered else 1
        ordered.append(active)
    return ordered


def last_sealed(directory: str) -> tuple[str, int]:
    """Name (as on disk) and last seq of the newest sealed segment; ("", 0) when there is none."""
    newest = ("", 0)
    for name in os.listdir(directory):
        span = _span(name)
        if span and span[1] > newest[1]:
            newest = (name, span[1])
    return newest


def opening(file: IO[bytes]) -> dict[str, Any]:
    """Fields of the `segment.opened` a segment begins with, salvaged where that line is damaged.

    {} when there is none in the first 64 KiB. file: at its beginning, and left there.
    """
    head = file.read(_HEAD)
    file.seek(0)
    line = head.partition(b"\n")[0]
    if not (is_whole(line) and _OPENED in line[:96]):
        line = next((span for _at, span in salvage(head) if _OPENED in span[:96]), b"")
    try:
        fields = loads(line) if line else {}
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def journal_id(directory: str, previous: str) -> str:
    """Identity of the journal: the one its sealed segments tell, else a new one.

    previous: the newest of them, by name. Where its first lines are lost, the others are asked.
    """
    if previous:
        names = [os.path.join(directory, previous)]
        names += [item.path for item in reversed(segments(directory)) if item.sealed]
        for path in names:
            try:
                with Segment(path, 1, 1).open() as file:
                    known = _told_id(file)
            except (OSError, EOFError, zlib.error, JournalOffError):
                continue
            if known:
                return known
    return os.urandom(16).hex()


def _told_id(file: IO[bytes]) -> str:
    known = opening(file).get("journal")
    if isinstance(known, str) and known:
        return known
    carried = b""  # reordered by somebody: look for the record in the whole file
    while block := file.read(_BLOCK):
        carried = carried[-2 * CAP :] + block
        at = carried.find(_OPENED)
        if at >= 0:
            for _at, span in salvage(carried[carried.rfind(b"\n", 0, at) + 1 : at + CAP]):
                if _OPENED in span[:96]:
                    known = unframe(span).get("journal")
                    return known if isinstance(known, str) else ""
    return ""


def first_seq_at(descriptor: int, likely: int = 0) -> int:
    """Lowest seq in an open segment: of its first record where that is the `likely` one.

    0 when no record is left. Else, after damage, all of the file is looked at.
    """
    head = os.pread(descriptor, _HEAD, 0).partition(b"\n")[0]
    if is_whole(head) and likely in (0, seq_of(head)):
        return seq_of(head)
    from journal.log.damage import rest_of

    lowest = 0
    with os.fdopen(os.dup(descriptor), "rb", buffering=0) as file:
        file.seek(0)
        for line, _ended in rest_of(b"", file):
            spans = [line] if is_whole(line) else [span for _at, span in salvage(line)]
            for span in spans:
                lowest = min(lowest or seq_of(span), seq_of(span))
    return lowest


def tail_digest(descriptor: int, size: int) -> str:
    """Digest of the last 4 KiB, which the next segment's first record keeps as evidence."""
    start = max(0, size - TAIL_DIGESTED)
    return digest_of(os.pread(descriptor, TAIL_DIGESTED, start))


def digest_of(tail: bytes) -> str:
    """`b2:` and 32 hex digits."""
    return "b2:" + digest(tail, 16)


def compress(segment: Segment) -> str:
    """Replace a sealed segment by its gzip, byte-exact, and give the new path.

    The plain file goes only after the compressed one was read back equal and is on the disk.
    Refuses the active segment with ValueError. Call it under the journal's lock.
    """
    if not segment.sealed:
        raise ValueError("the active segment is never compressed")
    if segment.path.endswith(".gz"):
        return segment.path
    target = segment.path + ".gz"
    temporary = target + ".part"
    with segment.open() as source:
        write_packed(temporary, iter(lambda: source.read(_BLOCK), b""))
    with segment.open() as source, unpacked(open(temporary, "rb", buffering=0)) as again:
        same = _same(source, again)
    if not same:
        os.unlink(temporary)
        raise OSError(f"{temporary}: differs from its source")
    os.rename(temporary, target)
    sync_directory(os.path.dirname(target))
    os.unlink(segment.path)
    segment.path = target
    return target


def write_packed(path: str, blocks: Iterable[bytes]) -> None:
    """Write a new gzip file of ours; it is whole and on the disk when this returns."""
    import gzip

    if os.path.lexists(path):  # what an interrupted attempt left
        os.unlink(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as raw:
        # mtime=0: the same segment gives the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as packed:
            for block in blocks:
                packed.write(block)
        raw.flush()
        os.fsync(raw.fileno())


def unpacked(raw: IO[bytes]) -> IO[bytes]:
    """Read a gzip file; as much of the interface as the readers here use."""
    reader: Any = _Unpacked(raw)
    return reader  # type: ignore[no-any-return]


class _Unpacked:
    """A gzip file read as far as it can be: what stands before a damaged place is given first.

    (gzip.GzipFile drops up to a buffer of it.) Raises zlib.error or EOFError at that place.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.fileno = raw.fileno
        self._machine = zlib.decompressobj(31)
        self._error: Exception | None = None

    def __enter__(self) -> _Unpacked:  # noqa: PYI034 (as for Writer)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._raw.close()

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; b"" at the end."""
        while self._error is None and not self._machine.eof:
            packed = self._machine.unconsumed_tail or self._raw.read(64 * 1024)
            before = self._machine.copy()
            try:
                data = self._machine.decompress(packed, size)
            except zlib.error as error:
                self._error = error
                return _up_to_damage(before, packed) or self.read(size)
            if data:
                return data
            if not packed:
                self._error = EOFError("the compressed file ends too early")
        if self._error:
            raise self._error
        return b""

    def seek(self, offset: int) -> None:
        """Go to an offset of the uncompressed bytes, from the beginning."""
        self._raw.seek(0)
        self._machine = zlib.decompressobj(31)
        self._error = None
        while offset > 0 and (skipped := self.read(min(offset, _BLOCK))):
            offset -= len(skipped)


def _up_to_damage(machine: Any, packed: bytes) -> bytes:
    """Unpack up to the damaged place, in steps so small that little is lost."""
    parts = []
    try:
        while part := machine.decompress(packed, 64):
            parts.append(part)
            packed = machine.unconsumed_tail
    except zlib.error:
        pass
    return b"".join(parts)


def _same(one: IO[bytes], other: IO[bytes]) -> bool:
    """Compare two streams; a raw file may give less than asked, so blocks are filled up."""
    while True:
        left, right = _block(one), _block(other)
        if left != right:
            return False
        if not left:
            return True


def _block(file: IO[bytes]) -> bytes:
    parts = []
    missing = _BLOCK
    while missing and (part := file.read(missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _span(name: str) -> tuple[int, int] | None:
    stem = name.removesuffix(".gz")
    if not stem.endswith(".jsonl"):
        return None
    first, dash, last = stem.removesuffix(".jsonl").partition("-")
    plain = first.isascii() and last.isascii() and first.isdigit() and last.isdigit()
    if dash and plain and len(first) >= _WIDTH and 0 < int(first) <= int(last):
        return int(first), int(last)
    return None


def lines_of(segment: Segment) -> Iterator[bytes]:
    """Lines of a segment with their newlines."""
    from journal.log.damage import rest_of

    with segment.open() as file:
        for line, ended in rest_of(b"", file):
            yield line + b"\n" * ended
