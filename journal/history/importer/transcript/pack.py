"""Events as facts: redacted, in the bytes they will have in the log, without seq and checksum.

Invariant: what leaves here has passed redaction, and fits a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from journal.codec import dumps
from journal.log.prepare import prepare_all
from journal.redaction.batch import redact_events

if TYPE_CHECKING:
    from journal.history.importer.offsets import Place

    Batch = list[tuple[Place, dict[str, Any]]]

__all__ = ["Fact", "packed"]

_encode = msgspec.json.Encoder().encode


class Fact(msgspec.Struct, array_like=True, gc=False):
    """An event to be. body: the members of its JSON, empty where its project keeps nothing.

    place: project. key: 16 hex digits; one without a key goes with the fact before it.
    output: tokens of a reply, -1 for any other. held: to be told after all files, if nowhere else.
    """

    place: str
    kind: str
    key: str
    output: int
    held: bool
    body: bytes


def packed(events: Batch, *, held: bool = False) -> list[Fact]:
    """Make facts of events; an emptied event is none."""
    told = [(place, event) for place, event in events if event]
    kept = [event for place, event in told if place.kept]
    ready = iter(prepare_all(kept, "", _encoded, redact_events))
    return [
        Fact(
            place.name,
            event["type"],
            event.get("key", ""),
            event["output_tokens"] if event["type"] == "usage.recorded" else -1,
            held,
            next(ready).body if place.kept else b"",
        )
        for place, event in told
    ]


def _encoded(fields: dict[str, Any]) -> bytes:
    try:
        return _encode(fields)
    except (ValueError, msgspec.EncodeError):  # half a surrogate
        return dumps(fields)
