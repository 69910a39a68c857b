"""Texts as the terms an index holds: words, parts of identifiers, character pairs of CJK.

Invariant: a text and a query go through the same code, so what is written one way is found when
asked for that way; every term is bounded, and so is the number of terms a word makes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Asked", "asked", "normal", "spans", "stem", "terms"]

TERM = 64  # characters of a term; longer words are cut
ASKED = 64  # terms of a query that count
_PARTS = 16
_PART_WEIGHT = 0.5  # of a part of an identifier, against the whole of it
_KANA_WEIGHT = 0.3  # of a pair of Hiragana: endings and particles more often than words
_KANA = frozenset(map(chr, range(0x3041, 0x30A0)))

# Scripts written without spaces: Han, Kana, Hangul and the like; Thai, Lao, Burmese, Khmer.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    "\u3031-\u3035\u303b\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff"
_JOINS = r"[./\\:@~+-]{1,3}"
_TAIL = r"(?:\+\+|#)?"  # C++, C#
_ASCII = re.compile(rf"[A-Za-z0-9_]+(?:{_JOINS}[A-Za-z0-9_]+)*{_TAIL}")
_LETTERS = rf"(?:[^\W{_DENSE}]|[{_MARKS}])+"
_ANY = re.compile(rf"([{_DENSE}]+)|{_LETTERS}(?:{_JOINS}{_LETTERS})*{_TAIL}")
_WORD = re.compile(
    r"[^\W_](?:[\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u0900-\u0dff]*)(?:\+\+|#)?|_\w+"
)
_PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_VOWEL = re.compile("[aeiouy]")


class Asked(NamedTuple):
    """A term of a query. prefix: whatever begins with it counts too."""

    term: str
    weight: float
    prefix: bool


def normal(text: str) -> str:
    """Give the text in the form its terms and their places are taken from (NFKC)."""
    return text if text.isascii() else normalize("NFKC", text)


def terms(text: str) -> Iterator[str]:
    """All terms of a text, each as often as it occurs."""
    text = normal(text)
    if text.isascii():
        for word in _ASCII.findall(text):
            yield from _of_word(word)
        return
    for match in _ANY.finditer(text):
        if match[1]:
            yield from _of_run(match[1])
        else:
            yield from _of_word(match[0])


def spans(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Terms with their place in a text that is `normal` already: (terms, start, end)."""
    for match in _ANY.finditer(text):
        start = match.start()
        if match[1]:
            for at, pair in enumerate(map("".join, pairwise(match[1])), start):
                yield (pair,), at, at + 2
            yield (match[1][-1],), match.end() - 1, match.end()
            continue
        word = match[0]
        if whole := _whole(word):
            yield (whole,), start, match.end()
        for inner in _WORD.finditer(word):
            if found := _of_plain(inner[0]):
                yield found, start + inner.start(), start + inner.end()


def asked(query: str) -> list[Asked]:
    """Terms of a query with their weights, at most ASKED; the last word may be unfinished."""
    query = normal(query)
    found: dict[str, Asked] = {}
    for match in _ANY.finditer(query):
        run = match[1]
        if run:
            for pair in map("".join, pairwise(run)):
                weight = _KANA_WEIGHT if len(run) > 2 and _KANA.issuperset(pair) else 1.0
                found.setdefault(pair, Asked(pair, weight, prefix=False))
            if len(run) == 1:  # indexed is the last character of a run, and pairs
                found.setdefault(run, Asked(run, 1.0, prefix=True))
        else:
            last = match.end() == len(query)
            for number, term in enumerate(_of_word(match[0])):
                weight = _PART_WEIGHT if number else 1.0
                open_end = last and not number and len(term) >= 3 and term.isalnum()
                known = found.get(term)
                if known is None or known.weight < weight:
                    found[term] = Asked(term, weight, prefix=open_end)
        if len(found) >= ASKED:
            break
    return list(found.values())[:ASKED]


def stem(word: str) -> str:
    """Take the usual English endings off a folded ASCII word; the same word where there is none."""
    if len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses") or (word.endswith("es") and word[-3:-2] in ("x", "h")):
        word = word[:-2]
    elif word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    for ending, least in (("ing", 3), ("ed", 3), ("ment", 4), ("ly", 4), ("ion", 4)):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= least and _VOWEL.search(rest):
            if ending == "ion" and rest[-1] not in "st":
                continue
            if ending in ("ing", "ed") and rest[-1] == rest[-2] and rest[-1] not in "lsz":
                rest = rest[:-1]
            word = rest
            break
    return word[:-1] if len(word) > 4 and word[-1] == "e" else word


def _of_run(run: str) -> Iterator[str]:
    yield from map("".join, pairwise(run))
    yield run[-1]


@lru_cache(1 << 16)
def _of_word(word: str) -> tuple[str, ...]:
    """Terms of one word with what is joined to it: the whole first, then its parts, each once."""
    inner = _WORD.findall(word)
    if len(inner) == 1 and inner[0] == word:
        return _of_plain(word)
    found = [_whole(word)]
    if "/" in word or "\\" in word:
        found.append(_whole(re.split(r"[/\\]", word)[-1]))
    for part in inner[:_PARTS]:
        if len(part) > 1:
            found += _of_plain(part)
    return tuple(dict.fromkeys(filter(None, found)))


@lru_cache(1 << 16)
def _of_plain(word: str) -> tuple[str, ...]:
    """Terms of one identifier or word."""
    if len(word) > TERM:
        return (_whole(word),)
    pieces = _PIECE.findall(word) if word.isascii() else word.strip("_").split("_")
    if len(pieces) <= 1:
        return tuple(filter(None, (_word(word),)))  # marks without a letter are no term
    parts = [_word(piece) for piece in pieces[:_PARTS] if len(piece) > 1]
    return tuple(dict.fromkeys(filter(None, [_whole(word), *parts])))


def _word(word: str) -> str:
    folded = _whole(word)
    return stem(folded) if folded.isascii() and folded.isalpha() else folded


def _whole(word: str) -> str:
    folded = word.casefold()
    if not folded.isascii():
        folded = normalize("NFC", _ACCENTS.sub("", normalize("NFKD", folded)))
    return folded[:TERM]
