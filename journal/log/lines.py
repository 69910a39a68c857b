"""Split a segment into lines; find their records, also in damaged bytes, and inspect bad lines."""

from __future__ import annotations

import zlib
from struct import pack

from journal.log.record import CAP, CRC, HEAD, TAIL, is_whole

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
_SPAN = 2 * CAP  # bytes a record is searched in; a line is never longer than CAP
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


def claimed_seq(line: bytes) -> int | None:
    """Return the seq in a damaged line, None if it is unreadable. Spaces are allowed."""
    if not line.lstrip(b"\xef\xbb\xbf \t").startswith(HEAD):
        return None
    start = line.find(HEAD) + len(HEAD)
    number = line[start : start + 24].partition(b",")
    digits = number[0].strip()
    return int(digits) if number[1] and digits.isdigit() else None


def looks_cut(line: bytes) -> bool:
    """Return whether a line can be the beginning of a record that a killed writer left.

    It begins like a record and has no end of one. An end with a flipped bit counts as an end:
    such a line was written whole and damaged later.
    """
    if not 0 < len(line) < CAP or b"\0" in line or not HEAD.startswith(line[: len(HEAD)]):
        return False
    if not line[len(HEAD) : len(HEAD) + 1].isdigit() and len(line) > len(HEAD):
        return False
    end = line[-TAIL:]
    fixed = sum(
        ours == theirs for ours, theirs in zip(CRC + b'"}', end[:8] + end[16:], strict=False)
    )
    return (
        len(end) < TAIL or fixed + sum(byte in b"0123456789abcdef" for byte in end[8:16]) < TAIL - 1
    )


def salvage(line: bytes, limit: int = 4096) -> list[tuple[int, bytes]]:
    """Find the whole records in a bad line, as (offset in the line, record without newline).

    After a splice, a missing newline or a run of NULs some records are still whole. At most `limit`
    checksums are computed, so the time is bounded for any line.
    """
    found: list[tuple[int, bytes]] = []
    start = line.find(HEAD)
    while start >= 0 and limit > 0:
        following = start + 1
        end = line.find(CRC, start, start + _SPAN)
        while end >= 0 and limit > 0:
            limit -= 1
            span = line[start : end + TAIL]
            if is_whole(span):
                found.append((start, span))
                following = start + len(span)
                break
            end = line.find(CRC, end + 1, start + _SPAN)
        start = line.find(HEAD, following)
    return found
