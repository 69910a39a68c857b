"""Run projections over records: decode those that a projection handles, skip repeats, apply.

A record is a repeat if one of the same type and key is at most `REPEAT_SPAN` seqs before it: then a
hook recorded the same call twice. Invariant: the result depends on the records alone. Folding all
of them equals folding the rest onto the state of any prefix, and projections do not affect each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from journal.events.base import Event, Unknown
from journal.events.registry import CURRENT, KINDS, class_of, decoder_of, upcast_or_unknown
from projections.projection import Handler, Projection

REPEAT_SPAN = 512
_KEYS_HELD = 4 * REPEAT_SPAN  # of a type; beyond it, keys that are too old are dropped
_TYPE = b'"type":"'
_PREFIX = len(_TYPE) + 24  # bytes from _TYPE on that identify a record's type
_PREFIXES = 256  # remembered ones


class _Slot:
    """The parts of one projection's state while records are fed.

    view: the parts by id, None while closed. owned: whether `view` is a private copy, which may be
    changed. sid, part: the session of the last events and its part, which is written into `view`
    when events of another session come. changed, moves: whether it differs from the one in `view`,
    and whether it becomes the most recent.
    """

    __slots__ = ("blank", "changed", "limit", "moves", "name", "owned", "part", "sid", "view")

    def __init__(self, item: Projection) -> None:
        self.name = item.name
        self.blank, self.limit = item.blank, item.limit
        self.view: dict[str, Any] | None = None
        self.owned = self.changed = self.moves = False
        self.sid = ""
        self.part: Any = None

    def turn_to(self, sid: str, states: dict[str, Any]) -> None:
        """Set `part` to that of a session, and open the current state if it is closed."""
        self._write()
        if self.view is None:
            self.view = states[self.name].sessions
        self.sid, self.part = sid, self.view.get(sid, self.blank)

    def close(self, states: dict[str, Any]) -> None:
        """Write a changed view back into the state, unless it is closed already."""
        if self.view is None:
            return
        self._write()
        if self.owned:
            states[self.name] = replace(states[self.name], sessions=self.view)
        self.view, self.owned = None, False
        self.sid, self.part = "", None

    def _write(self) -> None:
        if not self.changed or self.view is None:
            return
        if not self.owned:
            self.view, self.owned = self.view.copy(), True
        if self.moves:
            self.view.pop(self.sid, None)
        self.view[self.sid] = self.part
        if 0 < self.limit < len(self.view):
            del self.view[next(iter(self.view))]
        self.changed = self.moves = False


class RecentKeys:
    """The keys of one type's latest records, by which repeats are found: key → seq.

    Some keys that are too old to matter may be among them.
    """

    __slots__ = ("keys",)

    def __init__(self) -> None:
        self.keys: dict[Any, int] = {}

    def recent(self, seq: int) -> dict[Any, int]:
        """Return the keys that a record after `seq` may repeat."""
        oldest = seq - REPEAT_SPAN
        return {key: at for key, at in self.keys.items() if at >= oldest}

    def forget(self, seq: int) -> None:
        """Drop keys that are too old, if there are many. Call it from time to time."""
        if len(self.keys) > _KEYS_HELD:
            self.keys = self.recent(seq)

    def repeats(self, key: Any, seq: int) -> bool:
        """Return whether `key` occurred at most REPEAT_SPAN seqs before; if not, remember it."""
        previous = self.keys.get(key)
        if previous is not None and seq - previous <= REPEAT_SPAN:
            return True
        self.keys[key] = seq
        return False


class _Entry(RecentKeys):
    """The handlers of one event type, each with the slot of its projection.

    read: decodes a record. version: the version of the type that `read` expects. alone: whether
    events must be applied one by one, because those of one session may be about different ones.
    guarded: whether a handler gets events of the main thread alone.
    """

    __slots__ = ("alone", "guarded", "handlers", "kind", "read", "version")

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.read: Callable[[bytes], Any] = self._first
        self.version = 1
        self.alone = self.guarded = False
        self.handlers: list[tuple[_Slot, Handler]] = []

    def add(self, slot: _Slot, handler: Handler) -> None:
        """Add a handler."""
        self.guarded |= not handler.any_agent
        self.alone |= handler.about is not None
        self.handlers.append((slot, handler))

    def apply(  # noqa: C901 (a call each)
        self, events: list[Any], sid: str, states: dict[str, Any]
    ) -> None:
        """Apply successive events of one session."""
        main = [event for event in events if not event.agent] if self.guarded else events
        for slot, handler in self.handlers:
            given = events if handler.any_agent else main
            function, way = handler.function, handler.way
            if way == "whole":
                slot.close(states)
                state = states[slot.name]
                for event in given:
                    state = function(state, event)
                states[slot.name] = state
                continue
            target = sid if handler.about is None else handler.about(events[0])
            if not (given and target):
                continue
            if slot.sid != target:
                slot.turn_to(target, states)
            new = slot.part
            if way == "runs":
                new = function(new, given)
            elif way == "wide":
                for event in given:
                    new = function(new, event, states[slot.name], slot.view)
            else:
                for event in given:
                    new = function(new, event)
            if new is not slot.part:
                slot.part, slot.changed = new, True
                slot.moves |= way != "passive"

    def _first(self, line: bytes) -> Any:
        """Decode the first record, and build the decoder for the others."""
        if self.kind in KINDS:
            self.read = msgspec.json.Decoder(class_of(self.kind)).decode
            self.version = CURRENT.get(self.kind, 1)
        else:
            self.read = decoder_of(self.kind)
        return self.read(line)


_UNMET = _Entry("")  # default for a prefix that is not remembered


class Fold:
    """A running fold of several projections.

    states: projection name → state after the last record. seq: of the last record. unknown: type →
    number of records that this version cannot decode. kinds: types that a projection handles.

    Args:
        projections: what to fold.
        states: where to continue, by name; a missing one starts at its initial state.
        keys: recent keys at that point, as `recent_keys` returns them.
        seq: of the last record that is in the states.

    """

    def __init__(
        self,
        projections: Iterable[Projection],
        states: Mapping[str, Any] | None = None,
        keys: Mapping[str, int] | None = None,
        seq: int = 0,
    ) -> None:
        self.projections = tuple(projections)
        names = [item.name for item in self.projections]
        self._states: dict[str, Any] = {
            item.name: (states or {}).get(item.name, item.initial) for item in self.projections
        }
        self.seq = seq
        self.unknown: dict[str, int] = {}
        self._table: dict[bytes, _Entry] = {}
        self._prefixes: dict[bytes, _Entry | None] = {}
        self._slots = [_Slot(item) for item in self.projections]
        self._add(names)
        self.kinds = frozenset(entry.kind for entry in self._table.values())
        for both, at in (keys or {}).items():
            kind, _, key = both.partition(" ")
            if (entry := self._table.get(kind.encode())) is not None:
                entry.keys[key] = at

    @property
    def states(self) -> dict[str, Any]:
        """Return the current state of each projection by name."""
        for slot in self._slots:
            slot.close(self._states)
        return self._states

    def continue_with(self, names: Collection[str], states: Mapping[str, Any]) -> None:
        """Replace some states, and apply further events only to the named projections.

        The types and keys of all are read as before.
        """
        self.states.update(states)
        for entry in self._table.values():
            entry.handlers.clear()
        self._add(names)

    def _add(self, names: Collection[str]) -> None:
        for item, slot in zip(self.projections, self._slots, strict=True):
            is_named = item.name in names
            for kind, handler in item.handlers.items():
                name = kind.encode()
                if name not in self._table:
                    self._table[name] = _Entry(kind)
                if is_named:
                    self._table[name].add(slot, handler)

    def feed(self, records: Iterable[tuple[int, bytes]]) -> Fold:  # noqa: C901 (a call each)
        """Apply complete records (seq, line) in order, and return self.

        Optimized for long logs: the type is found by its position in the line, records without a
        handler are not decoded, successive records of one type and session are applied together,
        and the parts of a state are copied once for many records.
        """
        prefixes, states = self._prefixes, self._states
        seq, sid, prefix = self.seq, "", slice(0)
        last: _Entry | None = None
        waiting: list[Any] = []  # events for `last`, all of session `sid`
        for seq, line in records:
            entry = prefixes.get(line[prefix], _UNMET)
            if entry is _UNMET:
                start = line.find(_TYPE, 7, 128)
                prefix = slice(start, start + _PREFIX)
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
            if key and entry.keys.setdefault(key, seq) != seq and entry.repeats(key, seq):
                continue
            if entry is last and event.sid == sid and not entry.alone:
                waiting.append(event)
                continue
            if last is not None:
                last.apply(waiting, sid, states)
            last, sid, waiting = entry, event.sid, [event]
        if last is not None:
            last.apply(waiting, sid, states)
        for entry in self._table.values():
            entry.forget(seq)
        self.seq = max(self.seq, seq)  # a late record may have a lower seq
        return self

    def _entry(self, line: bytes, start: int) -> _Entry | None:
        """Return the handlers of a line's type, and remember them by the bytes at `start`."""
        name = start + len(_TYPE)
        entry = self._table.get(line[name : line.find(b'"', name)]) if start > 0 else None
        prefix = line[start : start + _PREFIX]
        if start > 0 and len(self._prefixes) < _PREFIXES and b'"' in prefix[len(_TYPE) :]:
            self._prefixes[prefix] = entry
        return entry

    def apply(self, event: Event, kind: str) -> bool:
        """Apply one decoded event; return False for a repeat, which changes nothing."""
        self.seq = event.seq
        entry = self._table.get(kind.encode())
        if entry is None:
            return True
        if event.key and entry.repeats(event.key, event.seq):
            return False
        entry.apply([event], event.sid, self._states)
        return True

    def recent_keys(self) -> dict[str, int]:
        """Return the keys that later records may repeat, for a checkpoint: "TYPE KEY" → seq."""
        return {
            f"{entry.kind} {key}": at
            for entry in self._table.values()
            for key, at in entry.recent(self.seq).items()
        }
