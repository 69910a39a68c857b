"""Rewrite damaged segments without their bad lines; the damaged files stay in `quarantine/`.

Invariant: nothing is deleted. A segment is replaced only after a copy of it is on the disk in
`quarantine/`, and the new file has all its whole records, unchanged. A gap stays a gap: the
`journal.repaired` record names its seqs, so that later reports call it known.
"""

import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from hashlib import blake2b
from typing import IO

from journal.files import open_regular
from journal.home import ensure_directory
from journal.log.append import Writer
from journal.log.chain import SegmentCheck
from journal.log.findings import MOST_MISSING
from journal.log.maintenance import ReplacedError, as_journal_error, check_same, locked
from journal.log.packed import pack
from journal.log.reached import seen_seq
from journal.log.read import Reader
from journal.log.record import HEAD, TAIL, Prepared, type_of
from journal.log.segment import Segment, beginning, segments
from journal.log.verify import Verification, verify
from journal.replace_file import Replacement, sync_directory

QUARANTINE = "quarantine"
_BLOCK = 1024 * 1024
_ATTEMPTS = 5


def repair(directory: str, now: str) -> Verification:
    """Repair every segment with bad lines, and report the outcome.

    The lock is held only to rename a file and append a record; hooks append meanwhile.
    `repaired` holds the fields of each `journal.repaired` appended: segment, kept (records),
    removed (lines), quarantined (path below the directory), missing (ranges of seqs), renumbered
    (records appended again, because another one has their seq).
    Raise JournalError, with nothing changed, if a file cannot be copied or the lock is taken.
    """
    done: list[dict[str, object]] = []
    for _ in range(_ATTEMPTS if segments(directory) or seen_seq(directory) else 0):
        with suppress(ReplacedError):
            _Repair(directory, now, done).run()
            break
    report = verify(directory)
    report.repaired = done
    return report


def _gaps_of(report: Verification, row: SegmentCheck, last_seq: int) -> list[list[int]]:
    """Return the seqs missing in or before this segment that no repair has named, at most 100.

    At the end of the active segment too: seqs of records of which only damage is left.
    """
    missing = [
        [first, last]
        for first, last, finding in report.found.gaps
        if finding.path == row.segment.path and finding.what.startswith("gap:")
    ]
    if not row.segment.sealed and row.last:
        begin = max([row.last, *(last for _first, last in missing)])
        missing += [[begin + 1, last_seq]] if last_seq > begin else []
    if len(missing) > MOST_MISSING:
        missing[MOST_MISSING:] = [[missing[MOST_MISSING][0], missing[-1][1]]]
    return missing


class _Repair:
    """One pass over a log. done: fields of each record appended, of earlier passes too."""

    def __init__(self, directory: str, now: str, done: list[dict[str, object]]) -> None:
        self.directory = directory
        self.now = now
        self.done = done
        with locked(self.directory, self.now) as writer:
            # No writer changes the active segment up to here.
            self.size, self.last_seq = writer.size, writer.last_seq

    def run(self) -> None:
        """Repair each segment that needs it; ReplacedError where one changed meanwhile."""
        report = verify(self.directory, upto=self.size)
        unfitting = {name for names, _ in report.found.chain for name in names}
        for row in report.rows:
            missing = _gaps_of(report, row, self.last_seq)
            # A gap, and a segment with a wrong name or link, can only be recorded, not repaired.
            if row.bad or missing or row.segment.name in unfitting:
                self._segment(row, missing)

    def _segment(self, row: SegmentCheck, missing: list[list[int]]) -> None:
        segment = row.segment
        fields: dict[str, object] = {
            "segment": segment.name,
            "kept": row.records,
            "removed": 0,
            "quarantined": "",
            "missing": missing,
        }
        if not row.bad:
            with locked(self.directory, self.now) as writer:
                self._append(writer, fields)
            return
        with as_journal_error(segment.path, "cannot be read", "run: journal doctor"):
            descriptor = open_regular(segment.path, os.O_RDONLY)
        with open(descriptor, "rb", buffering=0) as source:
            size = os.fstat(descriptor).st_size if segment.sealed else self.size
            fields["removed"] = _count_lines(segment, size) - row.records
            fields["quarantined"] = self._quarantine(source, segment, size)
            if row.foreign:
                with locked(self.directory, self.now) as writer:
                    check_same(os.fstat(source.fileno()), segment.path)
                    os.unlink(segment.path)  # whole, and on the disk, in quarantine
                    sync_directory(self.directory)
                    self._append(writer, fields)
            else:
                self._replace(source, segment, fields)

    def _append(self, writer: Writer, fields: dict[str, object]) -> None:
        writer.append({"type": "journal.repaired", "v": 1, "sid": "", **fields})
        self.done.append(fields)

    def _quarantine(self, source: IO[bytes], segment: Segment, size: int) -> str:
        """Copy a file as it is to a name with the time and its digest; return its relative path."""
        remedy = "free some space or make the journal writable; nothing was changed"
        with as_journal_error(segment.path, "cannot be kept in quarantine", remedy):
            ensure_directory(os.path.join(self.directory, QUARANTINE))
            summed = blake2b(digest_size=8)  # as `journal.codec.digest`, in bounded memory
            for block in _blocks(source, 0, size):
                summed.update(block)
            time = "".join(c for c in self.now if c.isalnum())
            name = f"{QUARANTINE}/{os.path.basename(segment.path)}.{time}.{summed.hexdigest()}"
            with Replacement(os.path.join(self.directory, name), sync=True) as file:
                file.writelines(_blocks(source, 0, size))
            sync_directory(os.path.join(self.directory, QUARANTINE))
            sync_directory(self.directory)
        return name

    def _replace(self, source: IO[bytes], segment: Segment, fields: dict[str, object]) -> None:
        """Replace a segment by its whole records, and record that in the log."""
        remedy = "free some space; the segment is as it was"
        with ExitStack() as stack:
            with as_journal_error(segment.path, "cannot be rewritten", remedy):
                with Replacement(segment.path, sync=True) as file:
                    extra: list[Prepared] = []
                    clean = _clean_lines(self.directory, segment, self.size, extra)
                    if segment.path.endswith(".gz"):
                        pack(clean, file)
                    else:
                        file.writelines(clean)
                    at = self.size
                    while not segment.sealed and (size := self._size()) - at > _BLOCK:
                        file.writelines(self._fresh(source, at, size))
                        at = size
                    file.flush()
                    os.fsync(file.fileno())
                    writer = stack.enter_context(locked(self.directory, self.now))
                    check_same(os.fstat(source.fileno()), segment.path)
                    if extra:  # before the rename: a kill here leaves them twice instead of lost
                        writer.append(*extra)
                        fields["renumbered"] = len(extra)
                    if not segment.sealed:
                        file.writelines(self._fresh(source, at, writer.size))
                sync_directory(self.directory)
            if not segment.sealed:
                writer.reopen()
            self._append(writer, fields)

    def _size(self) -> int:
        """Return the size of the active segment; no writer changes it up to there."""
        with locked(self.directory, self.now) as writer:
            return writer.size

    def _fresh(self, source: IO[bytes], start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes appended since, without the newline that ended a killed writer's line."""
        for block in _blocks(source, start, end):
            heals = start == self.size and os.pread(source.fileno(), 1, start - 1) != b"\n"
            yield block.removeprefix(b"\n") if heals else block
            start += len(block)


def _blocks(source: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes of an open file from `start` to `end`."""
    while start < end and (block := os.pread(source.fileno(), min(_BLOCK, end - start), start)):
        yield block
        start += len(block)


def _clean_lines(
    directory: str, segment: Segment, upto: int, extra: list[Prepared]
) -> Iterator[bytes]:
    """Yield a segment's records as lines, in blocks.

    Records whose seq an earlier record has are added to `extra`, to get a seq of their own.
    """
    last = 0
    for candidate, batches in Reader(directory, upto=upto).by_segment():
        for batch in batches:
            lines = []
            for seq, line in batch:
                if seq > last:
                    lines.append(line + b"\n")
                elif candidate.path == segment.path:
                    start = len(HEAD) + len(b"%d," % seq)
                    extra.append(Prepared(type_of(line), line[start:-TAIL]))
                last = max(last, seq)
            if candidate.path == segment.path:
                yield b"".join(lines)


def _count_lines(segment: Segment, size: int) -> int:
    """Count the lines of a segment, as far as it can be read; `size` bytes of the active one."""
    count = 0
    last = b"\n"
    with suppress(OSError, EOFError, zlib.error), segment.open() as opened:
        file = opened if segment.sealed else beginning(opened, size)
        while block := file.read(_BLOCK):
            count += block.count(b"\n")
            last = block[-1:]
    return count + (last != b"\n")
