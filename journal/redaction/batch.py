"""Redaction of many events at once, for import: one scan over the distinct texts of a batch.

Invariant: the result is that of `redact_value` on each event, but for the names of members, which
are our own there, and for ids and times, which hold no secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.redaction import _SHORTEST, found, long_words, redact, redact_value
from journal.redaction.markers import EXACT, FOLDED, WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.redaction.markers import Group

__all__ = ["redact_events", "redact_texts"]

_TOGETHER = 64  # events or texts scanned in one piece
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


def redact_texts(texts: Sequence[str]) -> dict[str, str]:
    """Redact many texts; return those that changed, each with what became of it."""
    changed: dict[str, str] = {}
    for at in range(0, len(texts), _TOGETHER):
        for text in _suspects(texts[at : at + _TOGETHER]):
            clean = redact(text)
            if clean is not text:
                changed[text] = clean
    return changed


def _redact(events: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    texts: dict[str, None] = {}
    for event in events:
        texts.update(dict.fromkeys(_texts(event)))
    secret = redact_texts(list(texts))
    if not secret:
        return events
    found: list[Any] = [
        event if secret.keys().isdisjoint(_texts(event)) else redact_value(event)
        for event in events
    ]
    return found


def _suspects(texts: Sequence[str]) -> list[str]:
    """Return the texts that may hold a secret: of all others `redact` returns the same object.

    One scan over all of them finds the few markers that each is then searched for.
    """
    joined = "\n".join(texts)
    words = _standing(WORDS, long_words(joined))
    exact, folded = _standing(EXACT, joined), _standing(FOLDED, joined.lower())
    return [text for text in texts if len(text) >= _SHORTEST and found(text, words, exact, folded)]


def _standing(groups: Sequence[Group], text: str) -> list[Group]:
    """Return the groups of markers that stand in `text` at all, without those that do not."""
    standing = [(name, near, tuple(m for m in ms if m in text)) for name, near, ms in groups]
    return [group for group in standing if group[2]]


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
