"""Seal the active segment: rename it and open the next one. Imported only in that case."""

from __future__ import annotations

import os
from errno import EEXIST

from journal.log.lines import lines_of, records_in
from journal.log.record import ACTIVE, is_whole, seq_of
from journal.log.segment import HEAD_BYTES, Segment, last_sealed, sealed_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.log.opened import OpenLog


def roll(writer: OpenLog) -> str:
    """Seal the active segment, and return its new name.

    This only renames it; `journal seal` compresses, never a hook. After a crash between renaming
    and opening, the journal has no active segment, and the next writer opens one.
    """
    directory = writer.directory
    name = sealed_name(_first_seq(writer), writer.last_seq)
    target = f"{directory}/{name}"
    writer.end_line()  # what is sealed ends in a newline
    if os.path.lexists(target) or os.path.lexists(target + ".gz"):
        raise FileExistsError(EEXIST, "a segment of that name exists", target)
    writer.wait_for_disk()
    os.rename(f"{directory}/{ACTIVE}", target)
    writer.reopen()
    return name


def _first_seq(writer: OpenLog) -> int:
    """Return the lowest seq of the active segment, 0 if it has no record.

    If the first record does not follow the newest sealed segment, the whole file is searched.
    """
    head = writer.read(0, HEAD_BYTES).partition(b"\n")[0]
    if is_whole(head) and seq_of(head) == last_sealed(writer.directory)[1] + 1:
        return seq_of(head)
    with Segment(f"{writer.directory}/{ACTIVE}", 0, 0).open() as file:
        found = (seq_of(record) for line, _ in lines_of(file) for record in records_in(line))
        return min(found, default=0)
