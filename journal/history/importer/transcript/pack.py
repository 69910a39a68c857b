"""Events as facts: redacted, in the bytes they will have in the log, without seq and checksum.

Invariant: what leaves here has passed redaction, and fits a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from journal.codec import dumps
from journal.log.record import CAP, fit
from journal.redaction.redact import redact_value

if TYPE_CHECKING:
    from journal.history.importer.offsets import Place

    Batch = list[tuple[Place, dict[str, Any]]]

__all__ = ["Fact", "cleaned", "packed"]

_TOGETHER = 64  # events looked at in one piece
_SHORT = 80  # characters
_ROOM = CAP - 64  # bytes of a record beside seq, checksum and newline
# Made here and by the journal, never taken from a file.
_OURS = frozenset(("ts", "type", "key", "digest"))
_IDS = ("toolu_0", "msg_0", "req_0")  # the API's; of letters and digits alone they hold no secret
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
    kept = iter(cleaned([event for place, event in told if place.kept]))
    return [
        Fact(
            place.name,
            event["type"],
            event.get("key", ""),
            event["output_tokens"] if event["type"] == "usage.recorded" else -1,
            held,
            _body(next(kept)) if place.kept else b"",
        )
        for place, event in told
    ]


def _body(event: dict[str, Any]) -> bytes:
    fields = {"ts": event["ts"], **event}
    try:
        data = _encode(fields)
    except (ValueError, msgspec.EncodeError):  # half a surrogate
        data = dumps(fields)
    if len(data) > _ROOM:
        data = dumps(fit(fields))
    return data[1:-1]


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
    gathered: dict[str, None] = {}
    for event in events:
        gathered.update(dict.fromkeys(_texts(event)))
    # Prose is what may look like a secret; each of its texts is then looked at alone.
    secret: set[str] = set()
    for texts in (
        [t for t in gathered if len(t) <= _SHORT],
        [t for t in gathered if len(t) > _SHORT],
    ):
        fresh: Any = redact_value(texts)
        if fresh is not texts:
            secret.update(old for old, new in zip(texts, fresh, strict=True) if old is not new)
    if not secret:
        return events
    found: list[Any] = [
        event if secret.isdisjoint(_texts(event)) else redact_value(event) for event in events
    ]
    return found


def _texts(event: dict[str, Any]) -> list[str]:
    found = []
    for name, value in event.items():
        if value.__class__ is str:
            if name not in _OURS and not (value[:1] in "tmr" and _is_id(value)):
                found.append(value)
        elif value.__class__ is list:
            for item in value:
                found += map(str, item) if isinstance(item, list) else (str(item),)
    return found


def _is_id(text: str) -> bool:
    return text.startswith(_IDS) and text.isascii() and text.partition("_")[2].isalnum()
