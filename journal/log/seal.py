"""Seal the active segment, and compress sealed ones; hooks go on meanwhile.

Invariant: the plain file is removed only after the compressed one was read back, found equal and
synced to the disk.
"""

import os
from contextlib import ExitStack
from typing import IO

from journal.log.maintenance import as_journal_error, locked, sync_active
from journal.log.packed import pack, unpacked
from journal.log.record import is_whole
from journal.log.segment import HEAD_BYTES, Segment, segments
from journal.replace_file import Replacement, sync_directory

_BLOCK = 1024 * 1024


def seal(directory: str, now: str, *, compress: bool = True) -> list[str]:
    """Close the active segment if it holds more than its opening record; compress sealed ones.

    The lock is held for a rename each.
    Return the paths of the segments that were sealed or compressed by this call.
    """
    changed: list[str] = []
    if not segments(directory):
        return changed
    sync_active(directory)
    with locked(directory, now) as writer:
        opening = writer.read(0, HEAD_BYTES).partition(b"\n")[0]
        if not is_whole(opening) or writer.size > len(opening) + 1:
            with as_journal_error(writer.path, "cannot be sealed", "run: journal verify"):
                changed.append(os.path.join(directory, writer.roll()))
    for segment in _plain(directory) if compress else ():
        plain = segment.path
        packed = compress_one(segment, now)
        changed = [path for path in changed if path != plain] + [packed]
    return changed


def compress_waiting(directory: str, now: str) -> list[str]:
    """Compress the oldest plain sealed segment but the newest one; return its new path in a list.

    For the background handler: bounded, and it takes the lock only to rename. The newest one stays
    plain because a hook may still have to continue reading it, and a hook reads no compressed one.
    """
    newest = max((segment.last for segment in segments(directory)), default=0)
    waiting = [segment for segment in _plain(directory) if segment.last < newest]
    return [compress_one(segment, now) for segment in waiting[:1]]


def compress_one(segment: Segment, now: str) -> str:
    """Replace a plain sealed segment by its gzip, byte-exact, and return the new path.

    A sealed segment does not change, so the lock is held only while the one file takes the place of
    the other.

    Raises:
        JournalError: it cannot be written, or somebody replaced the segment in the meantime.

    """
    remedy = "free some space; the plain segment is untouched"
    target = segment.path + ".gz"
    replacement = Replacement(target, sync=True)
    with as_journal_error(segment.path, "cannot be compressed", remedy), ExitStack() as stack:
        facts = os.stat(segment.path)
        with replacement as file:
            with segment.open() as source:
                pack(iter(lambda: source.read(_BLOCK), b""), file)
            file.flush()
            with segment.open() as source, unpacked(open(replacement.temporary, "rb", 0)) as again:
                if _sum_of(source) != _sum_of(again):
                    raise OSError(f"{target}: differs from its source")
            os.fsync(file.fileno())
            stack.enter_context(locked(os.path.dirname(target), now))
            if not os.path.samestat(facts, os.stat(segment.path)):
                raise OSError(f"{segment.path}: was replaced while it was compressed")
        sync_directory(os.path.dirname(target))
        os.unlink(segment.path)
    segment.path = target
    return target


def _plain(directory: str) -> list[Segment]:
    found = segments(directory)
    return [item for item in found if item.sealed and not item.path.endswith(".gz")]


def _sum_of(file: IO[bytes]) -> bytes:
    from hashlib import blake2b

    total = blake2b()
    while block := file.read(_BLOCK):
        total.update(block)
    return total.digest()
