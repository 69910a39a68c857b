"""Read facts and events from the records of a log without folding them.

Invariant: `LogFacts` depends on the records alone, so a checkpoint can store it.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import msgspec

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import type_of
from projections.fold import RecentKeys

_TS = b'"ts":"'
_SID = b'"sid":"'
LATE = b'"via":"reconciled"'
_COMPOUND = b'"compound.ran"'
_REPLY = b'"usage.recorded"'
_HEAD = 64  # bytes of a record, from its time on, that contain its type
_LENGTH = 24  # characters of a time as the journal writes it


class LogFacts(msgspec.Struct):
    """Facts about the records up to a position.

    first, ts: times of the first and the last record; last_type: of the last record. latest: upper
    bound of all times, "" if unknown. replies: whether any record may be the usage of a reply.
    sessions: sid → (first seq, last seq, last time), in the order of their first records. compound:
    the last `compound.ran`, as a line.
    """

    events: int = 0
    first: str = ""
    ts: str = ""
    last_type: str = ""
    latest: str = "0"
    replies: bool = False
    sessions: dict[str, tuple[int, int, str]] = {}
    compound: str = ""

    def add(self, batch: list[tuple[int, bytes]]) -> None:
        """Add the facts of further records."""
        self.events += len(batch)
        self.first = self.first or ts_of(batch[0][1])
        last = batch[-1][1]
        self.ts, self.last_type = ts_of(last), type_of(last)
        heads = _heads(batch)
        if self.latest:
            latest = _latest(heads)
            self.latest = max(self.latest, latest) if latest else ""
        for name, (first, seq, line) in _sessions(batch).items():
            sid = name.decode("utf-8", "replace")
            old = self.sessions.get(sid)
            ts = ts_of(line)
            if LATE in line:  # reconciled later, with an old time: use the latest other record
                marked = _SID + name + b'"'
                times = [ts_of(other) for _, other in batch if marked in other[:160]]
                ts = max(ts, old[2] if old else "", *times)
            self.sessions[sid] = (old[0] if old else first, seq, ts)
        text = b"".join(heads)
        self.replies = self.replies or not self.latest or _REPLY in text
        if _COMPOUND in text:
            for _, line in batch:
                if type_of(line) == "compound.ran":
                    self.compound = line.decode("utf-8", "surrogateescape")


def _sessions(batch: list[tuple[int, bytes]]) -> dict[bytes, tuple[int, int, bytes]]:
    """Return each session of a batch → its first seq and its last record in the batch."""
    found: dict[bytes, tuple[int, int, bytes]] = {}
    now, sid, first, last, at = b"\0", b"", 0, batch[0], 0
    for item in batch:
        line = item[1]
        if line.startswith(now, at):  # most records have the session of the record before
            last = item
            continue
        at = line.find(_SID, 40, 160)
        if line.startswith(now, at):
            last = item
            continue
        if sid:
            found[sid] = (first, *last)
        sid = line[at + 7 : line.find(b'"', at + 7)] if at > 0 else b""
        now = _SID + sid + b'"'
        first, last = found[sid][0] if sid in found else item[0], item
    if sid:
        found[sid] = (first, *last)
    return found


def _heads(batch: list[tuple[int, bytes]]) -> list[bytes]:
    """Return the beginning of each record, from its time on."""
    at = len('{"seq":,') + len(str(batch[0][0]))
    if len(str(batch[-1][0])) == len(str(batch[0][0])):
        head = slice(at, at + _HEAD)
        return [line[head] for _, line in batch]
    return [line[line.find(_TS) :][:_HEAD] for _, line in batch]


def _latest(heads: list[bytes]) -> str:
    """Return the latest time, cut to the usual length; "" if one is not at the usual position."""
    heads.sort()
    if not heads[0].startswith(_TS) or not heads[-1].startswith(_TS):
        return ""
    return heads[-1][len(_TS) : len(_TS) + _LENGTH].decode("utf-8", "replace")


def ts_of(line: bytes) -> str:
    """Return the time of a whole record by its offset, or "" if not found."""
    at = line.find(_TS, 7, 40)
    return line[at + 6 : line.find(b'"', at + 6)].decode("utf-8", "replace") if at > 0 else ""


def sid_of(line: bytes) -> str:
    """Return the session of a whole record by its offset in the envelope, or "" if not found."""
    at = line.find(b'"sid":"', 40, 160)
    return line[at + 7 : line.find(b'"', at + 7)].decode("utf-8", "replace") if at > 0 else ""


def events_in(
    records: Iterable[tuple[int, bytes]], kinds: Collection[str]
) -> Iterator[tuple[str, Any]]:
    """Yield type and event of records of some types; a repeated hook call once, as in a fold."""
    recent = RecentKeys()
    for seq, line in records:
        kind = type_of(line)
        if kind not in kinds or isinstance(event := decode(line, kind), Unknown):
            continue
        if not (event.key and recent.repeats((kind, event.key), seq)):
            yield kind, event
