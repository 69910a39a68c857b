"""Import what is new in the transcripts.

Invariant: the state records as read only what has been appended. The next import continues one that
was cut short, without a lost or repeated fact.
"""

import gc
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import groupby
from typing import Any, NamedTuple, Self

from journal.clock import iso
from journal.errors import JournalOffError
from journal.history.archive.files import ends_of
from journal.history.exclusive import exclusive
from journal.history.importer.facts import Fact
from journal.history.importer.find import Transcript, find
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.reader import Chunk, FileResult, TranscriptReader
from journal.history.importer.sink import Sink
from journal.history.importer.state import (
    FileState,
    ImportState,
    RecordedKeys,
    load_state,
    save_state,
    source_key,
)
from journal.home import Project, ensure_directory

_HELD = 4_096  # incomplete replies that wait for a file with the complete one


class Budget(NamedTuple):
    """Limits of a run: bytes of transcripts, and seconds. 0: no limit."""

    size: int = 0
    seconds: float = 0


class Import:
    """One import run and its results.

    source: folder or file; now: ISO time; since: ISO time, "" for all; dry: append nothing; only: a
    project, None for all; budget: ends the run once it is spent, and the next run continues;
    limit: maximum bytes of stored conversations per project; found: the transcripts in `source`, if
    the caller has listed them; progress: called with bytes done and bytes in total.

    found: all transcripts, or those of `only`; changed: those that were read; is_cut: whether the
    budget ended the run; lines, size: read; bad: lines that were not a record (path, offset,
    records found inside); torn: files that end in the middle of a line; long: lines skipped for
    their length; unreadable: path → why. `sink` counts the rest.
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
        only: Project | None = None,
        budget: Budget | None = None,
        limit: int = 0,
        found: list[Transcript] | None = None,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> None:
        self.source = source
        self.dry = dry
        self.sink = Sink(home, now, dry=dry, limit=limit)
        self.unreadable: dict[str, str] = {}
        self.found = find(source, self.unreadable) if found is None else found
        self.changed: list[Transcript] = []
        self.is_cut = False
        self.lines = self.size = self.torn = self.long = 0
        self.bad: list[tuple[str, int, int]] = []
        self.home = home
        self._env = env
        self._owners: ProjectFinder | None = None
        self._now = now
        self._since = since
        self._only = only
        self._budget = budget
        self._limit = limit
        self._progress = progress
        self._recorded = RecordedKeys()
        self._others: dict[str, RecordedKeys] = {}
        self._held: list[Fact] = []
        self._state = ImportState()
        self._end = 0.0

    def run(self) -> Self:
        """Read, append, and save the state; return this object.

        Raise JournalError while another import into this home runs, JournalOffError if nothing can
        be appended. What was read before that, or before a signal, is still saved as read.
        """
        self._end = time.monotonic() + self._budget.seconds if self._budget else 0
        if self.dry:
            self._state = load_state(self.home)
            self._read()
            return self
        ensure_directory(self.home)
        with import_lock(self.home):
            self._state = load_state(self.home)
            try:
                self._read()
            except BaseException:
                with suppress(OSError, JournalOffError):
                    self._remember()
                raise
            self._remember()
        return self

    def settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of each project whose transcripts were read."""
        owners = self._owners
        found = [owners.of(item) for item in self.changed] if owners is not None else []
        return {item.name: item.settings for item in found if item.is_captured}

    def _read(self) -> None:
        owners = self._owners = ProjectFinder(self._env, self.home, self.found)
        if self._only is not None:
            self.found = owners.owned(self.found, self._only, self._state.files)
        self.changed = [item for item in self.found if not self._is_unchanged(item)]
        if not self.changed:
            return
        # Originals before copies, and a session, with its prompts, before its subagents.
        self.changed.sort(key=lambda item: (owners.began(item), bool(item.agent)))
        self._recorded.load(self.home, self._only.name if self._only else "")
        reader = TranscriptReader(
            owners, self._recorded, self._state.files, self._since, self._limit, self._is_over
        )
        done, total = 0, sum(item.size for item in self.changed)
        with _without_collector(), closing(self._files(reader)) as files:
            for item, chunks, is_compared in files:
                for chunk in chunks:
                    self.sink.syncs.update(chunk.syncs)
                    self._held += [fact for fact in chunk.facts if fact.held]
                    facts = [fact for fact in chunk.facts if not fact.held]
                    self._take(facts, is_compared=is_compared)
                    if chunk.part is not None:
                        self.sink.store(item.path, chunk.part)
                    self._progress(done + chunk.at, total)
                    if chunk.result is not None:
                        self._note(item, chunk.result)
                self._take_held(_HELD)
                done += item.size
                if self._budget and self._is_over(0):
                    self.is_cut = self.is_cut or item is not self.changed[-1]
                    break
            self._take_held(0)

    def _files(
        self, reader: TranscriptReader
    ) -> Generator[tuple[Transcript, Iterable[Chunk], bool]]:
        """Yield each file with its chunks; see `workers.read_files`."""
        if self._budget:  # one process, and nothing of what a hook's interpreter lacks
            yield from ((item, reader.read(item), True) for item in self.changed)
            return
        from journal.history.importer.workers import read_files, worker_count

        yield from read_files(reader, self.changed, worker_count(self.changed))

    def _is_over(self, size: int) -> bool:
        """Return whether the budget is spent. size: bytes read but not counted yet."""
        budget = self._budget
        if budget is None:
            return False
        spent = bool(budget.size) and self.size + size >= budget.size
        spent = spent or (bool(budget.seconds) and time.monotonic() >= self._end)
        self.is_cut = self.is_cut or (spent and size > 0)
        return spent

    def _is_unchanged(self, item: Transcript) -> bool:
        if self._since and iso(item.mtime // 1_000_000) < self._since:
            return True  # nothing in it can be younger than its last change
        state = self._state.files.get(item.path)
        return (
            state is not None
            and state.is_of(item)
            and state.reaches(self._since)
            and not self._limit > state.limit >= 0
            and self._has_conversation(item, state)
        )

    def _has_conversation(self, item: Transcript, state: FileState) -> bool:
        """Return whether what an import stored of a transcript is still there."""
        if not state.part:
            return True
        ends = ends_of(os.path.join(self.home, state.project), item.sid)
        return ends.get(source_key(item.path, item.inode), 0) >= state.part

    def _note(self, item: Transcript, result: FileResult) -> None:
        """Record the result of a file, once its facts are appended."""
        if result.error:
            self.unreadable[item.path] = result.error
        if error := self.sink.unusable.get(item.path):
            self.unreadable[error.path] = error.what
        if result.state is None:
            return
        self.lines += result.lines
        self.long += result.long
        self.size += result.size
        self.torn += result.torn
        self.sink.repeated += result.repeated
        self.bad += [(item.path, offset, inside) for offset, inside in result.bad]
        old = self._state.files.get(item.path, FileState())
        if item.path in self.sink.left_out:
            result.state.stored = old.stored
            result.state.limit = self._limit
        result.state.part = self.sink.stored.get(item.path, result.state.part)
        if item.path in self.sink.unusable:  # the next run tries again
            result.state.stored, result.state.part = old.stored, old.part
            result.state.size = -1
        self._state.files[item.path] = result.state

    def _take(self, facts: list[Fact], *, is_compared: bool) -> None:
        """Take facts; compare those of a project whose keys this run has not loaded."""
        if self._only is None:
            self.sink.take(facts, None if is_compared else self._recorded)
            return
        for project, group in groupby(facts, lambda fact: fact.project):
            own = project == self._only.name
            keys = None if own and is_compared else self._keys_of(project)
            self.sink.take(list(group), keys)

    def _keys_of(self, project: str) -> RecordedKeys:
        if self._only is None or project == self._only.name:
            return self._recorded
        found = self._others.get(project)
        if found is None:
            found = self._others[project] = RecordedKeys()
            found.load(self.home, project)
        return found

    def _take_held(self, most: int) -> None:
        """Record replies that no other file has complete, once more than `most` wait."""
        if len(self._held) > most:
            self._take(self._held, is_compared=False)
            self._held.clear()

    def _remember(self) -> None:
        """Save how far this run came, so that the next one continues there."""
        is_whole = self._only is None and not self._since and not self.is_cut
        if not self.changed and not (is_whole and not self._state.whole):
            return
        self.sink.sync()
        if is_whole and os.path.isdir(self.source):
            self._state.whole = self._now
        save_state(self.home, self._state, self._recorded)


def import_lock(home: str) -> AbstractContextManager[None]:
    """Hold the lock of imports into a home. Raise JournalError if another import holds it."""
    return exclusive(home, "import.lock", "import")


@contextmanager
def _without_collector() -> Iterator[None]:
    """Turn the cycle collector off: nothing here makes cycles, and there are many objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
