"""The journal as commands read it: records, folds, and what was wrong on the way.

Invariant: what commands show is what the whole log says from its first record on, and `complete`
is about all of it; where states are kept, only what came since is read again. Reading
takes no lock.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK, warn
from cli.scope import moment_of
from journal.errors import JournalError
from journal.history.replay.facts import sid_of, ts_of
from journal.history.replay.run import Run, within
from journal.log.read import Reader
from projections.fold import Fold
from projections.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.scope import Scope

__all__ = ["Folded", "between", "chosen", "fold", "outcome", "sessions_in", "sid_of", "ts_of"]

Bound = int | str | None


class Folded:
    """A journal folded.

    states: projection name → state. seq, ts: the last record folded in. events: how many records
    there are. first: time of the first; last_type: type of the last. sessions: every sid seen → its
    last seq; lines: → its last record, where that was read; times: → its time, where it was not.
    reader: findings.
    """

    def __init__(self, names: Iterable[str], directory: str) -> None:
        self.fold = Fold([REGISTRY[name] for name in names])
        self.reader = Reader(directory)
        self.seq = 0
        self.ts = ""
        self.first = ""
        self.last_type = ""
        self.events = 0
        self.sessions: dict[str, int] = {}
        self.lines: dict[str, bytes] = {}
        self.times: dict[str, str] = {}

    def take(self, run: Run) -> None:
        """Be what a run has folded."""
        about = run.about
        assert about is not None
        self.fold, self.reader = run.fold, run.reader
        self.seq, self.ts = run.fold.seq, about.ts
        self.first, self.last_type, self.events = about.first, about.last_type, about.events
        self.sessions = {sid: last for sid, (_, last, _ts) in about.sessions.items()}
        self.times = {sid: ts for sid, (_, _last, ts) in about.sessions.items()}

    @property
    def states(self) -> dict[str, Any]:
        """State of each projection."""
        return self.fold.states

    @property
    def complete(self) -> bool:
        """Whether every record could be read and was in its place."""
        return self.reader.complete

    def last(self, sid: str) -> str:
        """Time of a session's last event, "" where it has none."""
        line = self.lines.get(sid)
        return ts_of(line) if line is not None else self.times.get(sid, "")

    def session(self, scope: Scope) -> str:
        """Session a reading command is about: the one asked for, else the client's if it is known.

        "" is all of them. JournalError for an asked one that is not there, or not the only one.
        """
        asked = scope.asked
        if not asked:
            return scope.current if scope.current in self.sessions else ""
        return chosen(asked, self.sessions)


def chosen(asked: str, known: Iterable[str]) -> str:
    """Session named by its id or the beginning of it."""
    fits = [sid for sid in known if sid == asked] or [s for s in known if s.startswith(asked)]
    if len(fits) == 1:
        return fits[0]
    remedy = "journal view sessions lists them"
    if not fits:
        raise JournalError("", f"there is no session {asked} in this journal", remedy)
    shown = ", ".join(fits[:3]) + (" …" if len(fits) > 3 else "")
    raise JournalError("", f"{asked} is the beginning of {len(fits)} sessions: {shown}", remedy)


def sessions_in(directory: str) -> set[str]:
    """Every session a journal names."""
    run = Run(directory, (), about=True)
    for batch in run.batches():
        run.feed(batch, whole=True)
    run.finish()
    assert run.about is not None
    return set(run.about.sessions)


def fold(scope: Scope, names: Iterable[str], until: str = "", *, upto: int = 0) -> Folded:
    """Fold the journal of the scope. until: SEQ|TIME as typed. upto: a seq, where one is known."""
    scope.must_exist()
    bound: Bound = upto or (moment_of(until, scope.now, end=True) if until else None)
    names = list(names)
    run = Run(scope.directory, names, upto=bound, about=True)
    for batch in run.batches():
        records = batch if bound is None else [item for item in batch if within(item, bound)]
        run.feed(records, whole=len(records) == len(batch))
        if isinstance(bound, int) and batch[-1][0] >= bound:
            run.rest()
            break
    run.finish()
    folded = Folded(names, scope.directory)
    folded.take(run)
    return folded


def outcome(reader: Reader) -> int:
    """Exit code of a reading command; says on stderr what was wrong with the journal."""
    bad = {name: count for name, count in reader.counts.items() if name in ("corrupt", "anomaly")}
    if not bad or (reader.gaps and _known(reader)):
        return OK
    sys.stdout.flush()
    what = ", ".join(f"{count} {name}" for name, count in bad.items())
    warn(f"warning: {reader.directory}: {what}: not complete; journal verify shows where")
    return FINDINGS


def _known(reader: Reader) -> bool:
    """Whether all that is missing is what a repair has named."""
    from journal.log.verify import verify

    return not verify(reader.directory).exit_code


def between(
    batches: Iterator[list[tuple[int, bytes]]], since: Bound, until: Bound
) -> Iterator[tuple[int, bytes]]:
    """Records within both bounds, which count themselves."""
    for batch in batches:
        for seq, line in batch:
            here: int | str = seq if isinstance(since, int) else ts_of(line)
            if since is not None and here < since:  # type: ignore[operator]
                continue
            if until is None or within((seq, line), until):
                yield seq, line
