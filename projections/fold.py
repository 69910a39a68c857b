"""Run projections over records: decode what some projection handles, ignore repeats, apply.

Invariant: the result depends on the records alone: folding all equals folding the tail onto the
state of any prefix, and a projection's state does not depend on what else is folded. A second
record of a type with the key of one at most `REPEAT_SPAN` seqs before it is the same hook call
again and changes nothing.
"""

from __future__ import annotations

import msgspec

from journal.events.registry import CURRENT, KINDS, Unknown, class_of, decoder_of, upcast_or_unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from journal.events.registry import Event
    from projections.projection import Projection

__all__ = ["REPEAT_SPAN", "Fold", "RecentKeys"]

REPEAT_SPAN = 512
_KEYS_HELD = 2 * REPEAT_SPAN  # of a type, before those of them become the older ones
_WORD = 24  # bytes at a type's place that tell the type: it, its end, and what always follows
_WORDS = 256


class _Slot:
    """Where the parts of one projection are while records are fed.

    view: what is read, None until it is needed; owned: it is a copy that nobody else sees. context:
    the third argument of its handlers.
    """

    __slots__ = ("context", "name", "owned", "parts", "view")

    def __init__(self, item: Projection) -> None:
        self.name = item.name
        self.parts = item.parts
        self.view: dict[str, Any] | None = None
        self.owned = False
        self.context: Any = None

    def open(self, states: dict[str, Any]) -> dict[str, Any]:
        """Read the parts of the state as it is."""
        assert self.parts is not None
        self.view, self.owned, self.context = self.parts.opened(states[self.name])
        return self.view

    def own(self) -> dict[str, Any]:
        """Make the view one that may be changed."""
        self.view, self.owned = dict(self.view or ()), True
        return self.view

    def close(self, states: dict[str, Any]) -> None:
        """Put what was changed back into the state."""
        if self.owned and self.parts is not None:
            states[self.name] = self.parts.closed(states[self.name], self.view or {})
        self.view, self.owned, self.context = None, False, None


class RecentKeys:
    """The idempotency keys of one type that can still tell a repeat.

    keys, older: key → seq; all of `older` came before all of `keys`.
    """

    __slots__ = ("keys", "older")

    def __init__(self) -> None:
        self.keys: dict[Any, int] = {}
        self.older: dict[Any, int] = {}

    def recent(self, seq: int) -> dict[Any, int]:
        """Return the keys that can still tell a repeat after record `seq`."""
        held = {**self.older, **self.keys}
        return {key: at for key, at in held.items() if seq - at <= REPEAT_SPAN}

    def repeats(self, key: Any, seq: int) -> bool:
        """Return whether `key` was met at most REPEAT_SPAN seqs ago; remembers it."""
        keys = self.keys
        before = keys.get(key) or self.older.get(key)
        if before is not None and seq - before <= REPEAT_SPAN:
            return True
        keys[key] = seq
        if len(keys) >= _KEYS_HELD:  # each has a seq of its own: all older ones are too old now
            self.older, self.keys = keys, {}
        return False


class _Entry(RecentKeys):
    """What is done with records of one type.

    read: decodes one, of this version. whole: (slot, handler of a state); parts: (slot, handler of
    a part, whether it moves, most parts, which part it is about: None is that of the session).
    """

    __slots__ = ("kind", "parts", "read", "version", "whole")

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.read: Callable[[bytes], Any] | None = None
        self.version = 1
        self.whole: list[tuple[_Slot, Callable[..., Any]]] = []
        self.parts: list[
            tuple[_Slot, Callable[..., Any], bool, int, Callable[[Any], str] | None]
        ] = []

    def add(self, item: Projection, slot: _Slot) -> None:
        """Let a projection take part."""
        parts = item.parts
        function = parts and (parts.moving.get(self.kind) or parts.staying.get(self.kind))
        if parts and function:
            moves, about = self.kind in parts.moving, parts.about.get(self.kind)
            self.parts.append((slot, function, moves, parts.limit, about))
        else:
            self.whole.append((slot, item.handlers[self.kind]))

    def decoder(self) -> Callable[[bytes], Any]:
        """Make the decoder when the first record comes."""
        if self.kind in KINDS:
            self.read = msgspec.json.Decoder(class_of(self.kind)).decode
            self.version = CURRENT.get(self.kind, 1)
        else:
            self.read = decoder_of(self.kind)
        return self.read


class Fold:
    """Projections at work.

    states: name → state, after the last record fed. seq: that record's. unknown: type → number
    of records this build cannot name. kinds: types that some projection handles.
    """

    def __init__(
        self,
        projections: Iterable[Projection],
        states: Mapping[str, Any] | None = None,
        keys: Mapping[str, int] | None = None,
        seq: int = 0,
    ) -> None:
        self.projections = tuple(projections)
        self._states: dict[str, Any] = {
            item.name: (states or {}).get(item.name, item.initial) for item in self.projections
        }
        self.seq = seq
        self.unknown: dict[str, int] = {}
        self._table: dict[bytes, _Entry] = {}
        self._words: dict[bytes, _Entry | None] = {}
        self._slots = [_Slot(item) for item in self.projections]
        for item, slot in zip(self.projections, self._slots, strict=True):
            for kind in item.handlers:
                name = kind.encode()
                if name not in self._table:
                    self._table[name] = _Entry(kind)
                self._table[name].add(item, slot)
        self.kinds = frozenset(entry.kind for entry in self._table.values())
        for both, at in (keys or {}).items():
            kind, _, key = both.partition(" ")
            if (entry := self._table.get(kind.encode())) is not None:
                entry.keys[key] = at

    @property
    def states(self) -> dict[str, Any]:
        """Return the state of each projection, by name."""
        for slot in self._slots:
            if slot.view is not None:
                slot.close(self._states)
        return self._states

    def feed(self, records: Iterable[tuple[int, bytes]]) -> Fold:  # noqa: C901, PLR0912 (a call each)
        """Apply whole records (seq, line) in order; give itself.

        Written for a million records a second: the type is found by position, what nobody handles
        is not decoded, and a session's part is replaced in a copy made once, until somebody asks
        for the states.
        """
        words, states = self._words, self._states
        seq = self.seq
        for seq, line in records:
            start = line.find(b'"type":"', 7, 128) + 8
            word = line[start : start + _WORD]
            entry = words[word] if word in words else self._entry(word, line, start)
            if entry is None:
                continue
            try:
                event = (entry.read or entry.decoder())(line)
                if event.v != entry.version:
                    event = upcast_or_unknown(line, entry.kind)
            except (msgspec.DecodeError, UnicodeDecodeError):
                event = upcast_or_unknown(line, entry.kind)
            if event.__class__ is Unknown:
                self.unknown[entry.kind] = self.unknown.get(entry.kind, 0) + 1
                continue
            key = event.key
            if key:
                keys = entry.keys
                if len(keys) < _KEYS_HELD - 1 and key not in keys and key not in entry.older:
                    keys[key] = seq
                elif entry.repeats(key, seq):
                    continue
            for slot, function, moves, limit, about in entry.parts:
                sid = event.sid if about is None else about(event)
                if not sid:
                    continue
                view = slot.view
                if view is None:
                    view = slot.open(states)
                old = view.get(sid)
                new = function(old, event, slot.context)
                if new is old:
                    continue
                if not slot.owned:
                    view = slot.own()
                if moves and old is not None:
                    del view[sid]
                view[sid] = new
                if len(view) > limit:
                    del view[next(iter(view))]
            for slot, handler in entry.whole:
                if slot.view is not None:
                    slot.close(states)
                name = slot.name
                states[name] = handler(states[name], event)
        self.seq = seq
        return self

    def _entry(self, word: bytes, line: bytes, start: int) -> _Entry | None:
        """Find what is done with a type, and remember it by the bytes at its place."""
        entry = self._table.get(line[start : line.find(b'"', start)])
        if len(self._words) < _WORDS and b'"' in word:
            self._words[word] = entry
        return entry

    def apply(self, event: Event, kind: str) -> None:
        """Apply one decoded event."""
        self.seq = event.seq
        entry = self._table.get(kind.encode())
        if entry is None or self.repeats(kind, event.key, event.seq):
            return
        states = self.states
        for item in self.projections:
            states[item.name] = item.step(states[item.name], kind, event)

    def repeats(self, kind: str, key: str, seq: int) -> bool:
        """Return whether `key` was met at most REPEAT_SPAN seqs ago in this type; remembers it."""
        entry = self._table.get(kind.encode())
        return bool(key) and entry is not None and entry.repeats(key, seq)

    def recent_keys(self) -> dict[str, int]:
        """Keys that can still tell a repeat, for a snapshot: each behind its type and a space."""
        return {
            f"{entry.kind} {key}": at
            for entry in self._table.values()
            for key, at in entry.recent(self.seq).items()
        }
