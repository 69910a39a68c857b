"""Fold a log up to its end or up to a bound, from the best checkpoint.

Invariant: the result is the same as that of a fold from the first record, except for
`Replay.start`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from journal.checkpoint import Position
from journal.history.replay.facts import LogFacts, ts_of
from journal.history.replay.skipping import ORIGINS, Skipping
from journal.history.replay.stored import STORED, StoredFold, StoredFolds
from journal.log.read import Reader
from journal.log.segment import sizes
from projections.fold import Fold
from projections.projection import Projection
from projections.recovery import PROJECTION as RECOVERY
from projections.registry import REGISTRY

Batch = list[tuple[int, bytes]]

SAVE_AFTER = 1024 * 1024  # bytes of new log after which the states are stored again
_NEAREST = 4 * 1024 * 1024  # bytes between the last checkpoint on the way and the end
_FACTOR = 4


class Replay:
    """One pass over a log.

    fold: of the records fed so far. reader: in the state it would have after reading from the
    beginning. facts: of all records fed. start: seq of the checkpoint used, 0 for the beginning of
    the log.

    Args:
        directory: of the log.
        names: of the projections to fold.
        stored: where to continue; from the first record without it, or if it lacks one of them.
        beside: further projections, which no checkpoint has.

    """

    def __init__(
        self,
        directory: str,
        names: Iterable[str],
        stored: StoredFold | None = None,
        beside: Iterable[Projection] = (),
    ) -> None:
        needed = list(dict.fromkeys(names))
        projections = [*(REGISTRY[name] for name in needed), *beside]
        if stored is None or not stored.names.issuperset(needed):
            self.start = 0
            self.fold = Fold(projections)
            self.facts = LogFacts()
            self.reader = Reader(directory, whole=True)
        else:
            self.start = stored.position.seq
            self.fold = Fold(projections, stored.states(needed), stored.keys, self.start)
            self.fold.unknown = _handled(self.fold, stored.unknown)
            self.facts = stored.facts()
            self.reader = Reader(directory, 0, stored.position, found=stored.found, whole=True)
        self._source = self.reader.batches()

    @property
    def states(self) -> dict[str, Any]:
        """Return the state of each projection."""
        return self.fold.states

    @property
    def seq(self) -> int:
        """Return the seq of the last record folded."""
        return self.fold.seq

    @property
    def complete(self) -> bool:
        """Return whether the reader could read every record, each at its expected position."""
        return self.reader.found.complete

    @property
    def sessions(self) -> dict[str, int]:
        """Return every session that a record names, with the seq of its last record."""
        return {sid: last for sid, (_, last, _ts) in self.facts.sessions.items()}

    def last(self, sid: str) -> str:
        """Return the time of a session's last record, or "" if it has none."""
        return self.facts.sessions.get(sid, (0, 0, ""))[2]

    def batches(self) -> Iterator[Batch]:
        """Return the records after `start`; the caller feeds all or some of them."""
        return self._source

    def feed(self, records: Batch) -> None:
        """Fold records."""
        if records:
            self.fold.feed(records)
            self.facts.add(records)

    def narrow(self, names: Iterable[str]) -> None:
        """Reduce this replay to some of its projections."""
        projections = [REGISTRY[name] for name in dict.fromkeys(names)]
        fold = self.fold
        self.fold = Fold(projections, fold.states, fold.recent_keys(), fold.seq)
        self.fold.unknown = _handled(self.fold, fold.unknown)

    def read_rest(self) -> None:
        """Read the remaining records, only to complete the reader's findings."""
        stored = StoredFolds(self.reader.directory).last()
        if stored is not None and stored.position.seq > self.reader.last_seq:
            self.reader = Reader(self.reader.directory, 0, stored.position, found=stored.found)
            self._source = self.reader.batches()
        for _ in self._source:
            pass


def replay_all(
    directory: str,
    names: Iterable[str] = STORED,
    *,
    stores: bool = True,
    each: Callable[[Batch], object] | None = None,
    most: int = 0,
) -> Replay:
    """Fold a whole log; if much of it is new and `stores` is set, store the states.

    The new checkpoint contains all projections of the previous one: each command adds only those
    that it asks for. each: a function called with all records; then the log is read from its first
    record on. most: stop after about this many new bytes (0: at the end); the next call continues.
    """
    names = list(names)
    folds = StoredFolds(directory)
    stored = None if each else folds.last([name for name in names if name in STORED])
    at = stored.position if stored else Position()
    size, new = sizes(directory, at.segment, at.offset)
    saves = stores and new >= SAVE_AFTER
    newest = (stored or folds.last()) if saves else None
    both = [name for name in STORED if newest and name in newest.names]
    skips = saves and stored is None and RECOVERY.name in (*both, *names)
    replay = Replay(directory, (*both, *names), stored, [ORIGINS] if skips else [])
    skipping = Skipping(replay.fold, replay.reader, replay.facts, may_skip=skips)
    stops = _stops(new) if saves else []
    for batch in replay.batches():
        replay.feed(batch)
        if each:
            each(batch)
        size_read = replay.reader.bytes_read
        skipping.step(min([*stops, new, *filter(None, [most])]) - size_read)
        if stops and size_read >= stops[0]:
            skipping.settle()
            folds.save(replay.reader, replay.fold, replay.facts, size)
            stops = [stop for stop in stops if stop > size_read]
        if 0 < most <= size_read and replay.reader.position() is not None:
            break
    skipping.settle()
    if saves:
        folds.save(replay.reader, replay.fold, replay.facts, size)
        replay.narrow(names)
    return replay


def replay_to(directory: str, names: Iterable[str], bound: int | str) -> Replay:
    """Fold the records up to a bound (a seq or a time), inclusive."""
    replay, _, _ = replay_but_last(directory, names, bound, 0)
    replay.read_rest()
    return replay


def replay_but_last(
    directory: str, names: Iterable[str], bound: int | str | None, last: int
) -> tuple[Replay, Batch, Batch]:
    """Fold all records within the bound except the `last` ones.

    Return the replay, those records, and, if the bound is a seq, the records after it that were
    read in the same batch.
    """
    names = list(names)
    if sizes(directory)[0] >= SAVE_AFTER:  # checkpoints up to near the end of a long log
        replay_all(directory, [name for name in names if name in STORED])
    folds = StoredFolds(directory)
    most = max(0, bound - last) if isinstance(bound, int) else None
    while True:
        replay = Replay(directory, names, folds.last(names, bound, most))
        records, after = _but_last(replay, bound, last)
        if len(records) >= last or not replay.start:
            return replay, records, after
        most = max(0, replay.start - (last - len(records)))


def line_at(directory: str, seq: int) -> bytes:
    """Return the record with a seq, b"" if there is none; start at the last checkpoint before."""
    stored = StoredFolds(directory).last(upto=seq - 1)
    reader = Reader(directory, seq - 1, stored.position if stored else None)
    found, line = next(iter(reader), (0, b""))
    return line if found == seq else b""


def _but_last(replay: Replay, bound: int | str | None, last: int) -> tuple[Batch, Batch]:
    waiting: deque[Batch] = deque()
    count, after = 0, []
    for batch in replay.batches():
        records = batch if bound is None else [item for item in batch if within(item, bound)]
        waiting.append(records)
        count += len(records)
        while waiting and count - len(waiting[0]) >= last:
            first = waiting.popleft()
            count -= len(first)
            replay.feed(first)
        if isinstance(bound, int) and batch[-1][0] >= bound:
            after = [item for item in batch if item[0] > bound]
            break
    rest = [item for records in waiting for item in records]
    end = max(0, len(rest) - last)
    replay.feed(rest[:end])
    return rest[end:], after


def _handled(fold: Fold, unknown: dict[str, int]) -> dict[str, int]:
    """Return the counts of those types that a projection of the fold handles."""
    return {kind: count for kind, count in unknown.items() if kind in fold.kinds}


def _stops(new: int) -> list[int]:
    """Return after how many bytes a fold of `new` bytes stores its states on the way."""
    stops, distance = [], _NEAREST
    while distance < new:
        stops.append(new - distance)
        distance *= _FACTOR
    return stops[::-1]


def within(item: tuple[int, bytes], bound: int | str) -> bool:
    """Return whether a record is within a bound (a seq or a time), inclusive."""
    if isinstance(bound, int):
        return item[0] <= bound
    return ts_of(item[1]) <= bound
