"""Rewrite damaged segments without their bad lines, keeping every byte of the evidence; seal.

Invariant: nothing is deleted. A segment is replaced only after a copy of it is on the disk in
`quarantine/`, and by a file that holds every whole record of it, unchanged. A gap stays a gap: its
seqs are named in the `journal.repaired` record, so that later reports call it known.
"""

from __future__ import annotations

import os
import zlib
from contextlib import closing, contextmanager, suppress

from journal.codec import digest
from journal.errors import JournalError
from journal.home import ensure_directory
from journal.log.append import Busy, Writer
from journal.log.packed import pack
from journal.log.read import Reader
from journal.log.record import is_whole
from journal.log.segment import Segment, segments
from journal.log.segment import compress as compress_segment
from journal.log.verify import MOST_MISSING, SegmentCheck, Verification, verify
from journal.replace_file import Replacement, sync_directory, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["repair", "seal", "verify"]

QUARANTINE = "quarantine"
_PATIENCE = 5.0  # seconds a person's command waits for the lock
_BLOCK = 1024 * 1024


def repair(directory: str, now: str, *, deadline: float = _PATIENCE) -> Verification:
    """Put every segment with bad lines right, under the writer's lock, and report on the outcome.

    `Report.repaired` holds the fields of each `journal.repaired` appended: segment, kept (records),
    removed (lines), quarantined (path below the directory), missing (ranges of seqs).
    JournalError, with nothing changed, where the evidence cannot be kept or the lock is taken.
    """
    done: list[dict[str, object]] = []
    if segments(directory):
        with _locked(directory, now, deadline) as writer:
            previous = verify(directory)
            for row in previous.rows:
                missing = _gaps_of(previous, row, writer.last_seq)
                misnamed = row.segment.name in previous.chain
                fields = _repair_segment(writer, row, missing, misnamed=misnamed)
                if fields:
                    event = {"type": "journal.repaired", "v": 1, "sid": "", **fields}
                    writer.append(event)
                    done.append(fields)
    report = verify(directory)
    report.repaired = done
    return report


def seal(
    directory: str, now: str, *, compress: bool = True, deadline: float = _PATIENCE
) -> list[str]:
    """Close the active segment if it holds more than its opening record; compress sealed ones.

    The lock is held for a rename each; hooks go on in between.
    Gives the paths of the segments that were sealed or compressed by this call.
    """
    changed: list[str] = []
    if not segments(directory):
        return changed
    with _locked(directory, now, deadline) as writer:
        if _holds_more_than_its_opening(writer):
            with _refused(writer.path, "cannot be sealed", "run: journal verify"):
                changed.append(os.path.join(directory, writer.roll()))
    for segment in segments(directory) if compress else ():
        if segment.sealed and not segment.path.endswith(".gz"):
            plain = segment.path
            remedy = "free some space; the plain segment is untouched"
            with _refused(plain, "cannot be compressed", remedy):
                packed = compress_segment(segment, lambda: _locked(directory, now, deadline))
            changed = [path for path in changed if path != plain] + [packed]
    return changed


def _holds_more_than_its_opening(writer: Writer) -> bool:
    head = writer.read(0, 64 * 1024).partition(b"\n")
    return not is_whole(head[0]) or writer.size > len(head[0]) + 1


@contextmanager
def _refused(path: str, what: str, remedy: str) -> Iterator[None]:
    """Turn an error of the system into a JournalError: what cannot be done, and what to do."""
    try:
        yield
    except OSError as error:
        raise JournalError(path, f"{what}: {error.strerror or error}", remedy) from error


@contextmanager
def _locked(directory: str, now: str, deadline: float) -> Iterator[Writer]:
    try:
        writer = Writer(directory, now, deadline=deadline).__enter__()
    except Busy:
        raise JournalError(
            directory, "is in use by another process", "try again when that has ended"
        ) from None
    with closing(writer), _refused(directory, "cannot be worked on", "run: journal doctor"):
        yield writer


def _gaps_of(report: Verification, row: SegmentCheck, last_seq: int) -> list[list[int]]:
    """Return the seqs missing in or before this segment that no repair has named, at most 100.

    At the end of the active segment too: seqs of records of which only damage is left.
    """
    missing = [
        [first, last]
        for first, last, finding in report.gaps
        if finding.path == row.segment.path and finding.what.startswith("gap:")
    ]
    if not row.segment.sealed and row.last and last_seq > row.last:
        missing.append([row.last + 1, last_seq])
    if len(missing) > MOST_MISSING:
        missing[MOST_MISSING:] = [[missing[MOST_MISSING][0], missing[-1][1]]]
    return missing


def _repair_segment(
    writer: Writer, row: SegmentCheck, missing: list[list[int]], *, misnamed: bool
) -> dict[str, object] | None:
    """Return the fields of the event to append; None where there is nothing to report.

    A gap, and a segment whose name or link is wrong (`misnamed`), cannot be mended, only named.
    """
    segment = row.segment
    if not (row.bad or row.foreign or missing or misnamed):
        return None
    done: dict[str, object] = {
        "segment": segment.name,
        "kept": row.records,
        "removed": 0,
        "quarantined": "",
        "missing": missing,
    }
    if not row.bad:
        return done
    done["removed"] = _count_lines(segment) - row.records
    done["quarantined"] = _quarantine(writer, segment)
    if row.foreign:
        os.unlink(segment.path)  # whole, and on the disk, in quarantine
        sync_directory(writer.directory)
        return done
    _replace(segment, _clean_lines(writer.directory, segment))
    if not segment.sealed:
        writer.reopen(at_least=writer.last_seq)
    return done


def _clean_lines(directory: str, segment: Segment) -> Iterator[bytes]:
    for candidate, batches in Reader(directory).by_segment():
        for batch in batches:
            if candidate.path == segment.path:
                yield b"".join([line + b"\n" for _seq, line in batch])


def _count_lines(segment: Segment) -> int:
    """Count the lines of a segment, as far as it can be read."""
    count = 0
    last = b"\n"
    with suppress(OSError, EOFError, zlib.error), segment.open() as file:
        while block := file.read(_BLOCK):
            count += block.count(b"\n")
            last = block[-1:]
    return count + (last != b"\n")


def _quarantine(writer: Writer, segment: Segment) -> str:
    """Copy the file as it is to a name with the time and its digest; return its relative path."""
    remedy = "free some space or make the journal writable; nothing was changed"
    with _refused(segment.path, "cannot be kept in quarantine", remedy):
        ensure_directory(os.path.join(writer.directory, QUARANTINE))
        with open(segment.path, "rb") as source:
            raw = source.read()
        time = "".join(c for c in writer.now if c.isalnum())
        name = f"{QUARANTINE}/{os.path.basename(segment.path)}.{time}.{digest(raw)}"
        write_atomic(os.path.join(writer.directory, name), raw, sync=True)
        sync_directory(writer.directory)
    return name


def _replace(segment: Segment, clean: Iterator[bytes]) -> None:
    remedy = "free some space; the segment is as it was"
    with _refused(segment.path, "cannot be rewritten", remedy):
        with Replacement(segment.path, sync=True) as file:
            if segment.path.endswith(".gz"):
                pack(clean, file)
            else:
                file.writelines(clean)
        sync_directory(os.path.dirname(segment.path))
