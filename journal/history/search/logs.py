"""List the logs, and fold the digests that the new records of one change.

Invariant: reading on gives the same as reading all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from journal.checkpoint import Position
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
) -> tuple[dict[str, Digest], Fold, Reader, bool]:
    """Read the new records of a log, about `most` bytes (0: all).

    position, keys: of the last reading, None and {} to read from the first record. load: returns a
    session's digest as of then. stores: whether a checkpoint may be stored.

    Returns:
        The digests of the sessions that changed, their fold and its reader, and whether the end was
        reached.

    """
    digests: dict[str, Digest] = _Digests(load) if position else {}
    projection = Projection("index", 1, Digests(digests), {}, PARTS, any_agent=KINDS)
    fold = Fold([projection], None, keys, position.seq if position else 0)
    complete = True
    if stores and not (position or most or StoredFolds(log.directory).seqs()):
        # The command checks the log for damage next: one pass serves both.
        reader = replay_all(log.directory, (), each=fold.feed).reader
    else:
        reader = Reader(log.directory, 0, position, whole=True)
        for batch in reader.batches():
            fold.feed(batch)
            if 0 < most <= reader.bytes_read and reader.position() is not None:
                complete = False
                break
    return fold.states[projection.name].sessions, fold, reader, complete


def _files(directory: str) -> str:
    """Return facts that change with the log; "" if there is none."""
    try:
        listed = segments(directory)
        return dumps([[item.name, *file_facts(item)] for item in listed]).decode() if listed else ""
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError:
        return "unreadable"  # its sessions stay in the index
