"""Rewrite damaged segments without their bad lines, keeping every byte of the evidence; seal.

Invariant: nothing is deleted. A segment is replaced only after a copy of it is on the disk in
`quarantine/`, and by a file that holds every whole record of it, unchanged. A gap stays a gap: its
seqs are named in the `journal.repaired` record, so that later reports call it known.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager

from journal.codec import digest
from journal.errors import JournalError
from journal.files import sync_directory
from journal.home import ensure_directory
from journal.log.append import Busy, Writer
from journal.log.read import Reader
from journal.log.record import is_whole
from journal.log.segment import Segment, segments, write_packed
from journal.log.segment import compress as pack
from journal.log.verify import Report, Row, verify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

__all__ = ["repair", "seal", "verify"]

QUARANTINE = "quarantine"
_PATIENCE = 5.0  # seconds a person's command waits for the lock
_MISSING_KEPT = 100
_BLOCK = 1024 * 1024
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def repair(directory: str, now: str, *, deadline: float = _PATIENCE) -> Report:
    """Put every segment with bad lines right, under the writer's lock, and report on the outcome.

    `Report.repaired` holds the fields of each `journal.repaired` appended: segment, kept (records),
    removed (lines), quarantined (path below the directory), missing (ranges of seqs).
    JournalError, with nothing changed, where the evidence cannot be kept or the lock is taken.
    """
    done: list[dict[str, object]] = []
    if segments(directory):
        with _locked(directory, now, deadline) as writer:
            before = verify(directory)
            for row in before.rows:
                missing = _gaps_of(before, row, writer.last_seq)
                fields = _repair_segment(
                    writer, row, missing, unfit=row.segment.name in before.chain
                )
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

    Gives the paths of the segments that were sealed or compressed by this call.
    """
    changed: list[str] = []
    if not segments(directory):
        return changed
    with _locked(directory, now, deadline) as writer:
        if _holds_more_than_its_opening(writer):
            changed.append(_roll(writer))
        for segment in segments(directory) if compress else ():
            if segment.sealed and not segment.path.endswith(".gz"):
                plain = segment.path
                changed = [path for path in changed if path != plain] + [_pack(segment)]
    return changed


def _holds_more_than_its_opening(writer: Writer) -> bool:
    head = writer.read(0, 64 * 1024).partition(b"\n")
    return not is_whole(head[0]) or writer.size > len(head[0]) + 1


@contextmanager
def _locked(directory: str, now: str, deadline: float) -> Iterator[Writer]:
    try:
        writer = Writer(directory, now, deadline=deadline).__enter__()
    except Busy:
        raise JournalError(
            directory, "is in use by another process", "try again when that has ended"
        ) from None
    with closing(writer):
        try:
            yield writer
        except OSError as error:
            what = f"cannot be worked on: {error.strerror or error}"
            raise JournalError(directory, what, "run: journal doctor") from error


def _roll(writer: Writer) -> str:
    try:
        return os.path.join(writer.directory, writer.roll())
    except OSError as error:
        raise JournalError(
            writer.path, f"cannot be sealed: {error.strerror or error}", "run: journal verify"
        ) from error


def _pack(segment: Segment) -> str:
    try:
        return pack(segment)
    except OSError as error:
        what = f"cannot be compressed: {error.strerror or error}"
        remedy = "free some space; the plain segment is untouched"
        raise JournalError(segment.path, what, remedy) from error


def _gaps_of(report: Report, row: Row, last_seq: int) -> list[list[int]]:
    """Seqs missing in or before this segment that no repair has named yet; at most 100 ranges.

    At the end of the active segment too: seqs of records of which only damage is left.
    """
    missing = [
        [first, last]
        for first, last, finding in report.gaps
        if finding.path == row.segment.path and finding.what.startswith("gap:")
    ]
    if not row.segment.sealed and row.last and last_seq > row.last:
        missing.append([row.last + 1, last_seq])
    if len(missing) > _MISSING_KEPT:
        missing[_MISSING_KEPT:] = [[missing[_MISSING_KEPT][0], missing[-1][1]]]
    return missing


def _repair_segment(
    writer: Writer, row: Row, missing: list[list[int]], *, unfit: bool
) -> dict[str, object] | None:
    """Give the fields of the event to append; None where there is nothing to say.

    A gap, and a segment that does not fit the chain (`unfit`), cannot be mended, only named.
    """
    segment = row.segment
    if not (row.bad or row.foreign or missing or unfit):
        return None
    kept: dict[str, object] = {
        "segment": segment.name,
        "kept": row.records,
        "removed": 0,
        "quarantined": "",
        "missing": missing,
    }
    if not row.bad:
        return kept
    lines = _count_lines(segment)
    place = _keep_evidence(writer, segment)
    kept["quarantined"] = os.path.relpath(place, writer.directory)
    kept["removed"] = lines - row.records
    if row.foreign:
        os.unlink(segment.path)  # whole, and on the disk, in quarantine
        sync_directory(writer.directory)
        return kept
    _replace(segment, _clean_lines(writer.directory, segment))
    if not segment.sealed:
        last = writer.last_seq
        writer.reopen(at_least=last)
    return kept


def _clean_lines(directory: str, segment: Segment) -> Iterator[bytes]:
    for candidate, batches in Reader(directory).by_segment():
        for batch in batches:
            if candidate.path == segment.path:
                yield b"".join([line + b"\n" for _seq, line in batch])


def _count_lines(segment: Segment) -> int:
    import zlib

    count = 0
    last = b"\n"
    try:
        with segment.open() as file:
            while block := file.read(_BLOCK):
                count += block.count(b"\n")
                last = block[-1:]
    except (OSError, EOFError, zlib.error):
        pass  # what could be read of it is what is counted
    return count + (last != b"\n")


def _keep_evidence(writer: Writer, segment: Segment) -> str:
    """Copy the file as it is, 0600, to a name with the time and its digest, onto the disk."""
    folder = os.path.join(writer.directory, QUARANTINE)
    path = ""
    try:
        ensure_directory(folder)
        with open(segment.path, "rb", buffering=0) as source:
            raw = _all_of(source)
        time = "".join(c for c in writer.now if c.isalnum())
        path = os.path.join(folder, f"{os.path.basename(segment.path)}.{time}.{digest(raw)}")
        if not os.path.lexists(path):
            _write_new(path, [raw])
        sync_directory(folder)
        sync_directory(writer.directory)
    except OSError as error:
        raise JournalError(
            segment.path,
            f"cannot be kept in quarantine: {error.strerror or error}",
            "free some space or make the journal writable; nothing was changed",
        ) from error
    return path


def _replace(segment: Segment, clean: Iterator[bytes]) -> None:
    part = segment.path + ".part"
    try:
        if os.path.lexists(part):  # what an interrupted repair left
            os.unlink(part)
        if segment.path.endswith(".gz"):
            write_packed(part, clean)
        else:
            _write_new(part, clean)
        os.rename(part, segment.path)
        sync_directory(os.path.dirname(segment.path))
    except OSError as error:
        raise JournalError(
            segment.path,
            f"cannot be rewritten: {error.strerror or error}",
            "free some space; the segment is as it was",
        ) from error


def _write_new(path: str, blocks: Iterable[bytes]) -> None:
    """Write a file that is not there yet; it is whole and on the disk, or not there."""
    descriptor = os.open(path, _NEW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for block in blocks:
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(path)
        raise


def _all_of(file: IO[bytes]) -> bytes:
    parts = []
    while block := file.read(_BLOCK):
        parts.append(block)
    return b"".join(parts)
