"""The views of a journal as of its last record, for hooks and for commands that write.

They are folded from a checkpoint beside the log and the records appended since. Under the lock a
caller folds at most as many bytes as it has time for; `catch_up` folds the remaining records in the
background, without the lock, and stores a checkpoint after each step. Invariant: a stored
checkpoint is the fold of exactly the records before its position.
"""

from __future__ import annotations

import os

import msgspec

from journal.checkpoint import SNAPSHOT, Checkpoint, Position, load_snapshot, save_in_place
from journal.files import last_lines
from journal.log.append import PATIENCE, Busy, Writer
from journal.log.record import is_whole, seq_of
from journal.log.rewrite_watch import last_rewrite
from projections.fold import Fold
from projections.views import HOOK_PROJECTIONS, VERSION, Views, hints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from projections.projection import Projection

HOOK_BYTES = 1024 * 1024  # bytes of log that a hook folds under the lock: some milliseconds
STEP_BYTES = 16 * 1024 * 1024  # folded between two checkpoints: a fifth of a second


class StoredViews(msgspec.Struct):
    """The payload of a snapshot: each view's JSON, and the recent keys that detect repeated events.

    Empty views are not decoded: building a typed decoder costs more than using it.
    """

    views: dict[str, msgspec.Raw]
    keys: dict[str, int]


class Current:
    """The hook's projections, folded up to `position` (None: the beginning of the log).

    Loading gives the views at the position of the journal's snapshot; `advance` folds the records
    after it.
    """

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.position: Position | None = None
        self.fold = Fold(HOOK_PROJECTIONS)
        self._rewritten = last_rewrite(directory)
        self._load()

    @property
    def views(self) -> Views:
        """Return the folded states as one value."""
        return Views(**self.fold.states)

    def advance(self, writer: Writer, limit: int | None = None) -> bool:
        """Fold up to the writer's last record; return False if that takes more than `limit` bytes.

        In that case a part is folded; `store` can save it for the next call.
        """
        at = self.position
        first = seq_of(writer.read(0, 64))
        offset = at.offset if at is not None and at.segment == first else 0
        if at is not None and at.segment == first and _is_within(writer.size - offset, limit):
            done = self._feed(writer.read(offset, writer.size - offset))
        else:
            done = False
        if not done and not self.read_on(limit, unpack=limit is None):
            return False
        end = writer.read(writer.size - 11, 8).decode("ascii", "replace")
        self.position = Position(first, writer.size, self.fold.seq, end) if first > 0 else None
        return True

    def read_on(self, limit: int | None = None, *, unpack: bool = True) -> bool:
        """Fold the remaining records, past any damage, up to about `limit` bytes.

        Return whether the end was reached. A compressed segment is folded whole, because a reader
        cannot resume in the middle of one, and only if `unpack` is set: a hook has no time for it.
        """
        from journal.log.read import Reader  # imported here because a hook seldom needs it

        reader = Reader(self.directory, self.fold.seq, self.position)
        for segment, batches in reader.by_segment():
            packed = segment.path.endswith(".gz")
            if packed and not unpack:
                return False
            for batch in batches:
                self.fold.feed(batch)
                self.position = reader.position()
                if not packed and not _is_within(reader.bytes_read, limit):
                    return False
            if packed and not _is_within(reader.bytes_read, limit):
                return False
        return True

    def store(self) -> bool:
        """Write the snapshot. Call it under the lock. Return False if it cannot be written."""
        at = self.position
        if at is None or at.seq != self.fold.seq:
            return False  # in the middle of damage: a reader cannot resume from here
        if self._rewritten not in (0, last_rewrite(self.directory)):
            return False  # `journal redact` or `gc` has since changed the folded records
        views = {
            name: msgspec.Raw(msgspec.json.encode(view)) for name, view in self.fold.states.items()
        }
        payload = msgspec.json.encode(StoredViews(views, self.fold.recent_keys()))
        checkpoint = Checkpoint(at, VERSION, payload, hints(self.views))
        return save_in_place(f"{self.directory}/{SNAPSHOT}", checkpoint)

    def _load(self) -> None:
        found = load_snapshot(self.directory, VERSION)
        if found is None:
            return
        try:
            stored = msgspec.json.decode(found.payload, type=StoredViews)
            states = {item.name: _view(item, stored.views) for item in HOOK_PROJECTIONS}
        except (msgspec.DecodeError, UnicodeDecodeError, LookupError):
            return
        self.fold = Fold(HOOK_PROJECTIONS, states, stored.keys, found.position.seq)
        self.position = found.position

    def _feed(self, data: bytes) -> bool:
        """Fold whole records with consecutive seqs; otherwise fold nothing and return False."""
        lines = data.removeprefix(b"\n").split(b"\n")
        rest = lines.pop()
        rows = list(enumerate(lines, self.fold.seq + 1))
        if rest or not all(is_whole(line) and seq_of(line) == seq for seq, line in rows):
            return False
        self.fold.feed(rows)
        return True


def fold_of_end(directory: str) -> Fold:
    """Return a fold of only the last `HOOK_BYTES` of a log.

    Its views lack everything before that, so the absence of something in them means nothing. A
    compressed segment is left out, because it takes too long for a hook.
    """
    from journal.log.segment import segments  # imported here as `Reader` is

    lines: list[bytes] = []
    left = HOOK_BYTES
    for segment in reversed(segments(directory)):
        if left <= 0 or segment.path.endswith(".gz"):
            break
        lines = last_lines(segment.path, left) + lines
        left -= os.path.getsize(segment.path)
    fold = Fold(HOOK_PROJECTIONS)
    return fold.feed((seq_of(line), line) for line in lines if is_whole(line))


def append_events(
    directory: str, now: str, events: Iterable[dict[str, Any]], *, sync: str
) -> list[int]:
    """Append events of a command, then store the views for the hooks; return the events' seqs.

    The fold runs after the append and is bounded as in a hook. now: ISO 8601; sync: the setting
    `append.sync`.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: the journal cannot be written.

    """
    with Writer(directory, now, sync=sync, deadline=PATIENCE) as writer:
        seqs = writer.append(*events)
        store_views(writer)
    return seqs


def store_views(writer: Writer, current: Current | None = None) -> None:
    """Fold the appended records, within the limit of a hook, and store the views for the hooks."""
    current = current or Current(writer.directory)
    current.advance(writer, HOOK_BYTES)
    current.store()


def catch_up(directory: str, now: str, least: int = 0) -> int:
    """Fold a journal to its end without its lock; return the number of checkpoints stored.

    The lock is taken only to store a checkpoint. If it is taken by another process, this step is
    not stored; a later step may be. Stop if another process has stored a later position.

    Args:
        directory: of the journal.
        now: ISO 8601.
        least: do nothing unless the snapshot is more than this many bytes behind.

    """
    if not os.path.isdir(directory):
        return 0
    from journal.log.segment import sizes

    current = Current(directory)
    at = current.position or Position()
    if least and _is_within(sizes(directory, at.segment, at.offset)[1], least):
        return 0
    stored = 0
    done = False
    while not done:
        previous = current.fold.seq
        done = current.read_on(STEP_BYTES)
        if current.fold.seq == previous:
            break
        try:
            with Writer(directory, now) as writer:
                other = load_snapshot(directory, VERSION)
                if other is not None and other.position.seq >= current.fold.seq:
                    break
                if done and current.position is not None:
                    current.advance(writer)
                stored += current.store()
        except Busy:
            pass
    return stored


def _is_within(size: int, limit: int | None) -> bool:
    return limit is None or size <= limit


def _view(projection: Projection, views: dict[str, msgspec.Raw]) -> Any:
    raw = bytes(views[projection.name])
    return projection.initial if raw == b"{}" else msgspec.json.decode(raw, type=projection.state)
