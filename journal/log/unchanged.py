"""Check that a log has, up to a position, exactly the bytes that were read before.

Invariant: a segment is compared by the state of its file, and read only if that differs.
"""

import os
import time
import zlib
from functools import lru_cache
from typing import Any

from journal.log.segment import Segment, beginning, identity, segments

_BLOCK = 1024 * 1024
_SETTLED = 1_000_000_000  # ns after which a further change certainly gives a file another time
_REMEMBERED = 64


def is_unchanged(directory: str, position: dict[str, Any]) -> bool:
    """Return whether every byte before a position is the same.

    position: as `Position.plain` gives it; facts of a segment whose content alone is the same
    (it was copied, say) are replaced by those of its file. Raises OSError, EOFError or zlib.error
    where a segment cannot be read.
    """
    listed = segments(directory)
    sealed = position.get("sealed", [])
    previous = listed[: len(sealed)]
    if "checksum" not in position or len(previous) != len(sealed):
        return False
    for segment, facts in zip(previous, sealed, strict=True):
        name, *file, checksum = facts
        if segment.name != name:
            return False
        if file_facts(segment) != file:
            if _beginning(segment, -1)[1] != checksum:
                return False
            facts[1:5] = file_facts(segment)
    if identity(directory) != position["journal"]:
        return False
    current = listed[len(previous)] if len(listed) > len(previous) else None
    if current is None or current.first != position["segment"]:
        return False
    offset = position["offset"]
    if position.get("file") == file_facts(current):
        return True
    return _beginning(current, offset) == (offset, position["checksum"])


def _beginning(segment: Segment, size: int) -> tuple[int, int]:
    """Return number and CRC-32 of a segment's uncompressed bytes, or of its first `size` (-1: all).

    They are computed once per process for the same file and size: a command that uses several
    checkpoints would otherwise read a segment for each.
    """
    return _checksum_of(segment.path, tuple(file_facts(segment)), size)


@lru_cache(_REMEMBERED)
def _checksum_of(path: str, _facts: tuple[int, ...], size: int) -> tuple[int, int]:
    checksum, done = 0, 0
    with Segment(path, 1, 1).open() as opened:
        file = opened if size < 0 else beginning(opened, size)
        while block := file.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
            done += len(block)
    return done, checksum


def file_facts(segment: Segment) -> list[int]:
    """Return size, mtime, ctime and inode of a segment's file, which differ if it changed."""
    return _listed(os.lstat(segment.path))


def settled_facts(descriptor: int) -> list[int]:
    """Return `file_facts` of an open file; [] if it changed within the last second.

    A further change within one tick of the clock would leave the same facts.
    """
    facts = os.fstat(descriptor)
    if time.clock_gettime_ns(time.CLOCK_REALTIME) - facts.st_ctime_ns < _SETTLED:
        return []
    return _listed(facts)


def _listed(facts: os.stat_result) -> list[int]:
    return [facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino]
