"""Where facts go: batches into the imported log of each project.

Invariant: what was appended is on the disk before anybody remembers that it was.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from journal.files import sync_directory
from journal.history.importer import IMPORTED
from journal.log.append import Writer
from journal.log.prepare import Prepared

if TYPE_CHECKING:
    from journal.history.importer.seen import Known
    from journal.history.importer.transcript.pack import Fact

__all__ = ["Sink"]

_PATIENCE = 5.0  # seconds for another writer of the same log
_BATCH = 2_000  # facts that wait at most, per project


class Sink:
    """Takes facts. dry: counts them only.

    added: type → events; projects: project → events; off: those whose project keeps nothing;
    repeated: those that were known. syncs: project → `append.sync` of its settings.
    """

    def __init__(self, home: str, now: str, *, dry: bool = False) -> None:
        self.home = home
        self.now = now
        self.dry = dry
        self.added: Counter[str] = Counter()
        self.projects: Counter[str] = Counter()
        self.off = self.repeated = 0
        self.syncs: dict[str, str] = {}
        self._taken = False
        self._waiting: dict[str, list[Prepared]] = {}
        self._written: set[str] = set()

    def take(self, facts: list[Fact], known: Known | None = None) -> None:
        """Take facts; those in `known` are dropped, and the others noted there."""
        for fact in facts:
            if known is not None and not self._is_new(fact, known):
                continue
            if not fact.body:
                self.off += 1
                continue
            place = fact.place
            self.added[fact.kind] += 1
            self.projects[place] += 1
            if self.dry:
                continue
            batch = self._waiting.get(place)
            if batch is None:
                batch = self._waiting[place] = []
            batch.append(Prepared(fact.kind, fact.body))
            if len(batch) >= _BATCH:
                self._write(place, batch)

    def _is_new(self, fact: Fact, known: Known) -> bool:
        if fact.key:
            if fact.output < 0:
                self._taken = known.add(fact.key)
            else:
                self._taken = known.grown(fact.key, fact.output)
            self.repeated += not self._taken
        return self._taken

    def flush(self) -> None:
        """Append everything that waits."""
        for name, batch in self._waiting.items():
            if batch:
                self._write(name, batch)

    def settle(self) -> None:
        """Wait for the disk, where the settings want to wait at all."""
        self.flush()
        for name in self._written:
            if self.syncs.get(name) == "none":
                continue
            directory = os.path.join(self.home, name, IMPORTED)
            descriptor = os.open(os.path.join(directory, "active.jsonl"), os.O_RDONLY)
            try:
                os.fdatasync(descriptor)
            finally:
                os.close(descriptor)
            sync_directory(directory)
        self._written.clear()

    def _write(self, name: str, batch: list[Prepared]) -> None:
        directory = os.path.join(self.home, name, IMPORTED)
        with Writer(directory, self.now, sync="none", deadline=_PATIENCE) as writer:
            writer.append(*batch)
        self._written.add(name)
        batch.clear()
