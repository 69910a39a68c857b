"""Redaction of many events at once, for import: one scan over the distinct texts of a batch.

Invariant: the result is that of `redact_value` on each event, but for the names of members, which
are our own there, and for ids and times, which hold no secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.redaction.redact import redact_value

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["redact_events"]

_TOGETHER = 64  # events scanned in one piece
_SHORT = 80  # characters
# Made by the journal, never taken from a file.
_OURS = frozenset(("ts", "type", "key", "digest"))
_IDS = ("toolu_0", "msg_0", "req_0")  # the API's; of letters and digits alone they hold no secret


def redact_events(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Redact events; the same objects where nothing was found.

    One scan over the texts of many events costs hardly more than one over those of a few.
    """
    found: list[dict[str, Any]] = []
    for at in range(0, len(events), _TOGETHER):
        found += _redact(events[at : at + _TOGETHER])
    return found


def _redact(events: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    texts: dict[str, None] = {}
    for event in events:
        texts.update(dict.fromkeys(_texts(event)))
    # Prose is what may look like a secret; each of its texts is then scanned alone.
    secret: set[str] = set()
    for group in ([t for t in texts if len(t) <= _SHORT], [t for t in texts if len(t) > _SHORT]):
        fresh: Any = redact_value(group)
        if fresh is not group:
            secret.update(old for old, new in zip(group, fresh, strict=True) if old is not new)
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
