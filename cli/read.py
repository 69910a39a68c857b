"""The journal as commands read it: records, folds, and what was wrong on the way.

Invariant: commands read the whole log, not a snapshot, so what they show is what the log says and
`complete` is about all of it. Reading takes no lock.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK, CliError, warn
from cli.scope import moment_of
from journal.log.read import Reader
from journal.log.record import type_of
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
    last seq; lines: → its last record. reader: findings.
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
        return ts_of(self.lines.get(sid, b""))

    def session(self, scope: Scope) -> str:
        """Session a reading command is about: the one asked for, else the client's if it is known.

        "" is all of them. CliError for an asked one that is not there, or not the only one.
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
        raise CliError("", f"there is no session {asked} in this journal", remedy)
    shown = ", ".join(fits[:3]) + (" …" if len(fits) > 3 else "")
    raise CliError("", f"{asked} is the beginning of {len(fits)} sessions: {shown}", remedy)


def sessions_in(directory: str) -> set[str]:
    """Every session a journal names."""
    found = {sid_of(line) for batch in Reader(directory).batches() for _, line in batch}
    return found - {""}


def fold(scope: Scope, names: Iterable[str], until: str = "", *, upto: int = 0) -> Folded:
    """Fold the journal of the scope. until: SEQ|TIME as typed. upto: a seq, where one is known."""
    scope.must_exist()
    bound: Bound = upto or (moment_of(until, scope.now, end=True) if until else None)
    folded = Folded(names, scope.directory)
    for batch in folded.reader.batches():
        records = batch if bound is None else [item for item in batch if _within(item, bound)]
        if not records:
            continue
        folded.fold.feed(records)
        folded.events += len(records)
        folded.first = folded.first or ts_of(records[0][1])
        folded.seq, line = records[-1]
        folded.ts, folded.last_type = ts_of(line), type_of(line)
        for seq, line in records:
            if sid := sid_of(line):
                folded.sessions[sid] = seq
                folded.lines[sid] = line
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


def ts_of(line: bytes) -> str:
    """Time of a whole record, by its place; "" where it is not in it."""
    at = line.find(b'"ts":"', 7, 40)
    return line[at + 6 : line.find(b'"', at + 6)].decode("utf-8", "replace") if at > 0 else ""


def sid_of(line: bytes) -> str:
    """Session of a whole record, by its place in the envelope."""
    at = line.find(b'"sid":"', 40, 160)
    return line[at + 7 : line.find(b'"', at + 7)].decode("utf-8", "replace") if at > 0 else ""


def _within(item: tuple[int, bytes], bound: Bound) -> bool:
    if isinstance(bound, int):
        return item[0] <= bound
    return ts_of(item[1]) <= str(bound)


def between(
    batches: Iterator[list[tuple[int, bytes]]], since: Bound, until: Bound
) -> Iterator[tuple[int, bytes]]:
    """Records within both bounds, which count themselves."""
    for batch in batches:
        for seq, line in batch:
            here: int | str = seq if isinstance(since, int) else ts_of(line)
            if since is not None and here < since:  # type: ignore[operator]
                continue
            if until is None or _within((seq, line), until):
                yield seq, line
