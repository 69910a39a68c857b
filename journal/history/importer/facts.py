"""Turn events into facts: redacted, as the bytes of the log, without seq and checksum."""

from typing import Any

import msgspec

from journal.codec import dumps
from journal.history.importer.owners import Destination
from journal.log.record import prepare_all
from journal.redaction.batch import redact_events

_encode = msgspec.json.Encoder().encode


class Fact(msgspec.Struct, array_like=True, gc=False):
    """An event that may become a record of `project`.

    body: as of `journal.log.record.Prepared`, empty where the project captures nothing. key: 16
    hex digits; a fact without a key goes with the fact before it. output: tokens of a reply, -1 for
    any other type. held: to record after all files, if none of them has the complete reply.
    """

    project: str
    type: str
    key: str
    output: int
    held: bool
    body: bytes


def facts_of(events: list[tuple[Destination, dict[str, Any]]], *, held: bool = False) -> list[Fact]:
    """Build facts from events; drop emptied events."""
    chosen = [item for item in events if item[1]]
    captured = [event for destination, event in chosen if destination.is_captured]
    prepared = iter(prepare_all(captured, "", _encoded, redact_events))
    return [
        Fact(
            destination.name,
            event["type"],
            event.get("key", ""),
            event["output_tokens"] if event["type"] == "usage.recorded" else -1,
            held,
            next(prepared).body if destination.is_captured else b"",
        )
        for destination, event in chosen
    ]


def _encoded(fields: dict[str, Any]) -> bytes:
    try:
        return _encode(fields)
    except (ValueError, msgspec.EncodeError):  # half a surrogate
        return dumps(fields)
