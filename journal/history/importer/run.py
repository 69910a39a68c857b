"""`journal import`: read what is new in the transcripts, keep what is new of it.

Invariant: what is remembered as read has been appended; an import that is cut short is taken up
again by the next one without a fact lost or doubled.
"""

from __future__ import annotations

import fcntl
import gc
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cli.import_.progress import Bar
from cli.scope import moment_of
from journal.clock import iso
from journal.errors import JournalError, UsageError
from journal.files import open_regular
from journal.history.importer.find import Transcript, cleanup_days, expiring, find, source_of
from journal.history.importer.reader import Reading, covers
from journal.history.importer.seen import Known, State, load_state, save_state
from journal.history.importer.sink import Sink
from journal.history.importer.workers import Workers, worth
from journal.home import ensure_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.scope import Scope
    from journal.history.importer.reader import Told
    from journal.history.importer.transcript.pack import Fact

__all__ = ["Import", "importing"]

_HELD = 4_096  # replies that wait for another file to tell them whole


class Import:
    """One run.

    found: all transcripts; changed: those that were read. lines, size: read; bad: lines that were
    no record (path, offset, records saved out of them); torn: files that end in the middle of a
    line; long: lines passed over for their length; unreadable: path → why.
    """

    def __init__(self, scope: Scope, source: str, *, since: str = "", dry: bool = False) -> None:
        self.scope = scope
        self.source = source
        self.since = since
        self.dry = dry
        self.sink = Sink(scope.home, scope.iso, dry=dry)
        self.found: list[Transcript] = []
        self.changed: list[Transcript] = []
        self.lines = self.size = self.torn = self.long = 0
        self.bad: list[tuple[str, int, int]] = []
        self.unreadable: dict[str, str] = {}
        self._held: list[Fact] = []
        self._state = State()

    def run(self) -> Import:
        """Read, append, remember; give itself."""
        self.found = find(self.source)
        if self.dry:
            self._state = load_state(self.scope.home)
            self._read()
            return self
        ensure_directory(self.scope.home)
        with _alone(self.scope.home):
            self._state = load_state(self.scope.home)
            self._read()
        return self

    @property
    def expiring(self) -> list[Transcript]:
        """Transcripts the client will delete within a week."""
        return expiring(self.found, self.scope.now, cleanup_days(self.scope.env))

    def _read(self) -> None:
        self.changed = [item for item in self.found if not self._unchanged(item)]
        if not self.changed:
            return
        known = Known()
        known.load(self.scope.home)
        reading = Reading(
            self.scope.env, self.scope.home, known, self.found, self._state.files, self.since
        )
        bar = Bar(sum(item.size for item in self.changed), self.scope.columns, self.scope.env)
        try:
            with _without_collector():
                self._files(reading, known, bar)
            self.sink.settle()
        finally:
            bar.done()
        if not self.dry:
            save_state(self.scope.home, self._state)

    def _files(self, reading: Reading, known: Known, bar: Bar) -> None:
        """Read in this process, or in several: then what is new is decided here."""
        count = worth(self.changed)
        workers = Workers(reading, self.changed, count) if count else None
        files = workers.files() if workers else ((i, reading.file(i)) for i in self.changed)
        try:
            done = 0
            for item, chunks in files:
                for chunk in chunks:
                    self.sink.syncs.update(chunk.syncs)
                    self._held += [fact for fact in chunk.facts if fact.held]
                    now = [fact for fact in chunk.facts if not fact.held]
                    self.sink.take(now, known if workers else None)
                    bar.at(done + chunk.at)
                    if chunk.end is not None:
                        self._told(item, chunk.end)
                self._release(known, _HELD)
                done += item.size
            self._release(known, 0)
        finally:
            if workers:
                workers.close()

    def _unchanged(self, item: Transcript) -> bool:
        if self.since and iso(item.mtime // 1_000_000) < self.since:
            return True  # nothing in it can be younger than its last change
        state = self._state.files.get(item.path)
        return (
            state is not None
            and (state.size, state.mtime, state.inode) == (item.size, item.mtime, item.inode)
            and covers(state, self.since)
        )

    def _told(self, item: Transcript, told: Told) -> None:
        """Note what reading a file came to, once its facts are appended."""
        if told.error:
            self.unreadable[item.path] = told.error
        if told.state is None:
            return
        self.sink.flush()
        self.lines += told.lines
        self.long += told.long
        self.size += told.size
        self.torn += told.torn
        self.sink.repeated += told.repeated
        self.bad += [(item.path, offset, saved) for offset, saved in told.bad]
        self._state.files[item.path] = told.state

    def _release(self, known: Known, most: int) -> None:
        """Record replies that are whole nowhere else, once enough of them wait."""
        if len(self._held) > most:
            self.sink.take(self._held, known)
            self._held.clear()


def importing(scope: Scope, path: str, since: str, *, dry: bool) -> Import:
    """Run an import as typed. UsageError for a bound that is no time."""
    bound = ""
    if since:
        moment = moment_of(since, scope.now)
        if not isinstance(moment, str):
            raise UsageError(f"--since {since}: a time is needed", "2026-11-21, 30d or 12w")
        bound = moment
    source = source_of(path, scope.env, scope.cwd)
    return Import(scope, source, since=bound, dry=dry).run()


@contextmanager
def _alone(home: str) -> Iterator[None]:
    """Hold the lock that two imports into one home cannot both have."""
    descriptor = open_regular(os.path.join(home, "import.lock"), os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(home, "another import is under way", "wait for it to end") from error
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Spare looking for cycles: nothing here makes any, and there are many objects."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
