"""Reads a log through the journal's own reader, to tell whole segments from others.

What was read stays read: the next look goes on behind the last record, as long as that is in its
place. Invariant: a segment handed on as it is holds nothing DuckDB would take for a record of ours
but our records.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from journal.checkpoint import Position
from journal.codec import dumps, loads
from journal.errors import ANOMALY, CORRUPT, TORN, VALID, JournalOffError
from journal.files import open_regular
from journal.home import ensure_directory
from journal.log.read import Reader
from journal.log.record import CAP, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.errors import Finding
    from journal.log.segment import Segment

    Batch = list[tuple[int, bytes]]

__all__ = ["FORM", "scan"]

FORM = 4
REPEAT_SPAN = 512  # as in projections.fold: a key that comes again so soon is the same hook call
_KEY = re.compile(rb'"key":"([^"]*)"')
_FEW = 1000  # findings the reader keeps; beyond it the next look begins anew
_ODD = b"\\ud"  # a lone surrogate, which no table can hold


class _Keys:
    """Idempotency keys met of late: which record is the same hook call again.

    Nearly no batch has a repeat, so keys are first looked at all together; only where one comes
    twice are they looked at one by one.
    """

    def __init__(self, held: dict[str, int]) -> None:
        self._held = {key.encode(): seq for key, seq in held.items()}
        self._late: list[tuple[Batch, set[bytes]]] = []  # batches not in _held yet

    def repeats(self, batch: Batch, text: bytes) -> list[int]:
        """Seqs of the records that are repeats. text: the lines of the batch, one after another."""
        names = _KEY.findall(text)
        fresh = set(names)
        before = self._late
        new = fresh.isdisjoint(self._held) and all(fresh.isdisjoint(keys) for _, keys in before)
        if new and len(fresh) == len(names):
            first = batch[0][0]
            if self._held and first - max(self._held.values()) > REPEAT_SPAN:
                self._held = {}
            self._late = [item for item in before if first - item[0][-1][0] <= REPEAT_SPAN]
            self._late.append((batch, fresh))
            return []
        self._settle()
        found = self._noted(batch)
        self._held = self.recent()
        return found

    def recent(self) -> dict[bytes, int]:
        """Keys that can still tell a repeat."""
        self._settle()
        newest = max(self._held.values(), default=0)
        return {key: seq for key, seq in self._held.items() if newest - seq <= REPEAT_SPAN}

    def _settle(self) -> None:
        for batch, _keys in self._late:
            self._noted(batch)
        self._late = []

    def _noted(self, batch: Batch) -> list[int]:
        held, found = self._held, []
        for seq, line in batch:
            at = line.find(b'"key":"', 40, 400)
            if at < 0:
                continue
            key = line[at + 7 : line.find(b'"', at + 7)]
            before = held.get(key)
            if before is not None and seq - before <= REPEAT_SPAN:
                found.append(seq)
                continue
            held[key] = seq
        return found


def scan(
    directory: str,
    cache: str,
    listed: list[Segment],
    identities: dict[str, Any],
    index: dict[str, Any],
    *,
    hooks: bool = True,
) -> dict[str, Any]:
    """Read the log through its reader: from where it was left, else all of it.

    hooks: it is theirs, so that a key which comes again is the same call again.
    """
    old, tail = index.get("files", {}), _resumable(listed, identities, index)
    files = {name: facts for name, facts in old.items() if name in identities} if tail else {}
    went_on = files.pop(tail["name"], None) if tail else None
    reader = (
        Reader(directory, tail["seq"], Position(tail["first"], tail["offset"], tail["seq"]))
        if tail
        else (Reader(directory))
    )
    keys = _Keys(tail.get("keys", {}))
    dirty: list[tuple[Segment, list[int]]] = []
    last, latest = None, -1
    for segment, batches in reader.by_segment():
        before = dict(reader.counts)
        known = len(reader.findings)
        records, repeated, odd, laid = 0, [], False, True
        for batch in batches:
            records += len(batch)
            text = b"\n".join([line for _seq, line in batch])
            repeated += keys.repeats(batch, text) if hooks else []
            odd = odd or _ODD in text
            laid = laid and _is_laid(batch)
        counts = {n: c - before.get(n, 0) for n, c in reader.counts.items() if n != VALID}
        counts["gaps"] = sum(f.what.startswith("gap: ") for f in reader.findings[known:])
        counts["repeated"] = len(repeated)
        odd = odd or not _harmless(segment, reader.findings[known:], counts)
        files[segment.name] = {
            "id": identities.get(segment.name, []),
            "records": records,
            "copy": "",
            "laid": laid,
            "counts": {name: count for name, count in counts.items() if count},
        }
        copied = False
        if went_on and segment.first == tail["first"]:
            _add(files[segment.name], went_on)
            copied = bool(went_on["copy"])
        if odd or repeated or copied:
            dirty.append((segment, repeated))
        last = segment
        latest = max((item.offset for item in reader.findings[known:]), default=-1)
    if went_on:
        _carry(listed, identities, tail, went_on, files)
    _copy(directory, cache, dirty, files, hooks=hooks)
    found = {"form": FORM, "files": files, "known": _all_known(directory, files), "tail": {}}
    if last is not None and reader.last_seq and len(reader.findings) < _FEW:
        place = _tail(last, reader.last_seq, keys)
        # What was found behind the last record will be found again from there.
        found["tail"] = place if latest < place.get("offset", 0) else {}
    return found


def _is_laid(batch: Batch) -> bool:
    """Whether seq, ts and type stand where the journal itself puts them, in every record."""
    for _seq, line in batch:
        at = line.find(b",", 8)
        if line[at : at + 7] != b',"ts":"' or line[at + 31 : at + 41] != b'","type":"':
            return False
    return True


def _carry(
    listed: list[Segment],
    identities: dict[str, Any],
    tail: dict[str, Any],
    went_on: dict[str, Any],
    files: dict[str, Any],
) -> None:
    """Keep what is known of a segment that was sealed since and got no more records."""
    for segment in listed:
        if segment.first == tail["first"] and segment.name not in files:
            files[segment.name] = {**went_on, "id": identities[segment.name]}


def _add(facts: dict[str, Any], before: dict[str, Any]) -> None:
    facts["records"] += before["records"]
    facts["laid"] = facts["laid"] and before["laid"]
    for name, count in before["counts"].items():
        facts["counts"][name] = facts["counts"].get(name, 0) + count


def _harmless(segment: Segment, findings: Iterable[Finding], counts: dict[str, int]) -> bool:
    """Whether DuckDB passes over what was found: gaps, and fragments no record stands behind."""
    listed = [item for item in findings if not item.what.startswith("gap: ")]
    if sum(c for n, c in counts.items() if n not in ("gaps", "repeated")) != (
        len(listed) + counts["gaps"]
    ):
        return False  # more than are kept
    if any(item.verdict != TORN for item in listed) or (listed and segment.path.endswith(".gz")):
        return False
    with segment.open() as file:
        for item in listed:
            file.seek(item.offset)
            line = file.read(2 * CAP).partition(b"\n")[0]
            if b'{"seq":' in line[1:] or len(line) > CAP or line.rstrip().endswith(b"}"):
                return False
    return True


def _resumable(
    listed: list[Segment], identities: dict[str, Any], index: dict[str, Any]
) -> dict[str, Any]:
    """Where to go on: the files before are the same, and the last record seen is in its place."""
    tail = index.get("tail") or {}
    if not tail:
        return {}
    for name, facts in index["files"].items():
        if name != tail["name"] and identities.get(name) != facts["id"]:
            return {}
    found = [item for item in listed if item.first == tail["first"]]
    if not found or found[0].path.endswith(".gz"):
        return {}
    try:
        with found[0].open() as file:
            file.seek(tail["offset"] - len(tail["end"]))
            return tail if file.read(len(tail["end"])) == tail["end"].encode() else {}
    except (OSError, JournalOffError):
        return {}


def _tail(segment: Segment, seq: int, keys: _Keys) -> dict[str, Any]:
    """Where the last record of a segment ends, and the keys that can still repeat."""
    try:
        with segment.open() as file:
            size = os.fstat(file.fileno()).st_size
            start = max(0, size - 2 * CAP)
            file.seek(start)
            data = file.read(2 * CAP)
    except (OSError, JournalOffError):
        return {}
    at = data.rfind(b'{"seq":%d,' % seq)
    end = data.find(b"\n", at)
    if segment.path.endswith(".gz") or at < 0 or end < 0 or not is_whole(data[at:end]):
        return {}
    held = {key.decode("utf-8", "replace"): value for key, value in keys.recent().items()}
    return {
        "name": segment.name,
        "seq": seq,
        "first": segment.first,
        "offset": start + end + 1,
        "end": data[end - 18 : end + 1].decode("ascii", "replace"),
        "keys": held,
    }


def _all_known(directory: str, files: dict[str, Any]) -> bool:
    """Whether nothing is lost but what a repair has named."""
    bad = (CORRUPT, ANOMALY)
    if not any(facts["counts"].get(name) for facts in files.values() for name in bad):
        return True
    from journal.log.verify import verify

    return not verify(directory).exit_code


def _copy(
    directory: str,
    cache: str,
    dirty: list[tuple[Segment, list[int]]],
    files: dict[str, Any],
    *,
    hooks: bool,
) -> None:
    """Write the good records of segments that hold something else beside them."""
    if not dirty:
        return
    ensure_directory(cache)
    repeats = {seq for _segment, seqs in dirty for seq in seqs}
    names = {segment.name for segment, _seqs in dirty}
    for segment, batches in Reader(directory).by_segment():
        if segment.name not in names:
            for _batch in batches:
                pass
            continue
        name = segment.name.removesuffix(".jsonl") + ".clean.jsonl"
        count = _write(os.path.join(cache, name), batches, repeats, hooks=hooks)
        files[segment.name] |= {"copy": name, "records": count}


def _write(path: str, batches: Iterator[Batch], repeats: set[int], *, hooks: bool) -> int:
    count, keys = 0, _Keys({})
    temporary = f"{path}.{os.getpid()}"
    with os.fdopen(open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
        for batch in batches:
            text = b"\n".join([line for _seq, line in batch])
            again = repeats.union(keys.repeats(batch, text) if hooks else ())
            for seq, line in batch:
                if seq not in again:
                    count += 1
                    file.write(_readable(line) + b"\n")
    os.replace(temporary, path)
    return count


def _readable(line: bytes) -> bytes:
    if _ODD not in line:
        return line
    return dumps(loads(line))  # which has no lone surrogates
