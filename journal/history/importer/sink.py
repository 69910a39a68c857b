"""Append facts in batches to the imported log of each project.

Invariant: appended facts are on disk before the state says that they were read.
"""

import os
from collections import Counter
from collections.abc import Collection

from msgspec import Struct, field

from journal.errors import JournalOffError
from journal.files import open_regular
from journal.history.archive.files import Archive, ArchivedPart
from journal.history.importer.reader import Fact
from journal.history.importer.state import RecordedKeys
from journal.home import IMPORTED
from journal.log.append import Writer
from journal.log.reached import forget_reached
from journal.log.record import ACTIVE, Prepared
from journal.log.segment import segments
from journal.replace_file import sync_directory

_LOCK_DEADLINE = 5.0  # seconds for another writer of the same log
_BATCH = 500  # maximum facts that wait, per project; one lock is held to append them


class Sink(Struct, eq=False):
    """Appends facts and stores conversations. dry: only count them.

    limit: maximum bytes of stored conversations per project; left_out: transcripts of which some
    did not fit; unusable: transcripts whose file there cannot be written to.
    stored: transcript → end of the last part stored of it.
    added: type → events; delegated: prompts among them that subagents got; projects: project →
    events; not_captured: facts of projects whose capture.level is off; repeated: facts recorded
    before.
    """

    home: str = ""
    now: str = ""
    dry: bool = False
    limit: int = 0
    added: Counter[str] = field(default_factory=Counter)
    delegated: int = 0
    projects: Counter[str] = field(default_factory=Counter)
    not_captured: int = 0
    repeated: int = 0
    left_out: set[str] = set()
    unusable: dict[str, JournalOffError] = {}
    stored: dict[str, int] = {}
    _archives: dict[str, Archive] = {}
    _is_new: bool = False
    _batches: dict[str, list[Prepared]] = {}
    _written: set[str] = set()

    def take(self, facts: list[Fact], recorded: RecordedKeys | None = None) -> None:
        """Take facts; drop those in `recorded`, and add the others to it."""
        for fact in facts:
            if recorded is not None:
                if fact.key:  # a fact without a key goes with the one before it
                    self._is_new = recorded.add(fact.key, fact.output)
                    self.repeated += not self._is_new
                if not self._is_new:
                    continue
            if not fact.body:
                self.not_captured += 1
                continue
            self.added[fact.type] += 1
            self.delegated += fact.type == "prompt.submitted" and b'"agent":' in fact.body
            self.projects[fact.project] += 1
            if self.dry:
                continue
            batch = self._batches.setdefault(fact.project, [])
            batch.append(Prepared(fact.type, fact.body))
            if len(batch) >= _BATCH:
                self._append(fact.project, batch)

    def store(self, path: str, part: ArchivedPart) -> None:
        """Store a part of a transcript's conversation, unless an earlier part of it did not fit."""
        if self.dry or path in self.left_out or path in self.unusable:
            return
        archive = self._archives.get(part.project)
        if archive is None:
            directory = os.path.join(self.home, part.project)
            archive = self._archives[part.project] = Archive(directory, self.limit)
        try:
            if archive.append(part):
                self.stored[path] = part.end
            else:
                self.left_out.add(path)
        except JournalOffError as error:
            self.unusable[path] = error

    def flush(self) -> None:
        """Append all waiting facts."""
        for project, batch in self._batches.items():
            if batch:
                self._append(project, batch)

    def sync(self, leaving: Collection[str] = ()) -> None:
        """Append everything and wait for the disk, except for the projects in `leaving`."""
        self.flush()
        for project in self._archives.keys() - leaving:
            self._archives[project].sync()
        for project in self._written.difference(leaving):
            directory = os.path.join(self.home, project, IMPORTED)
            with os.fdopen(
                open_regular(os.path.join(directory, ACTIVE), os.O_RDONLY), "rb"
            ) as file:
                os.fdatasync(file.fileno())
            sync_directory(directory)
        self._written.clear()

    def _append(self, project: str, batch: list[Prepared]) -> None:
        directory = os.path.join(self.home, project, IMPORTED)
        if not segments(directory):
            forget_reached(directory)  # the log was deleted: import it again
        with Writer(directory, self.now, sync="none", deadline=_LOCK_DEADLINE) as writer:
            writer.append(*batch)
        self._written.add(project)
        batch.clear()
