"""A folded state kept beside the log, so that a hook folds only what came since.

Two slots in one file, written in turn. A slot is a framed header (seq and crc like a record) and
the state's JSON. Invariant: a slot is used only if both checksums pass and the log still holds the
record it was folded up to, so deleting or damaging the file costs time and nothing else.
"""

from __future__ import annotations

import os
import zlib

from journal.errors import JournalOffError
from journal.files import open_regular
from journal.log.append import ACTIVE
from journal.log.record import frame, is_whole, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["FILE", "Snapshot", "load", "load_hot", "store"]

FILE = "snapshot"
SLOT = 1024 * 1024  # a sparse file: only what a slot holds is on the disk
_HEADER = 24 * 1024


class Snapshot:
    """What a slot says.

    seq: the last record folded in. offset: end of that record in the active segment.
    hot: the small part a hook reads without folding. state: JSON bytes (b"" from `load_hot`).
    version: names and versions of the projections that made it. place: (first seq of the segment
    that record is in, its end there), for `read.tail`; (0, 0) when not from a file.
    """

    __slots__ = ("hot", "offset", "place", "seq", "state", "version")

    def __init__(self, seq: int, offset: int, version: str, hot: Any, state: bytes) -> None:
        self.place = (0, 0)
        self.seq = seq
        self.offset = offset
        self.version = version
        self.hot = hot
        self.state = state


def load(directory: str, version: str, *, across: bool = False) -> Snapshot | None:
    """Newest slot that fits the log and was made by projections of this `version`; else None.

    A snapshot of a segment that was sealed since is given when it had been folded to its end (the
    fold goes on at offset 0 of the active one), and in any case `across` segments, for a caller
    that goes on with `read.tail`.
    """
    for snapshot in _candidates(directory):
        if snapshot.version == version and (across or snapshot.offset >= 0):
            return snapshot
    return None


def load_hot(directory: str) -> tuple[dict[str, Any], int]:
    """Read the small part of the newest slot that fits the log, its offset; ({}, -1) without."""
    for snapshot in _candidates(directory, with_state=False):
        if isinstance(snapshot.hot, dict):
            return snapshot.hot, snapshot.offset
    return {}, -1


def store(directory: str, snapshot: Snapshot, record_crc: bytes, segment_first: int) -> bool:
    """Write the older slot in place. False when it does not fit or cannot be written.

    record_crc: the 8 hex digits of the record at `snapshot.seq`. Call it under the lock.
    """
    header = frame(
        snapshot.seq,
        {
            "offset": snapshot.offset,
            "record": record_crc.decode(),
            "segment": segment_first,
            "version": snapshot.version,
            "state": [len(snapshot.state), zlib.crc32(snapshot.state)],
            "hot": snapshot.hot,
        },
    )
    if len(header) > _HEADER or len(header) + len(snapshot.state) > SLOT:
        return False
    try:
        descriptor = open_regular(os.path.join(directory, FILE), os.O_RDWR | os.O_CREAT)
    except (OSError, JournalOffError):
        return False
    try:
        seqs = [(_header_at(descriptor, slot) or {}).get("seq", -1) for slot in (0, 1)]
        # A slot from the future is of a log that was replaced: it is the one to give up.
        seqs = [-2 if seq > snapshot.seq else seq for seq in seqs]
        slot = 0 if seqs[0] <= seqs[1] else 1
        os.pwrite(descriptor, header + snapshot.state, slot * SLOT)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _candidates(directory: str, *, with_state: bool = True) -> list[Snapshot]:
    try:
        descriptor = open_regular(os.path.join(directory, FILE), os.O_RDONLY)
    except (OSError, JournalOffError):
        return []
    try:
        headers = [(slot, header) for slot in (0, 1) if (header := _header_at(descriptor, slot))]
        headers.sort(key=lambda item: -item[1]["seq"])
        found = []
        for slot, header in headers:
            try:
                offset = _offset_now(directory, header)
                if offset is None:
                    continue
                snapshot = Snapshot(header["seq"], offset, header["version"], header["hot"], b"")
                snapshot.place = (header["segment"], header["offset"])
                if with_state:
                    length, crc = header["state"]
                    at = slot * SLOT + header["length"]
                    snapshot.state = os.pread(descriptor, length, at)
                    if len(snapshot.state) != length or zlib.crc32(snapshot.state) != crc:
                        continue
            except (KeyError, TypeError, ValueError):
                continue
            found.append(snapshot)
            if not with_state:
                break
        return found
    except OSError:
        return []
    finally:
        os.close(descriptor)


def _header_at(descriptor: int, slot: int) -> dict[str, Any] | None:
    raw = os.pread(descriptor, _HEADER, slot * SLOT)
    line = raw[: raw.find(b"\n")]
    if not is_whole(line):
        return None
    try:
        header = unframe(line)
    except ValueError:
        return None
    header["length"] = len(line) + 1
    return header if isinstance(header.get("seq"), int) else None


def _offset_now(directory: str, header: dict[str, Any]) -> int | None:
    """Where the fold goes on in the active segment; None when the log lacks the slot's record.

    -1: the record is in a sealed segment and more came after it there.
    """
    try:
        if _holds(os.path.join(directory, ACTIVE), header):
            return int(header["offset"])
    except (OSError, JournalOffError):
        pass  # no active segment at this moment, or none of ours: what is sealed still counts
    from journal.log.segment import segments

    for segment in segments(directory):
        if segment.sealed and segment.first == header["segment"]:
            if segment.path.endswith(".gz"):  # sealed long ago: a rebuild is due anyway
                return None
            if _holds(segment.path, header):
                at_end = segment.last == header["seq"] and _is_last_sealed(directory, segment.last)
                return 0 if at_end else -1
    return None


def _is_last_sealed(directory: str, last: int) -> bool:
    from journal.log.segment import last_sealed

    return last_sealed(directory)[1] == last


def _holds(path: str, header: dict[str, Any]) -> bool:
    """Whether the segment holds, at that offset, the record the slot was folded up to."""
    descriptor = open_regular(path, os.O_RDONLY)
    try:
        first = os.pread(descriptor, 32, 0)
        if not first.startswith(b'{"seq":%d,' % header["segment"]):
            return False
        end = os.pread(descriptor, 11, header["offset"] - 11)
        record: str = header["record"]
        return end == record.encode() + b'"}\n'
    finally:
        os.close(descriptor)
