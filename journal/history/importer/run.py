"""Import what is new in the transcripts.

Invariant: the state records as read only what has been appended. The next import continues one that
was cut short, without a lost or repeated fact.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from itertools import groupby
from typing import Any, NamedTuple, Self

from msgspec import Struct

from journal.clock import iso
from journal.errors import JournalOffError
from journal.history.archive.files import ends_of
from journal.history.importer.find import Transcript, find
from journal.history.importer.lines import without_collector
from journal.history.importer.owners import ProjectFinder, originals_first
from journal.history.importer.reader import Fact, FileResult, TranscriptReader, read_files
from journal.history.importer.sink import Sink
from journal.history.importer.state import (
    FileState,
    ImportState,
    RecordedKeys,
    load_state,
    save_state,
    source_key,
)
from journal.history.locks import import_lock
from journal.history.logs import CUT
from journal.home import IMPORTED, Project, ensure_directory
from journal.replace_file import write_atomic


class Budget(NamedTuple):
    """Limits of a run: bytes of transcripts, and seconds. 0: no limit."""

    size: int = 0
    seconds: float = 0


class Import(Struct, eq=False, dict=True):
    """One import run and its results.

    source: folder or file; now: ISO time; since: ISO time, "" for all; dry: append nothing; only: a
    project, None for all; budget: ends the run once it is spent, and the next run continues;
    limit: maximum bytes of stored conversations per project; listed: the transcripts in `source`,
    None to list them; progress: called with bytes done and bytes in total.

    found: all transcripts, or those of `only`; changed: the ones that were read; is_cut: whether it
    ended before it had read all; lines, size: read; bad: lines that were not records (path, offset,
    records found inside); torn: files that end in the middle of a line; long: lines skipped for
    their length; unreadable: path → why. `sink` counts the rest.
    """

    env: Mapping[str, str]
    home: str
    now: str
    source: str
    since: str = ""
    dry: bool = False
    only: Project | None = None
    budget: Budget = Budget()
    limit: int = 0
    listed: list[Transcript] | None = None
    progress: Callable[[int, int], None] = lambda _done, _total: None
    changed: list[Transcript] = []
    unreadable: dict[str, str] = {}
    is_cut: bool = False
    lines: int = 0
    size: int = 0
    torn: int = 0
    long: int = 0
    bad: list[tuple[str, int, int]] = []

    def __post_init__(self) -> None:
        self.sink = Sink(self.home, self.now, dry=self.dry, limit=self.limit)
        self.found = find(self.source, self.unreadable) if self.listed is None else self.listed
        self._owners = ProjectFinder(self.env, self.home, self.found)
        self._recorded = RecordedKeys()
        self._others: dict[str, RecordedKeys] = {}
        self._state = ImportState()
        self._end = 0.0

    def run(self) -> Self:
        """Read, append, and save the state; return this object.

        Raise JournalError while another import into this home runs, JournalOffError if nothing can
        be appended. What was read before that, or before a signal, is still saved as read.
        """
        self._end = time.monotonic() + self.budget.seconds
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
                self.is_cut = True
                with suppress(OSError, JournalOffError):
                    self._remember()
                raise
            self._remember()
        return self

    def settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of each project whose transcripts were read."""
        found = map(self._owners.of, self.changed)
        return {item.name: item.settings for item in found if item.is_captured}

    def _read(self) -> None:
        owners = self._owners
        self.found = owners.owned(self.found, self.only, self._state.files)
        self.changed = [item for item in self.found if not self._is_unchanged(item)]
        if not self.changed:
            return
        self.changed = originals_first(owners, self.changed)
        self._recorded.load(self.home, self.only.name if self.only else "")
        reader = TranscriptReader(
            owners, self._recorded, self._state.files, self.since, self.limit, self._is_over
        )
        done, total = 0, sum(item.size for item in self.changed)
        # Under a budget in one process, and with nothing that a hook's interpreter lacks.
        alone = ((item, reader.read(item), True) for item in self.changed)
        read = alone if any(self.budget) else read_files(reader, self.changed)
        with without_collector(), closing(read):
            for item, chunks, is_compared in read:
                self.sink.begin(item.sid)
                for chunk in chunks:
                    self._take(chunk.facts, is_compared=is_compared)
                    if chunk.part is not None:
                        self.sink.store(item.path, chunk.part)
                    self.progress(done + chunk.at, total)
                    if chunk.result is not None:
                        self._note(item, chunk.result)
                done += item.size
                if self._is_over(0):
                    self.is_cut = self.is_cut or item is not self.changed[-1]
                    break

    def _is_over(self, size: int) -> bool:
        """Return whether the budget is spent. size: bytes read but not counted yet."""
        most, seconds = self.budget
        spent = 0 < most <= self.size + size or (seconds > 0 and time.monotonic() >= self._end)
        self.is_cut = self.is_cut or (spent and size > 0)
        return spent

    def _is_unchanged(self, item: Transcript) -> bool:
        if self.since and iso(item.mtime // 1_000_000) < self.since:
            return True  # nothing in it can be younger than its last change
        state = self._state.files.get(item.path)
        return (
            state is not None
            and state.is_of(item)
            and state.reaches(self.since)
            and not self.limit > state.limit >= 0
            and self._has_conversation(item, state)
        )

    def _has_conversation(self, item: Transcript, state: FileState) -> bool:
        """Return whether the stored conversation of a transcript still exists."""
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
            result.state.limit = self.limit
        result.state.part = self.sink.stored.get(item.path, result.state.part)
        if item.path in self.sink.unusable:  # the next run tries again
            result.state.stored, result.state.part = old.stored, old.part
            result.state.size = -1
        self._state.files[item.path] = result.state

    def _take(self, facts: list[Fact], *, is_compared: bool) -> None:
        """Take facts; compare those of a project whose keys this run has not loaded."""
        loaded = None if is_compared else self._recorded
        if self.only is None:
            self.sink.take(facts, loaded)
            return
        for project, group in groupby(facts, lambda fact: fact.project):
            if project != self.only.name and project not in self._others:
                self._others[project] = RecordedKeys()
                self._others[project].load(self.home, project)
            self.sink.take(list(group), self._others.get(project, loaded))

    def _remember(self) -> None:
        """Save how far this run came, so that the next one continues there."""
        is_whole = self.only is None and not self.since and not self.is_cut
        if not self.changed and not (is_whole and not self._state.whole):
            return
        values = self.settings().items()
        self.sink.sync({name for name, each in values if each["append.sync"] == "none"})
        if is_whole and os.path.isdir(self.source):
            self._state.whole = self.now
        save_state(self.home, self._state, self._recorded)
        self._mark()

    def _mark(self) -> None:
        """Note in each project that was read whether transcripts are left to import."""
        left: dict[str, bool] = {}
        for item in self.changed:
            name = self._owners.of(item).name
            left[name] = left.get(name, False) or item.path not in self._state.files
        for name, is_left in left.items():
            with suppress(OSError):  # without the imported log
                path = os.path.join(self.home, name, IMPORTED, CUT)
                write_atomic(path, b"") if self.is_cut and is_left else os.unlink(path)
