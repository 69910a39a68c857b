"""Redaction of many events at once, for import: one scan over the distinct texts of a batch.

Invariant: the result is that of `redact_value` on each event, but for the names of members, which
are our own there, and for ids and times, which hold no secret.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from journal.redaction import (
    _RUN,
    _SHORTEST,
    classes,
    found,
    has_password,
    has_run,
    redact,
    redact_value,
    without_colors,
)
from journal.redaction.markers import (
    ADDRESS,
    ANYWHERE,
    EXACT,
    FOLDED,
    IN_RUNS,
    LONG,
    RUN,
    SIGNED,
    WORDS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from journal.redaction.markers import Group

_TOGETHER = 64  # events or texts scanned in one piece
_MOST_WORDS = 120_000  # remembered words, about 12 MB
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
    """Redact many texts; return those that changed, each with its new text."""
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
    """Return the texts that may contain a secret, each with the rules that may match.

    `redact` returns all others unchanged.
    """
    words = _vocabulary()
    return [
        (text, names)
        for text, markers in words.marked(texts)
        if len(text) >= _SHORTEST
        and (names := found(text, *(_groups(index, markers) for index in words.indexes)))
    ]


def _index(groups: Sequence[Group]) -> dict[str, list[Group]]:
    """Return the groups by marker, each with that marker alone."""
    index: dict[str, list[Group]] = {}
    for name, near, markers in groups:
        for marker in markers:
            index.setdefault(marker, []).append((name, near, (marker,)))
    return index


def _groups(index: dict[str, list[Group]], markers: Iterable[str]) -> list[Group]:
    return [group for marker in markers for group in index.get(marker, ())]


def _parts(groups: Sequence[Group]) -> dict[str, list[str]]:
    """Return the markers by the longest word in them, with the spaces beside that word."""
    parts: dict[str, list[str]] = {}
    for marker in {marker for _, _, markers in groups for marker in markers}:
        words = "".join(" " if sign.isspace() else sign for sign in marker).split(" ")
        last = len(words) - 1
        spaced = [
            " " * (at > 0) + word + " " * (at < last) for at, word in enumerate(words) if word
        ]
        parts.setdefault(max(spaced, key=len), []).append(marker)
    return parts


_DIGITS = frozenset("0123456789")
_RUNS = re.compile("[a-z]+")


class _Vocabulary:
    """The words seen so far and the markers of which they contain a part; most words recur.

    So a new word is searched for all markers once, and a text of known words without any costs no
    more than being split. Invariant: bounded; a forgotten word is searched again.

    indexes: groups by marker, in the order of the parameters of `found`.
    """

    def __init__(self) -> None:
        self.indexes = tuple(map(_index, (ANYWHERE, EXACT, FOLDED, IN_RUNS, ())))
        self._plain: set[str] = set()  # words without a marker
        self._marked: dict[str, set[str]] = {}  # word → markers of which it holds a part
        self._tokens, self._exact, self._folded = map(_parts, (WORDS, EXACT, FOLDED))
        self._letters: dict[str, list[str]] = {}  # of markers → the markers
        self._plain_runs: set[str] = set()  # letters of words without those of a marker
        self._runs: dict[str, set[str]] = {}  # other letters of words → those of markers in them
        for part in self._folded:
            letters = max(_RUNS.findall(part), key=len, default="")
            self._letters.setdefault(letters if len(letters) > 2 else "", []).append(part)

    def marked(self, texts: Sequence[str]) -> Iterator[tuple[str, set[str]]]:
        """Yield the texts with marked words, and the markers of which they contain a part."""
        if len(self._plain) + len(self._marked) > _MOST_WORDS:
            self._plain.clear()
            self._marked.clear()
            self._plain_runs.clear()
            self._runs.clear()
        rests = [set(_split(text)).difference(self._plain) for text in texts]
        new = self._search(list(set().union(*rests).difference(self._marked)))
        for text, rest in zip(texts, rests, strict=True):
            if markers := set().union(
                *(self._marked.get(word) or new.get(word) or () for word in rest)
            ):
                yield text, markers

    def _search(self, words: list[str]) -> dict[str, set[str]]:
        """Search new words, all at once; remember the short ones. Return the marked ones."""
        marked: dict[str, set[str]] = {}
        long = [word for word in words if len(word) >= LONG]
        lower = [word.lower() for word in words]
        for parts, owners, forms in (
            (self._tokens, long, long),
            (self._exact, words, words),
            (self._possible(lower), words, lower),
        ):
            for word, part in _located(parts, owners, forms):
                marked.setdefault(word, set()).update(parts[part])
        for word in long:
            if len(word) >= _RUN and not _DIGITS.isdisjoint(word) and has_run(word):
                marked.setdefault(word, set()).add(RUN)
        for word in words:
            if len(word) > 7 and not _DIGITS.isdisjoint(word) and has_password(classes(word)):
                marked.setdefault(word, set()).add(SIGNED)
            if word.count(".") > 2 and not _DIGITS.isdisjoint(word):
                marked.setdefault(word, set()).add(ADDRESS)
        short = [word for word in words if len(word) <= _LONGEST]
        self._marked.update((word, marked[word]) for word in short if word in marked)
        self._plain.update(word for word in short if word not in marked)
        return marked

    def _possible(self, words: list[str]) -> dict[str, list[str]]:
        """Return the markers, of those in lower case, whose letters stand in one of the words.

        New letters are a sixth of new words, so most markers need no look at the words.
        """
        runs = set(_RUNS.findall(" ".join(words))).difference(self._plain_runs)
        new = list(runs.difference(self._runs))
        for run, letters in _hits(filter(None, self._letters), new, " ".join(["", *new, ""])):
            self._runs.setdefault(run, set()).add(letters)
        self._plain_runs.update(run for run in new if run not in self._runs)
        found = {""}.union(*(self._runs.get(run, ()) for run in runs))
        return {part: self._folded[part] for run in found for part in self._letters.get(run, ())}


def _split(text: str) -> list[str]:
    words = text.split()
    return words + without_colors(text).split() if "\x1b[" in text else words


def _located(
    markers: Iterable[str], words: list[str], forms: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield (word, marker) for each word and each marker in its form, which has no space in it.

    A marker may begin with the space before the word and end with the one after it.
    """
    joined = " ".join(["", *forms, ""])
    if not joined.isascii():
        yield from _hits((marker for marker in markers if not marker.isascii()), words, joined)
        # CJK text is short without its own characters. Those that become neighbours can only make
        # up a marker that is not there, which costs a second look at the text.
        joined = joined.encode("ascii", "ignore").decode("ascii")
    yield from _hits(filter(str.isascii, markers), words, joined)


def _hits(markers: Iterable[str], words: list[str], joined: str) -> Iterator[tuple[str, str]]:
    """Yield (word, marker) for each marker in `joined`, the words with a space on each side."""
    starts: list[int] = []
    for marker in markers if words else ():
        at = joined.find(marker)
        while at >= 0:
            starts = starts or [*accumulate(len(form) + 1 for form in joined.split(" "))]
            index = bisect_right(starts, at + len(marker) - 1) - 1
            yield words[index], marker
            at = joined.find(marker, starts[index + 1] - 1)


@cache
def _vocabulary() -> _Vocabulary:
    """Return the words of this process; building their markers takes milliseconds."""
    return _Vocabulary()


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
