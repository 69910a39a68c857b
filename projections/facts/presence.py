"""Whether a text says a fact: the one judge of presence, line by line.

A path counts by its last two components, an id as a whole token, a command by its beginning, words
by the share of the telling ones within one line or two neighbours. Invariant: scattered words never
count, however many the text holds of them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import Struct

from projections.terms import is_hiragana, is_stop, normal, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SHARE", "Known", "Presence", "missing_from", "tail_of"]

SHARE = 0.7  # of a fact's telling words that one line must hold
_WORDS = 25  # telling words of a fact that are compared
_LONGEST = 60  # telling words that two neighbouring lines may have together
_SHORTEST = 4  # letters of a telling word; one with a digit may be shorter
_COMMAND = 60  # characters of a command that tell which one it is
_MARKS = str.maketrans({"`": "", "*": "", "“": "'", "”": "'", "‘": "'", "’": "'", '"': "'"})  # noqa: RUF001
_LINES = re.compile(r"\n+|(?<=[.!?;])\s+(?=[A-Z\"'`(])|(?<=[。！？])")  # noqa: RUF001


def tail_of(path: str) -> str:
    """Return the last two components of a path."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(parts[-2:])


def telling_words(text: str) -> list[str]:
    """Return the words of a text that tell something, each once: stems, or pairs of characters."""
    found: dict[str, None] = {}
    for start, end, (term, *_) in words(normal(text)):
        if not term.isascii():
            if len(term) > 1 and not is_hiragana(term):
                found[term] = None
        elif not is_stop(term) and (end - start >= _SHORTEST or any(map(str.isdigit, term))):
            found[term] = None
    return list(found)


class Presence:
    """A text, prepared once, that is asked which facts it says."""

    def __init__(self, text: str) -> None:
        self._flat = _flat(text)
        lines = [frozenset(telling_words(line)) for line in _LINES.split(text)]
        lines = [line for line in lines if line]
        self._lines = lines + [
            one | two for one, two in pairwise(lines) if len(one | two) <= _LONGEST
        ]

    def has_path(self, path: str) -> bool:
        """Return whether the text names a file by its last two components."""
        return self.has_token(tail_of(path))

    def has_token(self, token: str) -> bool:
        """Return whether the text holds a token, not as a part of a longer word."""
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
        """Return whether the text holds another one word for word."""
        return _flat(text).rstrip(".…! ") in self._flat

    def has_command(self, command: str) -> bool:
        """Return whether the text holds the beginning of a command."""
        start = _flat(command[:_COMMAND])
        return bool(start) and start in self._flat

    def has_words(self, text: str, share: float = SHARE) -> bool:
        """Return whether a line of the text, or two neighbours, say what `text` says."""
        flat = _flat(text).rstrip(".…! ")
        if not flat or (len(flat) >= 6 and flat[:160] in self._flat):
            return True
        own = frozenset(telling_words(text)[:_WORDS])
        if len(own) < 3:
            return flat in self._flat
        return any(len(own & line) >= share * len(own) for line in self._lines)

    def without(self, texts: Iterable[str], share: float = SHARE) -> list[str]:
        """Return the texts that this one does not say."""
        return [text for text in texts if not self.has_words(text, share)]

    def without_paths(self, paths: Iterable[str]) -> list[str]:
        """Return the paths that this text does not name."""
        return [path for path in paths if not self.has_path(path)]


class Known(Struct, frozen=True, omit_defaults=True):
    """Facts by class: files changed, decisions in their words, open items; newest first."""

    paths: list[str] = []
    decisions: list[str] = []
    items: list[str] = []


def missing_from(summary: str, known: Known) -> Known:
    """Return the facts that a summary does not say; none where there is no summary."""
    if not summary.strip():
        return Known()
    text = Presence(summary)
    return Known(
        text.without_paths(known.paths), text.without(known.decisions), text.without(known.items)
    )


def _in_word(char: str) -> bool:
    return char == "_" or (char.isalnum() and char.isascii())


def _flat(text: str) -> str:
    return " ".join(normal(text).casefold().translate(_MARKS).split())
