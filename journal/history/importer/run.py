"""Import what is new in the transcripts.

Invariant: what is remembered as read has been appended; an import that is cut short is continued
by the next one without a fact lost or doubled.
"""

from __future__ import annotations

import fcntl
import gc
import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from journal.clock import iso
from journal.errors import JournalError
from journal.files import open_regular
from journal.history.importer.find import Transcript, find
from journal.history.importer.reader import TranscriptReader
from journal.history.importer.sink import Sink
from journal.history.importer.state import ImportState, RecordedKeys, load_state, save_state
from journal.history.importer.workers import read_files, worker_count
from journal.home import ensure_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from journal.history.importer.facts import Fact
    from journal.history.importer.reader import FileResult

__all__ = ["Import"]

_HELD = 4_096  # replies that wait for another file to have them whole


class Import:
    """One run, and what it came to.

    source: folder or file; now: ISO time; since: ISO time, "" for all; dry: append nothing.
    progress: called with bytes done and bytes in all.

    found: all transcripts; changed: those that were read. lines, size: read; bad: lines that were
    no record (path, offset, records found inside); torn: files that end in the middle of a line;
    long: lines skipped for their length; unreadable: path → why. The rest is counted by `sink`.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        home: str,
        now: str,
        source: str,
        *,
        since: str = "",
        dry: bool = False,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> None:
        self.source = source
        self.dry = dry
        self.sink = Sink(home, now, dry=dry)
        self.found: list[Transcript] = []
        self.changed: list[Transcript] = []
        self.lines = self.size = self.torn = self.long = 0
        self.bad: list[tuple[str, int, int]] = []
        self.unreadable: dict[str, str] = {}
        self._env = env
        self._home = home
        self._since = since
        self._progress = progress
        self._recorded = RecordedKeys()
        self._held: list[Fact] = []
        self._state = ImportState()

    def run(self) -> Import:
        """Read, append, remember; return itself.

        Raises JournalError while another import into this home runs, JournalOffError where nothing
        can be appended.
        """
        self.found = find(self.source)
        if self.dry:
            self._state = load_state(self._home)
            self._read()
            return self
        ensure_directory(self._home)
        with import_lock(self._home):
            self._state = load_state(self._home)
            self._read()
            if self.changed:
                self.sink.sync()
                save_state(self._home, self._state, self._recorded)
        return self

    def _read(self) -> None:
        self.changed = [item for item in self.found if not self._is_unchanged(item)]
        if not self.changed:
            return
        self._recorded.load(self._home)
        reader = TranscriptReader(
            self._env, self._home, self._recorded, self.found, self._state.files, self._since
        )
        done, total = 0, sum(item.size for item in self.changed)
        count = worker_count(self.changed)
        with _without_collector(), closing(read_files(reader, self.changed, count)) as files:
            for item, chunks, is_compared in files:
                for chunk in chunks:
                    self.sink.syncs.update(chunk.syncs)
                    self._held += [fact for fact in chunk.facts if fact.held]
                    facts = [fact for fact in chunk.facts if not fact.held]
                    self.sink.take(facts, None if is_compared else self._recorded)
                    self._progress(done + chunk.at, total)
                    if chunk.result is not None:
                        self._note(item, chunk.result)
                self._take_held(_HELD)
                done += item.size
            self._take_held(0)

    def _is_unchanged(self, item: Transcript) -> bool:
        if self._since and iso(item.mtime // 1_000_000) < self._since:
            return True  # nothing in it can be younger than its last change
        state = self._state.files.get(item.path)
        return (
            state is not None
            and state.is_of(item.size, item.mtime, item.inode)
            and state.reaches(self._since)
        )

    def _note(self, item: Transcript, result: FileResult) -> None:
        """Note what reading a file came to, once its facts are appended."""
        if result.error:
            self.unreadable[item.path] = result.error
        if result.state is None:
            return
        self.sink.flush()
        self.lines += result.lines
        self.long += result.long
        self.size += result.size
        self.torn += result.torn
        self.sink.repeated += result.repeated
        self.bad += [(item.path, offset, inside) for offset, inside in result.bad]
        self._state.files[item.path] = result.state

    def _take_held(self, most: int) -> None:
        """Record replies that are whole in no other file, once more than `most` wait."""
        if len(self._held) > most:
            self.sink.take(self._held, self._recorded)
            self._held.clear()


@contextmanager
def import_lock(home: str) -> Iterator[None]:
    """Hold the lock that two imports into one home cannot both have; JournalError if taken."""
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
    """Turn the collector of cycles off: nothing here makes any, and there are many objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
