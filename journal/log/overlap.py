"""Continue after another writer appended at the same time, because the lock excludes nobody.

Some network file systems grant every lock. Then two records have one seq; both are in the log, and
readers return both. A writer loads this only then.
"""

from __future__ import annotations

from journal.log.counter import OVERLAPS, add_to
from journal.log.find_end import last_seq_in
from journal.log.record import WINDOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.log.opened import OpenLog


def after_overlap(writer: OpenLog) -> None:
    """Let the writer continue after what the other one wrote, and count the event."""
    writer.size = writer.end()
    start = max(0, writer.size - WINDOW)
    tail = writer.read(start, writer.size - start)
    writer.skip_to(last_seq_in(tail, partial=start > 0)[0])
    writer.overlapped = True
    add_to(writer.directory, OVERLAPS)
