"""Fold the recovery view of a long log only where its state is read: before each checkpoint.

It costs a quarter of what `journal status` folds, and its state has few sessions, all of them
recent. Invariant: at a checkpoint, the state is that of a fold of all records. A state that was
folded from a later record on is that one if it is full and each of its sessions began after the
skipped records and continues none from before; otherwise the view is folded again from the
beginning.
"""

from journal.history.replay.facts import LogFacts
from journal.log.read import Reader
from projections.fold import Fold
from projections.projection import MOST_SESSIONS, Projection
from projections.recovery import PROJECTION, Recovery

_LEAST = 1024 * 1024  # bytes of a log that tell how long its sessions are
_WINDOW = 64  # sessions to fold before a checkpoint: more than a state has, as some change nothing

ORIGINS = Projection(
    "origins",
    1,
    frozenset(),
    {"session.started": lambda pairs, event: pairs | {(event.sid, event.previous)}},
)
"""Pairs (session, session that it continues); it begins with that session's part of the view."""
_NAMES = (PROJECTION.name, ORIGINS.name)
_EMPTY = {PROJECTION.name: Recovery(), ORIGINS.name: frozenset()}


class Skipping:
    """Skips the recovery view where it can, in a fold that begins with the first record.

    fold: of the view, `ORIGINS` and others. reader, facts: of the records that it was fed.
    may_skip: False for a fold without the view, or from a later record on.
    """

    def __init__(self, fold: Fold, reader: Reader, facts: LogFacts, *, may_skip: bool) -> None:
        self._fold = fold
        self._reader = reader
        self._facts = facts
        self._skips = False
        self._since = 0  # seq from which on the view was folded, 0: from the beginning
        self._may_skip = may_skip  # until that has cost a second reading

    def step(self, left: int) -> None:
        """Skip or fold the next records; left: bytes up to the next checkpoint."""
        fold, read = self._fold, self._reader.bytes_read
        window = _WINDOW * read // max(1, len(self._facts.sessions))
        if self._skips and left <= window:
            self._skips, self._since = False, fold.seq + 1
            fold.continue_with([item.name for item in fold.projections], _EMPTY)
        elif self._may_skip and not self._skips and read >= _LEAST and left > 2 * window:
            self._skips = True
            names = [item.name for item in fold.projections if item.name not in _NAMES]
            fold.continue_with(names, _EMPTY)

    def settle(self) -> None:
        """Complete the state of the view, for a checkpoint or at the end."""
        fold = self._fold
        if self._skips or (self._since and not self._is_whole()):
            again = Fold([PROJECTION])
            for batch in Reader(self._reader.directory).batches():
                again.feed([item for item in batch if item[0] <= fold.seq])
                if again.seq >= fold.seq or batch[-1][0] >= fold.seq:
                    break
            fold.continue_with([item.name for item in fold.projections], again.states)
            self._may_skip = False
        self._skips, self._since = False, 0

    def _is_whole(self) -> bool:
        """Return whether nothing before the first folded record could change the state."""
        states, sessions = self._fold.states, self._facts.sessions
        parts = states[PROJECTION.name].sessions
        related: set[str] = set()
        found = {*parts}
        while found - related:
            related |= found
            found = {name for sid, name in states[ORIGINS.name] if sid in related and name}
        return len(parts) == MOST_SESSIONS and all(
            sid in sessions and sessions[sid][0] >= self._since for sid in related
        )
