"""The active segment in the cases that a writer seldom meets: new, damaged, linked, full, shared.

A writer imports this module only then. Invariant: no record gets the seq of an earlier record of
which a part, or a checkpoint that has seen it, still exists.
"""

from __future__ import annotations

import os
from errno import EEXIST

from journal.log.counter import OVERLAPS, add_to
from journal.log.lines import lines_of, looks_cut, records_in, salvage
from journal.log.reached import seen_seq
from journal.log.record import ACTIVE, FORMAT, HEAD, WINDOW, is_whole, seq_of
from journal.log.segment import (
    HEAD_BYTES,
    Segment,
    digest_of,
    identity_in,
    last_sealed,
    sealed_name,
    segments,
    tail_of,
)
from journal.replace_file import sync_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.log.opened import OpenLog

_TAIL = 4096  # bytes of a damaged end that are searched first
_BLOCK = 1024 * 1024


def find_end(writer: OpenLog) -> None:
    """Set the writer's `last_seq` and `torn`, and open the segment if it holds no record yet."""
    size = writer.size
    writer.skip_to(seen_seq(writer.directory))
    if not size:
        name, last = last_sealed(writer.directory)
        writer.last_seq = max(writer.last_seq, last)
        _begin(writer, name)
        return
    length = _TAIL
    end = _end_without_nuls(writer, size)
    while True:
        start = max(0, end - length)
        tail = writer.read(start, end - start)
        highest, damaged, ascending = last_seq_in(tail, partial=start > 0)
        if (highest > 0 and ascending) or start == 0:
            break
        length = length * 4 if ascending else size  # reordered records: read the whole segment
    writer.torn = writer.read(size - 1, 1) != b"\n"
    if highest > 0:
        writer.last_seq = max(writer.last_seq, highest + damaged)
        return
    name, last = last_sealed(writer.directory)
    writer.last_seq = max(writer.last_seq, last + damaged)
    writer.end_line()
    _begin(writer, name)


def _end_without_nuls(writer: OpenLog, size: int) -> int:
    """Return where the NUL bytes begin that a crash of the system left at the end, else `size`."""
    while size:
        block = writer.read(max(0, size - _BLOCK), min(size, _BLOCK))
        if kept := len(block.rstrip(b"\0")):
            return size - len(block) + kept
        size -= len(block)
    return size


def part_from_link(writer: OpenLog) -> None:
    """Seal an active segment that has a second link, as in a backup by links.

    After that, the file does not change under either name.
    """
    if writer.size:
        roll(writer)
    else:
        os.unlink(f"{writer.directory}/{ACTIVE}")
        writer.reopen()


def after_overlap(writer: OpenLog) -> None:
    """Let the writer continue after what another one wrote at the same time; count the event.

    Some network file systems grant every lock. Then two records have one seq; both are in the log,
    and readers return both.
    """
    writer.size = writer.end()
    start = max(0, writer.size - WINDOW)
    tail = writer.read(start, writer.size - start)
    writer.skip_to(last_seq_in(tail, partial=start > 0)[0])
    writer.overlapped = True
    add_to(writer.directory, OVERLAPS)


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


def last_seq_in(tail: bytes, *, partial: bool) -> tuple[int, int, bool]:
    """Return the highest seq, the damaged records behind it, and whether all is in order."""
    lines = tail.split(b"\n")
    last = lines.pop()  # without a newline: a killed writer's, whose seq was not acknowledged
    highest = damaged = 0
    ascending = True
    for line in lines[1:] if partial else lines:
        inside = [seq_of(record) for record in records_in(line)]
        if is_whole(line):
            ascending = ascending and inside[0] >= highest
            damaged = 0
        highest = max([highest, *inside])
        # Written whole and damaged later: it had a seq, even if that is unreadable now.
        recordlike = line.startswith(HEAD) or line.rstrip().endswith(b"}")
        damaged += not inside and not looks_cut(line) and recordlike
    highest = max([highest, *(seq_of(span) for _at, span in salvage(last))])
    return highest, damaged, ascending


def _begin(writer: OpenLog, previous: str) -> None:
    journal = identity_in(segments(writer.directory), None, thorough=True) if previous else ""
    path = os.path.join(writer.directory, previous)
    writer.append(
        {
            "type": "segment.opened",
            "v": 1,
            "sid": "",
            "format": FORMAT,
            "journal": journal or os.urandom(16).hex(),
            "previous": previous.removesuffix(".gz"),
            "last_seq": writer.last_seq,
            "digest": digest_of(tail_of(Segment(path, 1, 1))[0]) if previous else "",
        }
    )
    sync_directory(writer.directory)
