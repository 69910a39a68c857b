"""Find the passage of a session's texts that matches a query best, and mark the matches.

Invariant: spans are positions in the snippet they come with, in order and disjoint.
"""

from collections.abc import Sequence
from typing import NamedTuple

from journal.history.search.columns import LONGEST, texts
from journal.history.search.query import Term
from projections.digest import Digest
from projections.terms import fold, normal, words

Match = tuple[int, int, str]  # start, end, term

LENGTH = 240  # characters
_LEAD = 80  # characters of context before the first match
_TEXTS = 3  # texts with a match that are compared
# Texts that are shown beside the snippet, say little, or repeat others.
_WEIGHTS = {"title": 0.3, "branch": 0.3, "file": 0.8, "mark": 0.8, "summary": 0.9, "compact": 0.95}


class Snippet(NamedTuple):
    """A passage. spans: the matches in it, as (start, end); kind: of text, as in `columns.texts`.

    Without a match (the session was found by meaning or by its ID) it is the beginning of what the
    session was about, and the kind is "".
    """

    text: str
    spans: list[tuple[int, int]]
    kind: str = ""


def snippet_of(digest: Digest, terms: Sequence[Term]) -> Snippet:
    """Return the passage of at most LENGTH characters that matches the terms best."""
    exact = {term.text for term in terms}
    prefixes = tuple(term.text for term in terms if term.prefix)
    # A stem may differ from the word in its last letter.
    heads = [text[:-1] if len(text) > 4 and text.isascii() else text for text in exact]
    beginning = ""
    likely = []
    for number, (kind, _, text) in enumerate(texts(digest)):
        flat = " ".join(normal(text[:LONGEST]).split())
        if kind in ("summary", "prompt") and not beginning:
            beginning = flat
        folded = fold(flat)
        if hits := sum(head in folded for head in heads):
            weight = _WEIGHTS.get(kind, 1.0)
            likely.append((-hits * weight, number, weight, kind, flat))
    best: tuple[float, str, list[Match], int, str] = (0.0, "", [], 0, "")
    compared = 0
    for _, _, weight, kind, text in sorted(likely):
        matches = _matches(text, exact, prefixes)
        worth, at = _window(matches)
        if worth * weight > best[0]:
            best = (worth * weight, text, matches, at, kind)
        compared += bool(matches)
        if compared == _TEXTS:
            break
    _, text, matches, at, kind = best
    return _marked(text, matches, at, kind) if text else Snippet(_cut(beginning, 0)[0], [])


def passage_of(text: str, terms: Sequence[Term]) -> tuple[int, Snippet]:
    """Return how many of the terms the best passage of a text contains, and the passage."""
    flat = " ".join(normal(text[:LONGEST]).split())
    prefixes = tuple(term.text for term in terms if term.prefix)
    matches = _matches(flat, {term.text for term in terms}, prefixes)
    worth, at = _window(matches)
    return worth, _marked(flat, matches, at, "")


def _marked(text: str, matches: list[Match], at: int, kind: str) -> Snippet:
    shown, moved = _cut(text, at)
    spans = [(start - moved, end - moved) for start, end, _ in matches]
    inside = [span for span in spans if span[0] >= 0 and span[1] <= len(shown)]
    return Snippet(shown, _joined(inside), kind)


def _matches(text: str, exact: set[str], prefixes: tuple[str, ...]) -> list[Match]:
    """Return the words of a text with a term in `exact` or with a prefix in `prefixes`."""
    found = []
    for start, end, indexed in words(text):
        for term in indexed:
            if term in exact or term.startswith(prefixes or "\0"):
                found.append((start, end, term))
                break
    return found


def _window(matches: list[Match]) -> tuple[int, int]:
    """Return how many different terms the best window has, and where its first match starts."""
    best = (0, 0)
    for at, (start, _, _) in enumerate(matches):
        inside = {term for _, end, term in matches[at : at + 40] if end - start <= LENGTH - _LEAD}
        if len(inside) > best[0]:
            best = (len(inside), start)
    return best


def _cut(text: str, at: int) -> tuple[str, int]:
    """Cut a window around a position from a text; return it and the offset of its positions."""
    start = max(0, min(at - _LEAD, len(text) - LENGTH))
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


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join spans that touch."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
