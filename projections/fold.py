"""Run projections over records: decode what some projection handles, ignore repeats, apply.

Invariant: the result depends on the records alone: folding all equals folding the tail onto the
state of any prefix. A second record with the key of one at most `REPEAT_SPAN` seqs before it is
the same hook call again and changes nothing.
"""

from __future__ import annotations

from journal.event import Unknown, decode, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from journal.event import Event
    from projections.projection import Projection

__all__ = ["REPEAT_SPAN", "Fold"]

REPEAT_SPAN = 512


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
        self._table: dict[str, list[tuple[str, Callable[[Any, Any], Any]]]] = {}
        for item in self.projections:
            for kind, handler in item.handlers.items():
                self._table.setdefault(kind, []).append((item.name, handler))

    def feed(self, records: Iterable[tuple[int, bytes]]) -> Fold:
        """Apply whole records (seq, line) in order; give itself."""
        table, states = self._table, self.states
        seq = self.seq
        for seq, line in records:
            kind = kind_of(line)
            handlers = table.get(kind)
            if handlers is None:
                continue
            event = decode(line, kind)
            if isinstance(event, Unknown):
                self.unknown[kind] = self.unknown.get(kind, 0) + 1
                continue
            if event.key and self.repeats(event.key, seq):
                continue
            for name, handler in handlers:
                states[name] = handler(states[name], event)
        self.seq = seq
        return self

    def apply(self, event: Event, kind: str) -> None:
        """Apply one decoded event."""
        self.seq = event.seq
        if event.key and self.repeats(event.key, event.seq):
            return
        for name, handler in self._table.get(kind, ()):
            self.states[name] = handler(self.states[name], event)

    def repeats(self, key: str, seq: int) -> bool:
        """Whether `key` was met at most REPEAT_SPAN seqs ago; remembers it."""
        keys = self.keys
        before = keys.get(key)
        if before is not None and seq - before <= REPEAT_SPAN:
            return True
        keys.pop(key, None)
        keys[key] = seq
        if len(keys) > 2 * REPEAT_SPAN:
            self.keys = self.recent_keys()
        return False

    def recent_keys(self) -> dict[str, int]:
        """Keys that can still tell a repeat, for a snapshot."""
        newest = max(self.keys.values(), default=0)
        return {key: seq for key, seq in self.keys.items() if newest - seq <= REPEAT_SPAN}
