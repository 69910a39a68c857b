"""What a writer does that found another one at work at the same time: the lock excludes nobody.

Some network file systems grant every lock. Two records then have one seq; both are in the log, and
readers give both. The count in `overlaps` says that it happened. Loaded by a writer only then.
"""

from __future__ import annotations

import os
from stat import S_ISREG

from journal.log.find_end import last_seq_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.log.opened import OpenLog

__all__ = ["OVERLAPS", "after_overlap", "overlaps"]

OVERLAPS = "overlaps"
_WINDOW = 64 * 1024


def after_overlap(writer: OpenLog) -> None:
    """Let the writer go on behind what the other one wrote, and count that it happened."""
    writer.size = writer.end()
    start = max(0, writer.size - _WINDOW)
    tail = writer.read(start, writer.size - start)
    writer.skip_to(last_seq_in(tail, partial=start > 0)[0])
    writer.overlapped = True
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(f"{writer.directory}/{OVERLAPS}", flags, 0o600)
    except OSError:
        return  # the log itself shows it
    try:
        os.write(descriptor, b".")
    except OSError:
        pass
    finally:
        os.close(descriptor)


def overlaps(directory: str) -> int:
    """Return how many writers of a log found another one at work; -1 if the count is not a file."""
    try:
        facts = os.stat(f"{directory}/{OVERLAPS}", follow_symlinks=False)
    except OSError:
        return 0
    return facts.st_size if S_ISREG(facts.st_mode) else -1
