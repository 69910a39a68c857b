"""Segments: the files a journal consists of. One is active, the others are sealed.

A sealed segment is named by its first and last seq, so the names are the index. Its bytes never
change again; only `compress` replaces a file by the gzip of the same bytes.
"""

from __future__ import annotations

import os

from journal.codec import digest, loads
from journal.log.record import is_whole, seq_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

__all__ = ["Segment", "compress", "first_seq_at", "journal_id", "last_sealed", "sealed_name",
           "segments", "tail_digest"]  # fmt: skip

_ACTIVE = "active.jsonl"
_WIDTH = 9


class Segment:
    """One file: `path`, `first` and `last` seq (last 0 for the active one), `sealed`."""

    __slots__ = ("first", "last", "path", "sealed")

    def __init__(self, path: str, first: int, last: int) -> None:
        self.path = path
        self.first = first
        self.last = last
        self.sealed = last > 0

    def open(self) -> IO[bytes]:
        """Open for reading, uncompressed bytes."""
        if self.path.endswith(".gz"):
            import gzip  # only for what `journal seal` compressed

            return gzip.open(self.path, "rb")
        return open(self.path, "rb", buffering=1024 * 1024)  # noqa: SIM115


def sealed_name(first: int, last: int) -> str:
    """`000000001-000218344.jsonl`."""
    return f"{first:0{_WIDTH}d}-{last:0{_WIDTH}d}.jsonl"


def segments(directory: str) -> list[Segment]:
    """All segments of a journal in the order of their seqs, the active one last."""
    found: dict[tuple[int, int], Segment] = {}
    active = None
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if name == _ACTIVE:
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
    """Name and last seq of the newest sealed segment; ("", 0) when there is none."""
    newest = ("", 0)
    for name in os.listdir(directory):
        span = _span(name)
        if span and span[1] > newest[1]:
            newest = (name, span[1])
    return newest


def journal_id(directory: str, previous: str) -> str:
    """Identity of the journal: taken from the previous segment's first record, else a new one."""
    if previous:
        with Segment(os.path.join(directory, previous), 1, 1).open() as file:
            line = file.readline(4096).rstrip(b"\n")
        if is_whole(line):
            fields = loads(line)
            if isinstance(fields, dict) and isinstance(fields.get("journal"), str):
                return str(fields["journal"])
    return os.urandom(16).hex()


def first_seq_at(descriptor: int) -> int:
    """Seq of the first whole record of an open segment; 1 when its first lines are damaged."""
    for line in os.pread(descriptor, 64 * 1024, 0).split(b"\n"):
        if is_whole(line):
            return seq_of(line)
    return 1


def tail_digest(descriptor: int, size: int) -> str:
    """Digest of the last 4 KiB, which the next segment's first record keeps as evidence."""
    return "b2:" + digest(os.pread(descriptor, 4096, max(0, size - 4096)), 16)


def compress(segment: Segment) -> str:
    """Replace a sealed segment by its gzip, byte-exact, and give the new path.

    The plain file goes only after the compressed one was read back equal and is on the disk.
    Refuses the active segment with ValueError.
    """
    if not segment.sealed:
        raise ValueError("the active segment is never compressed")
    if segment.path.endswith(".gz"):
        return segment.path
    import gzip
    import shutil

    target = segment.path + ".gz"
    temporary = target + ".part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600)
    with os.fdopen(descriptor, "wb") as raw, segment.open() as source:
        # mtime=0: the same segment gives the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as packed:
            shutil.copyfileobj(source, packed, 1024 * 1024)
        raw.flush()
        os.fsync(raw.fileno())
    with gzip.open(temporary, "rb") as packed_again, segment.open() as source:
        if not _same(packed_again, source):
            os.unlink(temporary)
            raise OSError(f"{temporary}: differs from its source")
    os.rename(temporary, target)
    os.unlink(segment.path)
    return target


def _same(one: IO[bytes], other: IO[bytes]) -> bool:
    while True:
        left, right = one.read(1024 * 1024), other.read(1024 * 1024)
        if left != right:
            return False
        if not left:
            return True


def _span(name: str) -> tuple[int, int] | None:
    stem = name.removesuffix(".gz")
    if not stem.endswith(".jsonl"):
        return None
    first, dash, last = stem.removesuffix(".jsonl").partition("-")
    if dash and first.isdigit() and last.isdigit() and len(first) >= _WIDTH:
        return int(first), int(last)
    return None


def lines_of(segment: Segment) -> Iterator[bytes]:
    """Lines of a segment with their newlines."""
    with segment.open() as file:
        yield from file
