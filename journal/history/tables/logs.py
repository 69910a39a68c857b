"""The logs that tables are made of, each read through the journal's own reader.

Invariant: a row is a record whose checksum passes, once; whatever was left out is counted.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from journal.files import open_regular
from journal.history.logs import log_directories
from journal.history.tables.columns import quoted
from journal.history.tables.extract import Extract
from journal.history.tables.repeats import Repeats
from journal.home import ensure_directory
from journal.log.findings import ANOMALY, CORRUPT, TORN, VALID
from journal.log.read import Reader
from journal.log.segment import segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from journal.history.tables.engine import Engine
    from journal.log.findings import Findings

__all__ = ["Log", "find_logs"]

_LOCK = "lock"
_GROWING = b'"type":"usage.recorded"'  # an import records a reply again that has grown
_PART = 64 * 1024 * 1024  # bytes of records that become one file


class Log:
    """One log. project; side: "live" or "imported"; directory; cache: for what is stored of it.

    extracts: family → rows; counts: lines that are no rows, by verdict, `repeated` with them;
    found: what its reader noticed, None where no table was made. state: changes with every byte
    of the log that was read; "" where it is unknown.
    """

    def __init__(self, project: str, side: str, directory: str, cache: str) -> None:
        self.project = project
        self.side = side
        self.directory = directory
        self.cache = cache
        self.extracts: dict[str, Extract] = {}
        self.counts: dict[str, int] = {}
        self.found: Findings | None = None
        self.state = ""

    @property
    def excluded(self) -> int:
        """Lines that are no rows."""
        return sum(self.counts.get(name, 0) for name in (TORN, CORRUPT, ANOMALY))

    def read(self, names: Iterable[str], connect: Callable[[], Engine]) -> None:
        """Make the rows of these families that are not stored yet.

        Families that reach equally far are read together. connect: opens the connection that
        writes rows, called where there are any to write.
        """
        ensure_directory(self.cache)
        lock = open_regular(os.path.join(self.cache, _LOCK), os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            groups: dict[int, list[Extract]] = {}
            for name in names:
                made = Extract(self.directory, self.cache, name, self._origin)
                self.extracts[name] = made
                groups.setdefault(made.position.seq if made.position else 0, []).append(made)
            self._sweep({made.name for made in groups.get(0, [])})
            for extracts in groups.values():
                self._read_on(extracts, connect)
        finally:
            os.close(lock)

    def discard(self) -> None:
        """Remove the files that serve this process alone."""
        for extract in self.extracts.values():
            if extract.rest:
                os.unlink(extract.rest)

    @property
    def _origin(self) -> str:
        return f"{quoted(self.project)} as project,{self.side == 'imported'} as imported"

    def _sweep(self, new: set[str]) -> None:
        """Remove what does not hold any more, and what version 0.1.0 stored."""
        for entry in os.listdir(self.cache):
            if entry.lstrip(".").replace(".", "-").partition("-")[0] in new:
                os.unlink(os.path.join(self.cache, entry))
        earlier = os.path.dirname(self.cache)
        for entry in os.listdir(earlier):
            if entry == "index.json" or entry.endswith((".parquet", ".clean.jsonl")):
                os.unlink(os.path.join(earlier, entry))

    def _read_on(self, extracts: list[Extract], connect: Callable[[], Engine]) -> None:
        first = extracts[0]
        reader = Reader(self.directory, position=first.position, found=first.found, whole=True)
        repeats = Repeats(**first.repeats, exempt=b"" if self.side == "live" else _GROWING)
        size = 0

        def commit() -> bool:
            position = reader.position()
            if position is None or not size:
                return False
            state = {"recent": repeats.recent(position.seq), "count": repeats.count}
            for extract in extracts:
                extract.commit(connect, position, state, reader.found)
            return True

        for batch in reader.batches():
            lines = [line for _seq, line in repeats.drop(batch)]
            size += sum(map(len, lines))
            for extract in extracts:
                extract.add(lines)
            if size >= _PART and commit():
                size = 0
        if not commit():
            for extract in extracts:
                extract.hold(connect)
        self._count(reader, repeats.count)

    def _count(self, reader: Reader, repeated: int) -> None:
        gaps = len(reader.gaps)
        counts = {name: count for name, count in reader.counts.items() if name != VALID}
        counts[ANOMALY] = counts.get(ANOMALY, 0) - gaps
        self.counts = {name: count for name, count in counts.items() if count}
        if repeated:
            self.counts["repeated"] = repeated
        self.found = reader.found
        if position := reader.position():
            files = [facts[-1] for facts in position.sealed]
            self.state = f"{position.journal} {position.seq} {position.checksum} {files}"


def find_logs(home: str, project: str, cache: str) -> list[Log]:
    """Return the logs under a journal home: of one project, or of all. cache: for their rows."""
    only = [project] if project else []
    return [
        Log(name, side, directory, os.path.join(cache, name, side, "tables"))
        for name, side, directory in log_directories(home, only)
        if segments(directory)
    ]
