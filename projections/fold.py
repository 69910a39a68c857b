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
_KEYS_HELD = 4 * REPEAT_SPAN  # of a type, before those that are too old are forgotten
_TYPE = b'"type":"'
_WORD = len(_TYPE) + 24  # bytes that tell the type: it, its end, and what always follows
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
    """The idempotency keys of one type that can still tell a repeat: key → seq, and some more."""

    __slots__ = ("keys",)

    def __init__(self) -> None:
        self.keys: dict[Any, int] = {}

    def recent(self, seq: int) -> dict[Any, int]:
        """Return the keys that can still tell a repeat after record `seq`."""
        return {key: at for key, at in self.keys.items() if seq - at <= REPEAT_SPAN}

    def forget(self, seq: int) -> None:
        """Leave out keys that are too old, where there are many; call it now and then."""
        if len(self.keys) > _KEYS_HELD:
            self.keys = self.recent(seq)

    def repeats(self, key: Any, seq: int) -> bool:
        """Return whether `key` was met at most REPEAT_SPAN seqs ago; remembers it."""
        previous = self.keys.get(key)
        if previous is not None and seq - previous <= REPEAT_SPAN:
            return True
        self.keys[key] = seq
        return False


class _Entry(RecentKeys):
    """What is done with records of one type.

    read: decodes one, of this version. whole: (slot, handler of a state); parts: (slot, handler of
    a part, the same for events in a row or None, whether it moves, most parts, which part it is
    about: None is that of the session).
    """

    __slots__ = ("alone", "kind", "parts", "read", "version", "whole")

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.read: Callable[[bytes], Any] = self._first
        self.version = 1
        self.alone = False  # two in a row may be about two sessions
        self.whole: list[tuple[_Slot, Callable[..., Any]]] = []
        self.parts: list[tuple[_Slot, Any, Any, bool, int, Callable[[Any], str] | None]] = []

    def add(self, item: Projection, slot: _Slot) -> None:
        """Let a projection take part."""
        kind, parts = self.kind, item.parts
        function = parts and (parts.moving.get(kind) or parts.staying.get(kind))
        if parts and function:
            moves, about = kind in parts.moving, parts.about.get(kind)
            self.alone |= about is not None
            self.parts.append((slot, function, parts.runs.get(kind), moves, parts.limit, about))
        else:
            self.whole.append((slot, item.handlers[kind]))

    def apply(  # noqa: C901, PLR0912 (a call each)
        self, events: list[Any], states: dict[str, Any]
    ) -> None:
        """Apply events in a row that are of one session."""
        for slot, function, of_run, moves, limit, about in self.parts:
            event = events[0]
            sid = event.sid if about is None else about(event)
            if not sid:
                continue
            view = slot.view
            if view is None:
                view = slot.open(states)
            old = view.get(sid)
            if of_run is not None:
                new = of_run(old, events, slot.context)
            else:
                new = old
                for event in events:
                    new = function(new, event, slot.context)
            if new is old:
                continue
            if not slot.owned:
                view = slot.own()
            if moves and old is not None:
                del view[sid]
            view[sid] = new
            if len(view) > limit:
                del view[next(iter(view))]
        for slot, handler in self.whole:
            if slot.view is not None:
                slot.close(states)
            state = states[slot.name]
            for event in events:
                state = handler(state, event)
            states[slot.name] = state

    def _first(self, line: bytes) -> Any:
        """Decode the first record; only then the decoder is made."""
        if self.kind in KINDS:
            self.read = msgspec.json.Decoder(class_of(self.kind)).decode
            self.version = CURRENT.get(self.kind, 1)
        else:
            self.read = decoder_of(self.kind)
        return self.read(line)


_UNMET = _Entry("")  # stands for: not among the words yet


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

        Written for long logs: the type is found by position, what nobody handles is not decoded,
        records in a row of one type and session are applied together, and a session's part is
        replaced in a copy made once, until somebody asks for the states.
        """
        words, states = self._words, self._states
        seq, start, sid = self.seq, 0, ""
        last: _Entry | None = None
        waiting: list[Any] = []  # for `last`, of session `sid`
        for seq, line in records:
            entry = words.get(line[start : start + _WORD], _UNMET)
            if entry is _UNMET:
                start = line.find(_TYPE, 7, 128)
                entry = self._entry(line, start)
            if entry is None:
                continue
            try:
                event = entry.read(line)
                is_odd = event.v != entry.version
            except (msgspec.DecodeError, UnicodeDecodeError):
                is_odd = True
            if is_odd:
                event = upcast_or_unknown(line, entry.kind)
                if event.__class__ is Unknown:
                    self.unknown[entry.kind] = self.unknown.get(entry.kind, 0) + 1
                    continue
            key = event.key
            if key:
                if key not in entry.keys:
                    entry.keys[key] = seq
                elif entry.repeats(key, seq):
                    continue
            if entry is last and event.sid == sid and not entry.alone:
                waiting.append(event)
                continue
            if last is not None:
                last.apply(waiting, states)
            last, sid, waiting = entry, event.sid, [event]
        if last is not None:
            last.apply(waiting, states)
        for entry in self._table.values():
            entry.forget(seq)
        self.seq = max(self.seq, seq)  # a record that came too late is before others
        return self

    def _entry(self, line: bytes, start: int) -> _Entry | None:
        """Find what is done with a type, and remember it by the bytes at its place."""
        name = start + len(_TYPE)
        entry = self._table.get(line[name : line.find(b'"', name)]) if start > 0 else None
        word = line[start : start + _WORD]
        if start > 0 and len(self._words) < _WORDS and b'"' in word[len(_TYPE) :]:
            self._words[word] = entry
        return entry

    def apply(self, event: Event, kind: str) -> bool:
        """Apply one decoded event; return False if it is a hook call again and changes nothing."""
        self.seq = event.seq
        if self.repeats(kind, event.key, event.seq):
            return False
        states = self.states
        for item in self.projections:
            states[item.name] = item.step(states[item.name], kind, event)
        return True

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
