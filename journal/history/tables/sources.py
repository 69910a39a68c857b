"""Which files the tables are read from, and what in them is no record.

DuckDB knows no checksum. So each log is read once through the journal's own reader, and what that
said is kept beside the cache: a file in which every line is a record in its place is handed to
DuckDB as it is; of any other it gets a copy with the good records alone.
Invariant: a row is a record whose checksum passes, once; whatever was left out is counted.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from journal.codec import digest
from journal.errors import ANOMALY, CORRUPT, TORN, JournalOffError
from journal.files import open_regular
from journal.history.tables.scan import FORM, scan
from journal.home import ensure_directory
from journal.log.segment import Segment, segments

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Log", "Source", "find_logs", "look", "look_at_all", "save"]

INDEX = "index.json"
_WORTH = 32 * 1024 * 1024  # unread bytes that are worth starting processes for
_MOST = 4


class Source:
    """One segment. path: of the log; lines: what DuckDB reads (path or a copy); parquet: mirror.

    held: its records are in a table in memory.
    """

    __slots__ = ("facts", "held", "lines", "mirror", "name", "parquet", "path", "sealed")

    def __init__(self, segment: Segment, facts: dict[str, Any]) -> None:
        self.name = segment.name
        self.path = segment.path
        self.sealed = segment.sealed
        self.facts = facts
        self.lines = segment.path
        self.mirror = ""
        self.parquet = ""
        self.held = False


class Log:
    """One log. project; side: "live" or "imported"; directory; cache: where its copies are.

    counts: by verdict, `repeated` with them; known: every gap was named by a repair; size: bytes
    that were not read before.
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
        self.size = 0

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


def look(log: Log, *, read: bool = True) -> bool:
    """Fill in sources and counts, reading what was not read before; without `read`, only if not.

    False where it was not filled in.
    """
    for _ in range(3):
        try:
            return _look(log, read=read)
        except FileNotFoundError:  # it was sealed or compressed this moment
            log.sources, log.counts = [], {}
    return _look(log, read=read)


def _look(log: Log, *, read: bool) -> bool:
    listed = segments(log.directory)
    index = _load(log.cache)
    kept = index.get("files", {})
    new = {item.name: _identity(item.path) for item in listed}
    if {name: facts["id"] for name, facts in kept.items()} != new:
        if not read:
            log.size = sum(found[0] for name, found in new.items() if name not in kept)
            return False
        hooks = log.side == "live"
        index = scan(log.directory, log.cache, listed, new, index, hooks=hooks)
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
    return True


def look_at_all(logs: list[Log], say: Callable[[str], None]) -> None:
    """Look at logs; where much was not read before, in several processes.

    What another process read it left in the cache, so that looking again costs nothing.
    """
    unread = [log for log in logs if not look(log, read=False)]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    count = min(cores, len(unread), _MOST) if sum(log.size for log in unread) > _WORTH else 1
    shares = [unread[number::count] for number in range(1, count)]
    say("reading what was not read before")
    others = [_beside(share) for share in shares]
    for log in unread[::count]:
        say(f"reading {log.project}")
        look(log)
    for pid in others:
        os.waitpid(pid, 0)
    for share in shares:
        for log in share:
            look(log)


def _beside(logs: list[Log]) -> int:
    """Look at logs in a process of its own; give its id."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for log in logs:
            look(log)
    finally:
        os._exit(0)  # a fault comes up again where the log is looked at once more


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
    except FileNotFoundError:
        raise
    except (OSError, JournalOffError):  # a link, say: the reader will tell
        return [facts.st_size, facts.st_mtime_ns, facts.st_ino, ""]
    try:
        end = os.pread(descriptor, 4096, max(0, facts.st_size - 4096))
    finally:
        os.close(descriptor)
    return [facts.st_size, facts.st_mtime_ns, facts.st_ino, digest(end, 8)]
