"""Where imported events go: batches into the imported log of each project.

Invariant: an event passes redaction before it is appended, and is marked as imported; what was
appended is on the disk before anybody remembers that it was.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from journal.log.append import Writer, sync_directory
from journal.redact import redact_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.backfill.places import Place

    Batch = Iterable[tuple[Place, dict[str, Any]]]

__all__ = ["Sink"]

_PATIENCE = 5.0  # seconds for another writer of the same log
_BATCH = 2_000  # events that wait at most, per project


class Sink:
    """Takes events. dry: counts them only.

    added: type → events; projects: project → events; off: those whose project keeps nothing.
    """

    def __init__(self, now: str, *, dry: bool = False) -> None:
        self.now = now
        self.dry = dry
        self.added: Counter[str] = Counter()
        self.projects: Counter[str] = Counter()
        self.off = 0
        self._waiting: dict[str, list[dict[str, Any]]] = {}
        self._places: dict[str, Place] = {}
        self._sync: dict[str, str] = {}

    def take(self, events: Batch) -> None:
        """Take events; emptied ones are none."""
        for place, event in events:
            if not event:
                continue
            if not place.kept:
                self.off += 1
                continue
            self.added[event["type"]] += 1
            self.projects[place.name] += 1
            if self.dry:
                continue
            self._places[place.name] = place
            batch = self._waiting.setdefault(place.name, [])
            batch.append(event)
            if len(batch) >= _BATCH:
                self._write(place, batch)

    def flush(self) -> None:
        """Append everything that waits."""
        for name, batch in self._waiting.items():
            if batch:
                self._write(self._places[name], batch)

    def settle(self) -> None:
        """Wait for the disk, where the settings want to wait at all."""
        self.flush()
        for directory, sync in self._sync.items():
            if sync == "none":
                continue
            descriptor = os.open(os.path.join(directory, "active.jsonl"), os.O_RDONLY)
            try:
                os.fdatasync(descriptor)
            finally:
                os.close(descriptor)
            sync_directory(directory)
        self._sync.clear()

    def _write(self, place: Place, batch: list[dict[str, Any]]) -> None:
        clean: Any = [redact_value(event) for event in batch]
        with Writer(place.directory, self.now, sync="none", deadline=_PATIENCE) as writer:
            writer.append(*clean)
        self._sync[place.directory] = place.settings["append.sync"]
        batch.clear()
