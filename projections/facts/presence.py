"""Decide whether a text mentions a fact.

A path is compared by its last two components, an id as a whole token, a command by its beginning. A
sentence counts as mentioned if one line of the text, or two adjacent ones, have enough of its
content words. Invariant: words scattered over the text never count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from projections.facts.session import KnownFacts
from projections.terms import is_hiragana, is_stop, normal, words

SHARE = 0.7  # of a fact's content words that one line must have
_REPEATED = 0.85  # of a fact's content words that make another fact say the same
_WORDS = 25  # content words of a fact that are compared
_LONGEST = 60  # content words of two adjacent lines that are compared together
_SHORTEST = 4  # letters of a content word; one with a digit may be shorter
_COMMAND = 60  # characters of a command that are compared
SPACELESS = "\u0e00"  # the first character of the scripts that are written without spaces
_MARKS = str.maketrans({"`": "", "*": "", "“": "'", "”": "'", "‘": "'", "’": "'", '"': "'"})
_LINES = re.compile(r"\n+|(?<=[.!?;])\s+(?=[A-Z\"'`(])|(?<=[。！？])")


def tail_of(path: str) -> str:
    """Return the last two components of a path."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(parts[-2:])


def content_words(text: str) -> list[str]:
    """Return the content words of a text, each once: stems, or pairs of characters."""
    found: dict[str, None] = {}
    for start, end, (term, *_) in words(normal(text)):
        if term >= SPACELESS:
            if len(term) > 1 and not is_hiragana(term):
                found[term] = None
        elif not is_stop(term) and (end - start >= _SHORTEST or any(map(str.isdigit, term))):
            found[term] = None
    return list(found)


class Presence:
    """A text in a form that is fast to search for facts."""

    def __init__(self, text: str) -> None:
        self._flat = _flat(text)
        lines = [frozenset(content_words(line)) for line in _LINES.split(text)]
        lines = [line for line in lines if line]
        self._lines = lines + [
            line | following
            for line, following in pairwise(lines)
            if len(line | following) <= _LONGEST
        ]

    def has_token(self, token: str) -> bool:
        """Return whether the text has a token that is not part of a longer word."""
        flat, token = self._flat, _flat(token)
        at = flat.find(token) if token else -1
        while at >= 0:
            end = at + len(token)
            before, after = flat[at - 1 : at], flat[end : end + 1]
            if not (_in_word(before) or _in_word(after)):
                return True
            at = flat.find(token, at + 1)
        return False

    def has_text(self, text: str) -> bool:
        """Return whether the text has another one, ignoring case, quotes and white space."""
        return _flat(text).rstrip(".…! ") in self._flat

    def has_command(self, command: str) -> bool:
        """Return whether the text has the beginning of a command."""
        start = _flat(command[:_COMMAND])
        return bool(start) and start in self._flat

    def has_words(self, text: str, share: float = SHARE) -> bool:
        """Return whether a line of this text, or two adjacent ones, mention what `text` says.

        share: the part of the content words of `text` that they must have.
        """
        flat = _flat(text).rstrip(".…! ")
        if not flat or (len(flat) >= 6 and flat[:160] in self._flat):
            return True
        own = frozenset(content_words(text)[:_WORDS])
        if len(own) < 3:
            return flat in self._flat
        return any(len(own & line) >= share * len(own) for line in self._lines)

    def without(self, texts: Iterable[str], share: float = SHARE) -> list[str]:
        """Return the texts that this one does not mention."""
        return [text for text in texts if not self.has_words(text, share)]

    def left_out_of(self, known: KnownFacts) -> KnownFacts:
        """Return the facts that this text does not mention."""
        return KnownFacts(
            self.without_paths(known.paths),
            self.without(known.decisions),
            self.without(known.items),
        )

    def without_paths(self, paths: Iterable[str]) -> list[str]:
        """Return the paths whose last two components this text does not have."""
        return [path for path in paths if not self.has_token(tail_of(path))]


def without_repeated(texts: Iterable[str]) -> list[str]:
    """Return texts without those of which an earlier one has the numbers and most content words."""
    found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for text in texts:
        own = frozenset(content_words(text))
        counts = frozenset(word for word in text.split() if any(map(str.isdigit, word)))
        if not any(
            counts <= numbers and len(own & other) >= _REPEATED * len(own)
            for other, numbers in found.values()
        ):
            found[text] = own, counts
    return list(found)


def left_out_of(summary: str, known: KnownFacts) -> KnownFacts:
    """Return the facts that a summary left out; none if there is no summary."""
    return Presence(summary).left_out_of(known) if summary.strip() else KnownFacts()


def _in_word(char: str) -> bool:
    return char == "_" or (char.isalnum() and char.isascii())


def _flat(text: str) -> str:
    return " ".join(normal(text).casefold().translate(_MARKS).split())
