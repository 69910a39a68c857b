"""Split a segment into lines, and find the records in them, also in damaged bytes."""

from __future__ import annotations

import zlib
from struct import pack

from journal.log.bad_line import salvage
from journal.log.record import CAP, HEAD, TAIL, is_whole
from journal.log.segment import TAIL_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class Readable(Protocol):
        """The part of a file that `lines_of` uses."""

        def read(self, size: int, /) -> bytes:
            """Return up to `size` bytes; b"" at the end."""


_BLOCK = 1024 * 1024
_LONGEST = _BLOCK  # bytes of a line that is not split; a record has at most CAP
# Slices made once: to make one for each line costs more than to take it.
_SUMMED, _END = slice(-TAIL), slice(-TAIL, None)


def lines_of(file: Readable, *, whole: bool = False) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines of the rest of a file: (line, whether it ends in a newline).

    A line of more than 1 MiB, which is damage, is yielded in parts, none of which cuts a record
    in two. whole: yield it as one, to search it for texts of any length.
    """
    parts: list[bytes] = []
    size = 0
    while block := file.read(_BLOCK):
        parts.append(block)
        size += len(block)
        if b"\n" in block:
            *lines, last = b"".join(parts).split(b"\n")
            for line in lines:
                yield line, True
            parts, size = [last], len(last)
        elif size > _LONGEST and not whole:
            line = b"".join(parts)
            end = line.rfind(HEAD, -CAP)  # the last record may go on in the next block
            end = end if end > 0 else size - len(HEAD)
            yield line[:end], False
            parts, size = [line[end:]], size - end
    if last := b"".join(parts):
        yield last, False


def records_in(line: bytes) -> list[bytes]:
    """Return the whole records of a line: itself, or those inside a bad one."""
    return [line] if is_whole(line) else [span for _at, span in salvage(line)]


def dense(lines: list[bytes], first: int) -> bool:
    """Return whether all `lines` are whole records, numbered `first`, `first` + 1, and so on.

    The result is that of `is_whole` and `seq_of` for each line, at a third of the cost: the
    expected ends and beginnings of all lines are built as one text each and compared at once.
    """
    count = len(lines)
    numbers = range(first, first + count)
    width = len(str(first))
    crcs = pack(f">{count}I", *map(zlib.crc32, [line[_SUMMED] for line in lines]))
    ends = ',"crc":"' + crcs.hex("|", 4).replace("|", '"},"crc":"') + '"}'
    if b"".join([line[_END] for line in lines]) != ends.encode():
        return False
    if len(str(first + count)) != width:  # numbers of two widths, once in ten times as many
        return all(
            line.startswith(b'{"seq":%d,' % seq) for seq, line in zip(numbers, lines, strict=True)
        )
    head = slice(len(HEAD) + width + 1)
    return b"".join([line[head] for line in lines]) == b'{"seq":%d,' * count % tuple(numbers)


class SummedFile:
    """A file whose bytes are counted and summed while they are read.

    head: bytes to return first. checksum: CRC-32 of the bytes so far, continued from `checksum`.
    size: number of bytes. tail: the last ones, enough for the digest in the next segment.
    """

    def __init__(self, file: Readable, head: bytes, checksum: int) -> None:
        self._file = file
        self._head = head
        self.checksum = checksum
        self.size = 0
        self.tail = b""

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, or the head; b"" at the end."""
        data, self._head = self._head or self._file.read(size), b""
        self.checksum = zlib.crc32(data, self.checksum)
        self.size += len(data)
        self.tail = data[-TAIL_BYTES:] if len(data) >= TAIL_BYTES else self.tail + data
        return data
