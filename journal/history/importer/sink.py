"""Append facts in batches to the imported log of each project.

Invariant: appended facts are on disk before the state says that they were read.
"""

import os
from collections import Counter
from collections.abc import Collection
from operator import itemgetter

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
_BATCH = 500  # facts that wait, per project; a lock is held to append so many
_TS = slice(6, 30)  # of a fact's body, which begins with its time


class Sink(Struct, eq=False):
    """Appends facts and stores conversations. dry: only count them.

    limit: maximum bytes of stored conversations per project; left_out: transcripts of which some
    did not fit; unusable: transcripts whose file there cannot be written to.
    stored: transcript → end of the last part stored of it.
    added: type → events; delegated: prompts among them that subagents got; projects: project →
    events; not_captured: facts of projects whose capture.level is off; repeated: facts recorded
    before.
    """

    home: str
    now: str
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
    _sid: str = ""
    _at: bytes = b""
    _facts: list[tuple[bytes, str, Prepared]] = []  # of the session: time, project, event
    _batches: dict[str, list[Prepared]] = {}
    _written: set[str] = set()

    def begin(self, sid: str) -> None:
        """Begin a file of a session, or with "" of none.

        A session's files are appended together in order of time: its subagents worked meanwhile.
        """
        if not sid or sid != self._sid:
            self._settle()
        self._sid = sid
        self._at = self._facts[0][0] if self._facts else b""

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
            self._at = max(self._at, fact.body[_TS])
            self._facts.append((self._at, fact.project, Prepared(fact.type, fact.body)))

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
        self._settle()
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

    def _settle(self) -> None:
        """Add the session's facts to the batches, and append the full ones."""
        for _, project, prepared in sorted(self._facts, key=itemgetter(0)):
            self._batches.setdefault(project, []).append(prepared)
        self._facts.clear()
        for project, batch in self._batches.items():
            if len(batch) >= _BATCH:
                self._append(project, batch)

    def _append(self, project: str, batch: list[Prepared]) -> None:
        directory = os.path.join(self.home, project, IMPORTED)
        if not segments(directory):
            forget_reached(directory)  # the log was deleted: import it again
        self._written.add(project)
        while batch:
            with Writer(directory, self.now, sync="none", deadline=_LOCK_DEADLINE) as writer:
                writer.append(*batch[:_BATCH])
            del batch[:_BATCH]
