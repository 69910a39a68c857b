"""The typed events, version 1: one frozen Struct per type, decoded by type.

A type's module is imported and its decoder built at the first record of that type, so a hook that
folds a short tail defines a few Structs, not fifty. A record of an older version is upgraded when
it is read; the log's bytes do not change. Invariant: `KINDS` has every type once, and a chain of
upcasters leads from every released version to `CURRENT`.
"""

from __future__ import annotations

import msgspec

from journal.events.base import Event, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Module → its types. The Struct of a type has its name: `tool.finished` is ToolFinished.
_TYPES = {
    "session": "session.started session.ended session.summarized session.exported model.switched "
    "notification.received subagent.started subagent.ended",
    "turn": "prompt.submitted command.expanded turn.ended turn.failed",
    "tool": "tool.finished tool.failed files.changed",
    "pressure": "pressure.sampled advice.given context.injected checkpoint.saved",
    "compact": "compact.started compact.gathered compact.summarized compact.finished flow.trimmed",
    "stock": "flow.noted compound.ran learning.recorded learning.confirmed decision.recorded",
    "stage": "stage.started stage.finished stage.stopped stage.resumed stage.abandoned",
    "work": "progress.saved progress.closed progress.adopted progress.discarded "
    "unit.started unit.item.checked unit.finished",
    "usage": "usage.recorded session.titled transcripts.checked prompts.withdrawn",
    "pack": "pack.saved context.queued",
    "meta": "segment.opened hook.failed hook.received "
    "journal.gap journal.repaired journal.redacted journal.collected",
}
KINDS = {kind: module for module, kinds in _TYPES.items() for kind in kinds.split()}
"""Type → the module of its Struct."""

# Current versions above 1; all other types have version 1. A new optional field raises none.
CURRENT: dict[str, int] = {}
# (type, n) → function from the fields of version n to those of version n+1
UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}

_decoders: dict[str, Callable[[bytes], Event | Unknown]] = {}


def class_of(kind: str) -> type[Event]:
    """Return the Struct of a type. Raises KeyError."""
    module, name = KINDS[kind], "".join(map(str.capitalize, kind.split(".")))
    found = __import__(f"journal.events.{module}", None, None, [name])
    return getattr(found, name)  # type: ignore[no-any-return]


def decoder_of(kind: str) -> Callable[[bytes], Event | Unknown]:
    """Return the function that decodes a whole record of type `kind`."""
    found = _decoders.get(kind)
    if found is not None:
        return found
    if kind not in KINDS:
        return lambda line: _unknown(line, kind)
    read = msgspec.json.Decoder(class_of(kind)).decode
    version = CURRENT.get(kind, 1)

    def decode_one(line: bytes) -> Event | Unknown:
        try:
            event = read(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return upcast_or_unknown(line, kind)
        return event if event.v == version else upcast_or_unknown(line, kind)

    _decoders[kind] = decode_one
    return decode_one


def event_of(kind: str, fields: dict[str, Any]) -> Event:
    """Build an event from members; one that is None or that the type lacks is left out."""
    made = class_of(kind)
    known = ((name, value) for name, value in fields.items() if value is not None)
    return made(**{name: value for name, value in known if name in made.__struct_fields__})


def decode(line: bytes, kind: str) -> Event | Unknown:
    """Decode a record of type `kind`, upgrading older versions.

    Returns `Unknown` if this build does not know the type, the version or the shape of the body.
    """
    return decoder_of(kind)(line)


def upcast_or_unknown(line: bytes, kind: str) -> Event | Unknown:
    """Decode an older version through its upcasters; return Unknown if there are none."""
    try:
        fields = msgspec.json.decode(line)
        fields.pop("crc", None)
        return msgspec.convert(upcast(fields), class_of(kind))
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError, AttributeError):
        return _unknown(line, kind)


def upcast(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a record's fields in the current version of its type.

    Raises LookupError if no chain leads there (a later version, or one never released).
    """
    while fields["v"] != CURRENT.get(fields["type"], 1):
        step = UPCASTERS[fields["type"], fields["v"]]
        raised = step(dict(fields))
        if raised["v"] != fields["v"] + 1 or raised["type"] != fields["type"]:
            raise LookupError(f"the upcaster of {fields['type']} v{fields['v']} goes elsewhere")
        fields = raised
    return fields


class _Envelope(msgspec.Struct):
    seq: int = 0
    ts: str = ""
    v: int = 0
    sid: str = ""


def _unknown(line: bytes, kind: str) -> Unknown:
    try:
        head = msgspec.json.decode(line, type=_Envelope)
    except (msgspec.DecodeError, UnicodeDecodeError):
        head = _Envelope()
    return Unknown(head.seq, head.ts, kind, head.v, head.sid, line)
