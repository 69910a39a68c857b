"""Fold a log from the last kept place on, and keep the states at the places passed on the way.

Invariant: what is given is what a fold from the first record gives; only `Run.start` tells.
"""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING

from journal.history.replay.facts import ABOUT, About, ts_of
from journal.history.replay.store import Files
from journal.log.read import BATCH, Reader
from journal.log.segment import segments
from projections.fold import Fold
from projections.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.log.position import Bookmark

    Batch = list[tuple[int, bytes]]
    Places = tuple[Bookmark | None, Bookmark | None]

__all__ = ["EVERY", "Run", "keep", "run_to", "within"]

EVERY = 64 * BATCH  # some 50,000 records
_PACKED = 5  # times a compressed segment's bytes are about its own
_SEALED = 4 * EVERY  # what a sealed segment counts for


class Run:
    """One pass over a log.

    fold: what was fed; reader: as if it had read everything from the start. about: facts of all
    that was fed, where asked for. start: seq of the kept place, 0 for the beginning.
    upto: the last seq, or the last time, that will be fed. most: see `Files.best`.
    """

    def __init__(
        self,
        directory: str,
        names: Iterable[str],
        *,
        upto: int | str | None = None,
        most: int | None = None,
        about: bool = False,
    ) -> None:
        projections = [REGISTRY[name] for name in dict.fromkeys(names)]
        self._files = Files(directory)
        wanted = [item.name for item in projections] + ([ABOUT] if about else [])
        kept = self._files.best(wanted, upto, most)
        self.start = 0
        self.about = About() if about else None
        if kept is None:
            self.fold = Fold(projections)
            self.reader = Reader(directory, every=EVERY, helped=True)
        else:
            self.fold = Fold(projections, kept.states, kept.head.keys, kept.bookmark.seq)
            kinds = self.fold.kinds
            unknown = kept.head.unknown
            self.fold.unknown = {kind: n for kind, n in unknown.items() if kind in kinds}
            self.reader = Reader(directory, bookmark=kept.bookmark, every=EVERY, helped=True)
            self.start = kept.bookmark.seq
            self.about = kept.about if about else None
        self._source = self.reader.batches()
        self._whole = True  # everything that was read was fed
        self._between: Bookmark | None = None
        self._read_on = 0  # bytes of log since states were last kept
        self.places: Places = (None, None)

    def batches(self) -> Iterator[Batch]:
        """Give the records from the kept place on.

        places: right before and right after the batch given last, where states may be kept.
        """
        for batch in self._source:
            before, self._between = self._between, self.reader.between
            fresh = self._between if self._between is not before else None
            self.places = (fresh, self.reader.bookmark())
            yield batch

    def feed(self, records: Batch, *, whole: bool, places: Places | None = None) -> None:
        """Fold records. whole: they are all of a batch; places: of that, unless it is the last."""
        before, after = self.places if places is None else places
        self._keep(before, _SEALED)
        self._whole = self._whole and whole
        if not records:
            return
        self.fold.feed(records)
        if self.about is not None:
            self.about.see(records)
        self._keep(after, EVERY)

    def rest(self) -> None:
        """Read what comes after the records given so far, for the findings alone."""
        bookmark = self._files.last()
        if bookmark is not None and bookmark.seq > self.reader.last_seq:
            self.reader = Reader(self.reader.directory, bookmark=bookmark)
            self._source = self.reader.batches()
        for _ in self._source:
            pass

    def finish(self) -> None:
        """Keep the states after the last record, where the log ends in a sealed segment."""
        if self.reader.between is not None and self.reader.between is not self._between:
            self._keep(self.reader.between, _SEALED)

    def _keep(self, bookmark: Bookmark | None, passed: int) -> None:
        """Keep the states at a place, but never more bytes of states than half of the log's."""
        if bookmark is None or not self._whole:
            return
        self._read_on += passed
        if self._read_on >= 2 * self._files.size:
            self._files.save(bookmark, self.fold, self.about)
            self._read_on = 0


def keep(directory: str) -> None:
    """Keep the states of all projections at every place of a log that is long enough for it."""
    try:
        sizes = [
            os.path.getsize(item.path) * (_PACKED if item.path.endswith(".gz") else 1)
            for item in segments(directory)
        ]
    except OSError:
        return
    if sum(sizes) < EVERY:
        return
    run = Run(directory, REGISTRY, about=True)
    for batch in run.batches():
        run.feed(batch, whole=True)
    run.finish()


def run_to(
    directory: str,
    names: Iterable[str],
    bound: int | str | None,
    last: int,
    *,
    about: bool = False,
) -> tuple[Run, Batch, Batch]:
    """Fold all records within the bound but the `last` ones.

    Give the run, those records, and what of the same batch comes after a bound that is a seq.
    """
    names = list(names)
    most = max(0, bound - last) if isinstance(bound, int) else None
    while True:
        run = Run(directory, names, upto=bound, most=most, about=about)
        held, after = _up_to(run, bound, last)
        if len(held) >= last or not run.start:
            return run, held, after
        most = max(0, run.start - (last - len(held)))


def _up_to(run: Run, bound: int | str | None, last: int) -> tuple[Batch, Batch]:
    waiting: deque[tuple[Batch, bool, Places]] = deque()
    held, after = 0, []
    for batch in run.batches():
        records = batch if bound is None else [item for item in batch if within(item, bound)]
        waiting.append((records, len(records) == len(batch), run.places))
        held += len(records)
        while held - len(waiting[0][0]) >= last:
            first, whole, places = waiting.popleft()
            held -= len(first)
            run.feed(first, whole=whole, places=places)
            if not waiting:
                break
        if isinstance(bound, int) and batch[-1][0] >= bound:
            after = [item for item in batch if item[0] > bound]
            break
    rest = [item for records, _, _ in waiting for item in records]
    end = max(0, len(rest) - last)
    run.feed(rest[:end], whole=False, places=(None, None))
    return rest[end:], after


def within(item: tuple[int, bytes], bound: int | str) -> bool:
    """Whether a record is within a bound, a seq or a time, which counts itself."""
    if isinstance(bound, int):
        return item[0] <= bound
    return ts_of(item[1]) <= bound
