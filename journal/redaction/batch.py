"""Redaction of many events at once, for import: one scan over the distinct texts of a batch.

Invariant: the result is that of `redact_value` on each event, but for the names of members, which
are our own there, and for ids and times, which hold no secret.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from journal.redaction import _SHORTEST, found, redact, redact_value
from journal.redaction.markers import EXACT, FOLDED, LONG, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from journal.redaction.markers import Group

__all__ = ["redact_events", "redact_texts"]

_TOGETHER = 64  # events or texts scanned in one piece
_WHOLE = "\0"  # prefix of a marker of WORDS, beside parts of markers of FOLDED
_MOST_WORDS = 60_000  # remembered words, about 6 MB
_LONGEST = 60  # characters of a word that is remembered: longer ones seldom come again
# Made by the journal, never taken from a file.
_OURS = frozenset(("ts", "type", "key", "digest"))
_IDS = ("toolu_0", "msg_0", "req_0")  # the API's; of letters and digits alone they hold no secret


def redact_events(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Redact events; the same objects where nothing was found.

    Scanning the texts of many events together costs hardly more than scanning those of a few.
    """
    found: list[dict[str, Any]] = []
    for at in range(0, len(events), _TOGETHER):
        found += _redact(events[at : at + _TOGETHER])
    return found


def redact_texts(texts: Sequence[str]) -> dict[str, str]:
    """Redact many texts; return those that changed, each with what became of it."""
    changed: dict[str, str] = {}
    for at in range(0, len(texts), _TOGETHER):
        for text, names in _suspects(texts[at : at + _TOGETHER]):
            clean = redact(text, names)
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


def _suspects(texts: Sequence[str]) -> list[tuple[str, set[str]]]:
    """Return the texts that may hold a secret, each with the rules that may match.

    `redact` returns all others unchanged. One scan over all texts finds the few markers to search
    each text for.
    """
    joined = "\n".join(texts)
    words, folded = _vocabulary.groups(joined)
    exact = [group for group in EXACT if any(marker in joined for marker in group[2])]
    if not (words or exact or folded):
        return []
    return [
        (text, names)
        for text in texts
        if len(text) >= _SHORTEST and (names := found(text, words, exact, folded))
    ]


class _Vocabulary:
    """The words seen so far and the markers in them: most words come again and again.

    A marker without a space is within one word; of a marker with a space, a part is. So a new word
    is searched for all of them once. Invariant: bounded; a forgotten word is searched again.
    """

    def __init__(self) -> None:
        self._plain: set[str] = set()  # words without a marker
        self._marked: dict[str, tuple[str, ...]] = {}  # word → markers, or parts of markers, in it
        self._tokens = tuple({marker for _, _, markers in WORDS for marker in markers})
        self._parts: dict[str, list[str]] = {}  # part → markers it is a part of
        for marker in {marker for _, _, markers in FOLDED for marker in markers}:
            self._parts.setdefault(max(marker.split(), key=len), []).append(marker)

    def groups(self, text: str) -> tuple[list[Group], list[Group]]:
        """Return the groups of WORDS and FOLDED with those of their markers that are in `text`."""
        if len(self._plain) + len(self._marked) > _MOST_WORDS:
            self._plain.clear()
            self._marked.clear()
        rest = set(text.split()) - self._plain
        present = self._search([word for word in rest if word not in self._marked])
        present.update(*(self._marked.get(word, ()) for word in rest))
        lower = text.lower() if present else ""
        words = [name[1:] for name in present if name[0] == _WHOLE]
        folded = [
            marker
            for part in present
            for marker in self._parts.get(part, ())
            if marker == part or marker in lower
        ]
        return _narrowed(WORDS, frozenset(words)), _narrowed(FOLDED, frozenset(folded))

    def _search(self, words: list[str]) -> set[str]:
        """Search new words, all at once, and remember the short ones; return the markers found."""
        marked: dict[str, list[str]] = {}
        for word, part in _located(self._parts, words, [word.lower() for word in words]):
            marked.setdefault(word, []).append(part)
        long = [word for word in words if len(word) >= LONG]
        for word, marker in _located(self._tokens, long, long):
            marked.setdefault(word, []).append(_WHOLE + marker)
        self._marked.update(
            (word, tuple(found)) for word, found in marked.items() if len(word) <= _LONGEST
        )
        self._plain.update(word for word in words if len(word) <= _LONGEST and word not in marked)
        return set().union(*marked.values())


def _located(
    markers: Iterable[str], words: list[str], forms: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield (word, marker) for each word and each marker in its form, which has no space in it.

    A marker may begin with the space before the word.
    """
    joined = " ".join(["", *forms])
    if not joined.isascii():
        yield from _hits((one for one in markers if not one.isascii()), words, joined)
        # CJK text is short without its own characters. Those that become neighbours can only make
        # up a marker that is not there, which costs a second look at the text.
        joined = joined.encode("ascii", "ignore").decode("ascii")
    yield from _hits(filter(str.isascii, markers), words, joined)


def _hits(markers: Iterable[str], words: list[str], joined: str) -> Iterator[tuple[str, str]]:
    """Yield (word, marker) for each marker in `joined`, the words with a space before each."""
    starts: list[int] = []
    for marker in markers:
        at = joined.find(marker)
        while at >= 0:
            starts = starts or [*accumulate(len(form) + 1 for form in joined.split(" "))]
            index = bisect_right(starts, at + len(marker) - 1) - 1
            yield words[index], marker
            at = joined.find(marker, starts[index + 1] - 1)


_vocabulary = _Vocabulary()


@lru_cache(256)
def _narrowed(groups: tuple[Group, ...], present: frozenset[str]) -> list[Group]:
    """Return the groups with their present markers, without the groups that have none."""
    narrowed = [(name, near, tuple(filter(present.__contains__, ms))) for name, near, ms in groups]
    return [group for group in narrowed if group[2]]


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
