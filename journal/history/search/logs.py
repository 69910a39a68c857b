"""List the logs, and fold the digests that the new records of one change.

Invariant: reading on gives the same as reading all. If the log is no longer the one that was read
(`checkpoint.position_holds`), all of it is read again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from journal.checkpoint import Position, position_holds
from journal.codec import dumps
from journal.history.logs import log_directories
from journal.history.replay.run import replay_all
from journal.history.replay.stored import StoredFolds
from journal.log.read import Reader
from journal.log.segment import segments
from journal.log.unchanged import file_facts
from projections.digest import Digest
from projections.digests import KINDS, PARTS, Digests
from projections.fold import Fold
from projections.projection import Projection


class IndexedLog(NamedTuple):
    """One log. files: its segments with sizes, times and inodes; if equal, nothing is new."""

    project: str
    side: str
    directory: str
    files: str


class LogReading(NamedTuple):
    """What the new records of a log changed.

    digests: of the sessions that changed; fresh: the log was read from its first record, so any
    other session is gone; position: where to read on, None for the beginning;
    keys: recent idempotency keys (`Fold.recent_keys`); complete: whether the end was reached;
    stopped: whether a system call failed on the way.
    """

    digests: dict[str, Digest]
    fresh: bool
    position: Position | None
    keys: dict[str, int]
    complete: bool
    stopped: bool


class _Digests(dict[str, Digest]):
    """The digests that changed, by session; others come from `load`."""

    def __init__(self, load: Callable[[str], Digest | None]) -> None:
        super().__init__()
        self._load = load

    def get(self, sid: str, default: Any = None) -> Any:
        if sid in self:
            return self[sid]
        return (self._load(sid) if sid else None) or default

    def copy(self) -> "_Digests":
        """Return the same object: a fold may change it."""
        return self


def logs_of(home: str, only: Iterable[str] = ()) -> Iterator[IndexedLog]:
    """Yield the logs in a journal home, live and imported: of some projects, or of all."""
    for name, side, directory in log_directories(home, only):
        if files := _files(directory):
            yield IndexedLog(name, side, directory, files)


def read(
    log: IndexedLog,
    position: Position | None,
    keys: Mapping[str, int],
    load: Callable[[str], Digest | None],
    most: int = 0,
    *,
    stores: bool = True,
) -> LogReading:
    """Read the new records of a log, about `most` bytes (0: all).

    position, keys: of the last reading. load: returns a session's digest as of then. stores:
    whether a checkpoint may be stored.
    """
    fresh = position is None or not position_holds(log.directory, position, whole=True)
    if fresh:
        position, keys = None, {}
    digests: dict[str, Digest] = {} if fresh else _Digests(load)
    projection = Projection("index", 1, Digests(digests), {}, PARTS, any_agent=KINDS)
    fold = Fold([projection], None, keys, position.seq if position else 0)
    complete = True
    if stores and fresh and not most and not StoredFolds(log.directory).seqs():
        # The command checks the log for damage next: one pass serves both.
        reader = replay_all(log.directory, (), each=fold.feed).reader
    else:
        reader = Reader(log.directory, 0, position, whole=True)
        for batch in reader.batches():
            fold.feed(batch)
            if 0 < most <= reader.bytes_read and reader.position() is not None:
                complete = False
                break
    found: dict[str, Digest] = fold.states[projection.name].sessions
    reached, recent = reader.position(), fold.recent_keys()
    return LogReading(found, fresh, reached, recent, complete, reader.stopped)


def _files(directory: str) -> str:
    """Return facts that change with the log; "" if there is none."""
    try:
        listed = segments(directory)
        return dumps([[item.name, *file_facts(item)] for item in listed]).decode() if listed else ""
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return "unreadable"  # its sessions stay in the index
