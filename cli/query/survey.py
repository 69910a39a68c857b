"""Which files the tables are read from, and what in them is no record.

DuckDB knows no checksum. So each log is read once through the journal's own reader, and what that
said is kept beside the cache: a file in which every line is a record in its place is handed to
DuckDB as it is; of any other it gets a copy with the good records alone.
Invariant: a row is a record whose checksum passes, once; whatever was left out is counted.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from journal.codec import digest, dumps, loads
from journal.home import ensure_directory
from journal.log.append import open_regular
from journal.log.read import Reader
from journal.log.record import CAP, is_whole
from journal.log.segment import Segment, segments
from journal.problem import ANOMALY, CORRUPT, TORN, VALID, JournalOffError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.problem import Finding

__all__ = ["Log", "Source", "find_logs", "look", "save"]

FORM = 1
INDEX = "index.json"
REPEAT_SPAN = 512  # as in projections.fold: a key that comes again so soon is the same hook call
_ODD = b"\\ud"  # a lone surrogate, which no table can hold


class Source:
    """One segment. path: of the log; lines: what DuckDB reads (path or a copy); parquet: mirror."""

    __slots__ = ("facts", "lines", "mirror", "name", "parquet", "path", "sealed")

    def __init__(self, segment: Segment, facts: dict[str, Any]) -> None:
        self.name = segment.name
        self.path = segment.path
        self.sealed = segment.sealed
        self.facts = facts
        self.lines = segment.path
        self.mirror = ""
        self.parquet = ""


class Log:
    """One log. project; side: "live" or "imported"; directory; cache: where its copies are.

    counts: by verdict, `repeated` with them; known: every gap was named by a repair.
    """

    def __init__(self, project: str, side: str, directory: str, cache: str) -> None:
        self.project = project
        self.side = side
        self.directory = directory
        self.cache = cache
        self.index: dict[str, Any] = {}
        self.sources: list[Source] = []
        self.counts: dict[str, int] = {}
        self.known = True

    @property
    def excluded(self) -> int:
        """Lines that are no rows."""
        counts = self.counts
        odd = counts.get(ANOMALY, 0) - counts.get("gaps", 0)
        return counts.get(TORN, 0) + counts.get(CORRUPT, 0) + odd

    @property
    def faulty(self) -> bool:
        """Whether something is lost that no repair has named."""
        return bool(self.counts.get(CORRUPT) or self.counts.get(ANOMALY)) and not self.known


def find_logs(home: str, project: str = "") -> list[Log]:
    """Give the logs under a journal home: of one project, or of all."""
    try:
        names = [project] if project else sorted(os.listdir(home))
    except FileNotFoundError:
        return []
    found = []
    for name in names:
        for side, below in (("live", ""), ("imported", "imported")):
            directory = os.path.join(home, name, below).rstrip(os.sep)
            cache = os.path.join(home, "cache", name, side)
            if name != "cache" and os.path.isdir(directory) and segments(directory):
                found.append(Log(name, side, directory, cache))
    return found


def look(log: Log) -> None:
    """Fill in sources and counts, reading what was not read before."""
    listed = segments(log.directory)
    index = _load(log.cache)
    kept = index.get("files", {})
    new = {item.name: _identity(item.path) for item in listed}
    if {name: facts["id"] for name, facts in kept.items()} != new:
        index = _scan(log, listed, new, index)
        log.index = index
        save(log)
    log.index = index
    for segment in listed:
        facts = index["files"].get(segment.name)
        if not facts or not facts["records"]:
            continue
        source = Source(segment, facts)
        if facts["copy"]:
            source.lines = os.path.join(log.cache, facts["copy"])
        source.mirror = os.path.join(log.cache, segment.name.removesuffix(".jsonl") + ".parquet")
        log.sources.append(source)
        for name, count in facts["counts"].items():
            log.counts[name] = log.counts.get(name, 0) + count
    log.known = index.get("known", True)


def save(log: Log) -> None:
    """Keep what was found; without a place to write, the next query looks again."""
    try:
        ensure_directory(log.cache)
        path = os.path.join(log.cache, INDEX)
        temporary = f"{path}.{os.getpid()}"
        with os.fdopen(open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w") as file:
            file.write(json.dumps(log.index))
        os.replace(temporary, path)
    except (OSError, JournalOffError):
        return


def _load(cache: str) -> dict[str, Any]:
    try:
        with os.fdopen(open_regular(os.path.join(cache, INDEX), os.O_RDONLY)) as file:
            index = json.load(file)
    except (OSError, ValueError, JournalOffError):
        return {}
    fits = isinstance(index, dict) and index.get("form") == FORM
    if not fits or not isinstance(index.get("files"), dict):
        return {}
    copies = [facts.get("copy") for facts in index["files"].values()]
    here = all(not name or os.path.isfile(os.path.join(cache, name)) for name in copies)
    return index if here else {}


def _identity(path: str) -> list[Any]:
    """Size, times, inode and the digest of the last 4 KiB: another file has another."""
    facts = os.stat(path)
    try:
        descriptor = open_regular(path, os.O_RDONLY)
    except JournalOffError:
        return [facts.st_size, facts.st_mtime_ns, facts.st_ino, ""]
    try:
        end = os.pread(descriptor, 4096, max(0, facts.st_size - 4096))
    finally:
        os.close(descriptor)
    return [facts.st_size, facts.st_mtime_ns, facts.st_ino, digest(end, 8)]


class _Keys:
    """Idempotency keys met of late: which record is the same hook call again."""

    def __init__(self, held: dict[str, int]) -> None:
        self.held = {key.encode(): seq for key, seq in held.items()}

    def repeats(self, batch: list[tuple[int, bytes]]) -> list[int]:
        """Seqs of the records that are repeats."""
        held, found = self.held, []
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
        if len(held) > 64 * REPEAT_SPAN:
            self.held = self.recent()
        return found

    def recent(self) -> dict[bytes, int]:
        """Keys that can still tell a repeat."""
        newest = max(self.held.values(), default=0)
        return {key: seq for key, seq in self.held.items() if newest - seq <= REPEAT_SPAN}


def _scan(log: Log, listed: list[Segment], identities: dict[str, Any],
          index: dict[str, Any]) -> dict[str, Any]:  # fmt: skip
    """Read the log through its reader: from where it was left, else all of it."""
    old, tail = index.get("files", {}), _resumable(listed, identities, index)
    files = {name: facts for name, facts in old.items() if name in identities} if tail else {}
    went_on = files.pop(tail["name"], None) if tail else None
    reader = Reader(log.directory, tail["seq"], (tail["first"], tail["offset"])) if tail else (
        Reader(log.directory)
    )  # fmt: skip
    keys = _Keys(tail.get("keys", {}))
    dirty: list[tuple[Segment, list[int]]] = []
    last = None
    for segment, batches in reader.by_segment():
        before = dict(reader.counts)
        known = len(reader.findings)
        records, repeated, odd = 0, [], False
        for batch in batches:
            records += len(batch)
            repeated += keys.repeats(batch)
            odd = odd or any(_ODD in line for _seq, line in batch)
        counts = {n: c - before.get(n, 0) for n, c in reader.counts.items() if n != VALID}
        counts["gaps"] = sum(f.what.startswith("gap: ") for f in reader.findings[known:])
        counts["repeated"] = len(repeated)
        odd = odd or not _harmless(segment, reader.findings[known:], counts)
        files[segment.name] = {
            "id": identities.get(segment.name, []), "records": records, "copy": "",
            "counts": {name: count for name, count in counts.items() if count},
        }  # fmt: skip
        copied = False
        if went_on and segment.first == tail["first"]:
            _add(files[segment.name], went_on)
            copied = bool(went_on["copy"])
        if odd or repeated or copied:
            dirty.append((segment, repeated))
        last = segment
    _copy(log, dirty, files)
    found = {"form": FORM, "files": files, "known": _all_known(log, files), "tail": {}}
    if last is not None and not files[last.name]["counts"] and reader.last_seq:
        found["tail"] = _tail(last, reader.last_seq, keys)
    return found


def _add(facts: dict[str, Any], before: dict[str, Any]) -> None:
    facts["records"] += before["records"]
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


def _resumable(listed: list[Segment], identities: dict[str, Any],
               index: dict[str, Any]) -> dict[str, Any]:  # fmt: skip
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
    return {"name": segment.name, "seq": seq, "first": segment.first, "offset": start + end + 1,
            "end": data[end - 18 : end + 1].decode("ascii", "replace"), "keys": held}  # fmt: skip


def _all_known(log: Log, files: dict[str, Any]) -> bool:
    """Whether nothing is lost but what a repair has named."""
    bad = (CORRUPT, ANOMALY)
    if not any(facts["counts"].get(name) for facts in files.values() for name in bad):
        return True
    from journal.log.verify import verify

    return not verify(log.directory).exit_code


def _copy(log: Log, dirty: list[tuple[Segment, list[int]]], files: dict[str, Any]) -> None:
    """Write the good records of segments that hold something else beside them."""
    if not dirty:
        return
    ensure_directory(log.cache)
    repeats = {seq for _segment, seqs in dirty for seq in seqs}
    names = {segment.name for segment, _seqs in dirty}
    for segment, batches in Reader(log.directory).by_segment():
        if segment.name not in names:
            for _batch in batches:
                pass
            continue
        name = segment.name.removesuffix(".jsonl") + ".clean.jsonl"
        count = _write(os.path.join(log.cache, name), batches, repeats)
        files[segment.name] |= {"copy": name, "records": count}


def _write(path: str, batches: Iterator[list[tuple[int, bytes]]], repeats: set[int]) -> int:
    count, keys = 0, _Keys({})
    temporary = f"{path}.{os.getpid()}"
    with os.fdopen(open_regular(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
        for batch in batches:
            again = repeats.union(keys.repeats(batch))
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
