"""A folded state kept beside the log, so that a hook folds only what came since.

Two slots in one file, written in turn. A slot is a framed header (seq and crc like a record) and
the state's JSON. Invariant: a slot is used only if both checksums pass and the log still holds the
record it was folded up to, so deleting or damaging the file costs time and nothing else.
"""

from __future__ import annotations

import os
import zlib

from journal.log.append import ACTIVE, open_regular
from journal.problem import JournalOffError
from journal.log.record import frame, is_whole, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["FILE", "Snapshot", "load", "load_hot", "store"]

FILE = "snapshot"
SLOT = 256 * 1024
_HEADER = 24 * 1024


class Snapshot:
    """What a slot says.

    seq: the last record folded in. offset: end of that record in the active segment.
    hot: the small part a hook reads without folding. state: JSON bytes (b"" from `load_hot`).
    version: names and versions of the projections that made it.
    """

    __slots__ = ("hot", "offset", "seq", "state", "version")

    def __init__(self, seq: int, offset: int, version: str, hot: Any, state: bytes) -> None:
        self.seq = seq
        self.offset = offset
        self.version = version
        self.hot = hot
        self.state = state


def load(directory: str, version: str) -> Snapshot | None:
    """Newest slot that fits the log and was made by projections of this `version`; else None."""
    for snapshot in _candidates(directory):
        if snapshot.version == version:
            return snapshot
    return None


def load_hot(directory: str) -> dict[str, Any]:
    """Read the small part of the newest slot that fits the log; {} when there is none."""
    for snapshot in _candidates(directory, with_state=False):
        if isinstance(snapshot.hot, dict):
            return snapshot.hot
    return {}


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
                if not _fits_log(directory, header):
                    continue
                snapshot = Snapshot(
                    header["seq"], header["offset"], header["version"], header["hot"], b""
                )
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


def _fits_log(directory: str, header: dict[str, Any]) -> bool:
    """Whether the active segment holds, at that offset, the record the slot was folded up to."""
    descriptor = os.open(
        os.path.join(directory, ACTIVE), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    )
    try:
        first = os.pread(descriptor, 32, 0)
        if not first.startswith(b'{"seq":%d,' % header["segment"]):
            return False
        end = os.pread(descriptor, 11, header["offset"] - 11)
        return end == header["record"].encode() + b'"}\n'
    finally:
        os.close(descriptor)
