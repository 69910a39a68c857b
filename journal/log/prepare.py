"""Turn events into the bytes of records: the one way into a log.

Each text of an event passes redaction here, and nowhere else on its way, so that no source of
events can leave it out. Invariant: what leaves here is redacted, has a time and fits a record;
`Writer.append` only gives it a number and a checksum.
"""

from __future__ import annotations

from journal.codec import dumps, loads
from journal.log.record import body_of
from journal.redaction.redact import redact_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

__all__ = ["Prepared", "prepare", "prepare_all"]


class Prepared:
    """An event that is ready for a log.

    type: its event type. body: the JSON of its members from `ts` on, without braces.
    """

    __slots__ = ("body", "type")

    def __init__(self, type_: str, body: bytes) -> None:
        self.type = type_
        self.body = body

    @property
    def fields(self) -> dict[str, Any]:
        """Members as they will be in the log, without seq and checksum."""
        fields = loads(b"{%b}" % self.body)
        assert isinstance(fields, dict)
        return fields


def prepare(event: dict[str, Any], now: str) -> Prepared:
    """Redact and serialise one event. now: ISO time, used where the event has no `ts`."""
    return prepare_all((event,), now)[0]


def prepare_all(
    events: Sequence[dict[str, Any] | Prepared],
    now: str,
    encode: Callable[[Any], bytes] = dumps,
    redact: Callable[[Any], Any] = redact_value,
) -> list[Prepared]:
    """Redact and serialise events, all texts in one scan; what is prepared already stays.

    encode, redact: faster forms of the same for many events (see journal.redaction.batch).
    """
    return [
        event
        if event.__class__ is Prepared
        else Prepared(event["type"], body_of({"ts": now, **event}, encode))
        for event in redact(events)
    ]
