"""The place in a session's texts that answers a query best, cut out, with the matches marked.

Invariant: the spans are places in the snippet that is given with them, in order and apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.search.fields import fields
from journal.history.search.tokens import normal, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.history.search.tokens import Asked
    from projections.digest import Digest

    Match = tuple[int, int, int]  # start, end, which of the terms asked for

__all__ = ["LENGTH", "snippet_of"]

LENGTH = 160  # characters
_BEFORE = 40  # characters of context before the first match
_LOOKED_AT = 4000  # characters of one text
_LOOKED_INTO = 3  # texts of a session
_LESS = {"title": 0.3, "branch": 0.3, "file": 0.8}  # shown beside it, or not worth reading


def snippet_of(digest: Digest, asked: Sequence[Asked]) -> tuple[str, list[tuple[int, int]]]:
    """Give a snippet of at most LENGTH characters and the matches in it, as (start, end)."""
    best: tuple[float, str, list[Match], int] = (0.0, "", [], 0)
    beginning = ""
    likely = []
    for number, field in enumerate(fields(digest)):
        text = " ".join(normal(field.text[:_LOOKED_AT]).split())
        if field.name in ("summary", "prompt") and not beginning:
            beginning = text
        folded = text.casefold()
        hint = sum(item.weight for item in asked if _head(item.term) in folded)
        if hint:
            weight = _LESS.get(field.name, 1.0)
            likely.append((-hint * weight, number, weight, text))
    # Looking closely costs; the texts that hold most of the words are enough.
    for _, _, weight, text in sorted(likely)[:_LOOKED_INTO]:
        matches = _matches(text, asked)
        worth, at = _window(matches, asked)
        if worth * weight > best[0]:
            best = (worth * weight, text, matches, at)
    _, text, matches, at = best
    if not text:
        return _cut(beginning, 0)[0], []
    shown, moved = _cut(text, at)
    room = len(shown)
    found = [(start - moved, end - moved) for start, end, _ in matches]
    return shown, _apart([span for span in found if span[0] >= 0 and span[1] <= room])


def _head(term: str) -> str:
    """Give what a word with this term begins with, whatever its ending."""
    return term[:-1] if len(term) > 4 and term.isascii() else term


def _matches(text: str, asked: Sequence[Asked]) -> list[Match]:
    wanted = {item.term: number for number, item in enumerate(asked)}
    begun = tuple(item.term for item in asked if item.prefix)
    numbers = [number for number, item in enumerate(asked) if item.prefix]
    found = []
    for terms, start, end in spans(text):
        for term in terms:
            number = wanted.get(term)
            if number is None and begun and term.startswith(begun):
                number = next(
                    n for head, n in zip(begun, numbers, strict=True) if term.startswith(head)
                )
            if number is not None:
                found.append((start, end, number))
                break
    return found


def _window(matches: list[Match], asked: Sequence[Asked]) -> tuple[float, int]:
    """Worth of the best window, and where its first match starts."""
    best = (0.0, 0)
    for at, (start, _, _) in enumerate(matches):
        inside = {
            number
            for begin, end, number in matches[at : at + 40]
            if end - start <= LENGTH - _BEFORE
        }
        worth = sum(asked[number].weight for number in inside)
        if worth > best[0]:
            best = (worth, start)
    return best


def _cut(text: str, at: int) -> tuple[str, int]:
    """Cut a window around a place out of a text: (window, how far its places have moved)."""
    start = max(0, min(at - _BEFORE, len(text) - LENGTH))
    if start:
        space = text.find(" ", start, at)
        start = space + 1 if space >= 0 else start
    end = start + LENGTH
    head = "…" if start else ""
    end -= len(head)
    if end >= len(text):
        return head + text[start:], start - len(head)
    space = text.rfind(" ", at + 1, end)
    end = space if space > end - 24 else end - 1
    return head + text[start:end] + "…", start - len(head)


def _apart(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put spans that touch together."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
