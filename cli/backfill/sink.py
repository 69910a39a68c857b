"""Where imported events go: batches into the imported log of each project.

Invariant: an event passes redaction before it is appended, and is marked as imported; what was
appended is on the disk before anybody remembers that it was.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from journal.log.append import Writer, sync_directory
from journal.redact import redact, redact_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.backfill.places import Place

    Batch = Iterable[tuple[Place, dict[str, Any]]]

__all__ = ["Sink", "cleaned"]

_PATIENCE = 5.0  # seconds for another writer of the same log
_BATCH = 2_000  # events that wait at most, per project
_TOGETHER = 64  # events looked at in one piece
# Made here and by the journal, never taken from a file.
_OURS = frozenset(("ts", "type", "key"))


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
        with Writer(place.directory, self.now, sync="none", deadline=_PATIENCE) as writer:
            writer.append(*cleaned(batch))
        self._sync[place.directory] = place.settings["append.sync"]
        batch.clear()


def cleaned(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Redact events; the same ones where nothing was found.

    One look at the texts of many costs hardly more than one at those of a few. The names of
    members are our own, so only what they hold is looked at.
    """
    found: list[dict[str, Any]] = []
    for at in range(0, len(events), _TOGETHER):
        found += _clean(events[at : at + _TOGETHER])
    return found


def _clean(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    texts = {text for event in events for text in _texts(event)}
    joined = "\n".join(texts)
    if redact(joined) is joined:
        return events
    if len(events) == 1:
        event: Any = redact_value(events[0])
        return [event]
    middle = len(events) // 2
    return _clean(events[:middle]) + _clean(events[middle:])


def _texts(event: dict[str, Any]) -> Iterator[str]:
    for name, value in event.items():
        if name in _OURS:
            continue
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for item in value:
                yield from map(str, item) if isinstance(item, list) else (str(item),)
