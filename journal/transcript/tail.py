"""Read the lines of a growing JSONL file that hold a given text, newest first.

The cost depends on how far back the line lies, never on the size of the file; at most `cap` bytes
are read, and a line that does not lie whole within them is left out.
"""

from __future__ import annotations

import os

from journal.files import open_readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["BLOCK", "CAP", "lines_with"]

BLOCK = 64 * 1024
CAP = 4 * 1024 * 1024


def lines_with(
    path: str, needles: tuple[bytes, ...], cap: int = CAP
) -> Generator[bytes, None, None]:
    """Yield each whole line of the last `cap` bytes that holds one of `needles`, newest first.

    A last line without its newline is yielded as well: the parser finds out whether it is whole.
    Missing, unreadable and non-regular files (a FIFO is not waited for) yield nothing.
    """
    try:
        fd = open_readable(path, follow=True)
    except OSError:
        return
    try:
        yield from _backwards(fd, needles, cap)
    except OSError:
        return
    finally:
        os.close(fd)


def _backwards(fd: int, needles: tuple[bytes, ...], cap: int) -> Generator[bytes, None, None]:
    at = os.fstat(fd).st_size
    floor = max(0, at - cap)
    size = BLOCK
    rest = b""  # the end of the line whose beginning has not been read yet
    while at > floor:
        want = min(size, at - floor)
        at -= want
        size *= 2  # so that a line of n bytes is copied O(n) bytes in all
        block = os.pread(fd, want, at)
        if len(block) != want:  # the file was cut while we read: nothing here is certain
            return
        first = 0 if at == 0 else block.find(b"\n") + 1
        if at and not first:
            rest = block + rest
            continue
        data = block + rest
        yield from _matching(data, first, needles)
        rest = data[: max(0, first - 1)]


def _matching(data: bytes, low: int, needles: tuple[bytes, ...]) -> Generator[bytes, None, None]:
    """Yield the lines of data[low:] that hold a needle, last first; linear in the data."""
    hits = [data.rfind(needle, low) for needle in needles]
    while (hit := max(hits)) >= 0:
        start = data.rfind(b"\n", low, hit) + 1 or low
        end = data.find(b"\n", hit)
        yield data[start:] if end < 0 else data[start:end]
        hits = [
            at if at < start else data.rfind(needle, low, start)
            for at, needle in zip(hits, needles, strict=True)
        ]
