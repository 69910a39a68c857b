"""Run projections over records: decode what some projection handles, ignore repeats, apply.

Invariant: the result depends on the records alone: folding all equals folding the tail onto the
state of any prefix. A second record with the key of one at most `REPEAT_SPAN` seqs before it is
the same hook call again and changes nothing.
"""

from __future__ import annotations

from journal.event import Unknown, decoder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from journal.event import Event
    from projections.projection import Projection

__all__ = ["REPEAT_SPAN", "Fold"]

REPEAT_SPAN = 512
_KEYS_HELD = 4 * REPEAT_SPAN


class Fold:
    """Projections at work.

    states: name → state, after the last record fed. seq: that record's; offset: for the caller to
    note where it ended. unknown: type → number of records this build cannot name. keys: recent
    idempotency keys → seq.
    """

    def __init__(
        self,
        projections: Iterable[Projection],
        states: Mapping[str, Any] | None = None,
        keys: Mapping[str, int] | None = None,
        seq: int = 0,
    ) -> None:
        self.projections = tuple(projections)
        self.states: dict[str, Any] = {
            item.name: (states or {}).get(item.name, item.initial) for item in self.projections
        }
        self.keys: dict[str, int] = dict(keys or {})
        self.seq = seq
        self.offset = 0
        self.unknown: dict[str, int] = {}
        # By the type's bytes as they stand in a record: [decoder or None, kind, name and handler…].
        self._table: dict[bytes, list[Any]] = {}
        for item in self.projections:
            for kind, handler in item.handlers.items():
                entry = self._table.setdefault(kind.encode(), [None, kind, []])
                entry[2].append((item.name, handler))

    def feed(self, records: Iterable[tuple[int, bytes]]) -> Fold:
        """Apply whole records (seq, line) in order; give itself.

        Written for a million records a second: the type is found by position, what nobody handles
        is not decoded, and nothing is called that could be looked up once.
        """
        table, states, keys = self._table, self.states, self.keys
        seq = self.seq
        for seq, line in records:
            start = line.find(b'"type":"', 7, 128) + 8
            entry = table.get(line[start : line.find(b'"', start)])
            if entry is None:
                continue
            event = self._event(entry, line)
            if event is None:
                continue
            if event.key:
                if event.key in keys:
                    if self.repeats(event.key, seq):
                        continue
                    keys = self.keys
                else:
                    keys[event.key] = seq
                    if len(keys) > _KEYS_HELD:
                        keys = self.keys = self.recent_keys()
            for name, handler in entry[2]:
                states[name] = handler(states[name], event)
        self.seq = seq
        return self

    def _event(self, entry: list[Any], line: bytes) -> Event | None:
        decode_one = entry[0]
        if decode_one is None:
            decode_one = entry[0] = decoder_of(entry[1])
        event: Event | Unknown = decode_one(line)
        if isinstance(event, Unknown):
            self.unknown[entry[1]] = self.unknown.get(entry[1], 0) + 1
            return None
        return event

    def apply(self, event: Event, kind: str) -> None:
        """Apply one decoded event."""
        self.seq = event.seq
        if event.key and self.repeats(event.key, event.seq):
            return
        entry = self._table.get(kind.encode())
        for name, handler in entry[2] if entry else ():
            self.states[name] = handler(self.states[name], event)

    def repeats(self, key: str, seq: int) -> bool:
        """Whether `key` was met at most REPEAT_SPAN seqs ago; remembers it."""
        keys = self.keys
        before = keys.get(key)
        if before is not None and seq - before <= REPEAT_SPAN:
            return True
        keys.pop(key, None)
        keys[key] = seq
        if len(keys) > _KEYS_HELD:
            self.keys = self.recent_keys()
        return False

    def recent_keys(self) -> dict[str, int]:
        """Keys that can still tell a repeat, for a snapshot."""
        newest = max(self.keys.values(), default=0)
        return {key: seq for key, seq in self.keys.items() if newest - seq <= REPEAT_SPAN}
