"""Parse a search query into terms, and build its FTS5 expression.

Stop words are left out. A word that no session has is searched as a prefix, or as a misspelling of
an indexed word. Invariant: for any text, the expression is valid and bounded.
"""

import difflib
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from projections.terms import is_hiragana, is_stop, normal, words

MOST = 64  # terms of a query that count
_SHORTEST = 3  # least characters of a prefix
_SPELLED = 4  # least characters of a misspelled word
_ALIKE = 0.8  # least difflib ratio of a word and its misspelling
_GUESSES = 3
_ID = re.compile("[0-9a-f]{7,}")  # of a session or a commit; the numbers inside it mean nothing


class Term(NamedTuple):
    """One term. prefix: words that begin with it match too."""

    text: str
    prefix: bool = False


class Query(NamedTuple):
    """A parsed query. stops: words that were left out; cut: whether there were too many terms."""

    terms: list[Term]
    stops: list[str]
    cut: bool = False


def parse_query(text: str) -> Query:
    """Parse a query. Hiragana pairs, mostly grammar, count only if there is nothing else."""
    text = normal(text)
    found: dict[str, None] = {}
    stops: list[str] = []
    previous = 0
    for start, end, terms in words(text):
        if is_stop(terms[0]) or (end - start <= 2 and _is_contraction(text[:start][-2:])):
            stops.append(text[start:end])
            continue
        if start < previous and end == previous:
            continue  # the last character of a run, which its last pair holds
        previous = end
        found.update(dict.fromkeys(terms[:1] if _ID.fullmatch(terms[0]) else terms))
        if len(found) > MOST:
            break
    listed = [term for term in found if not is_hiragana(term)] or list(found)
    return Query(
        [Term(term, prefix=_is_cjk_letter(term)) for term in listed[:MOST]],
        stops,
        len(listed) > MOST,
    )


def expand(terms: Sequence[Term], vocabulary: Callable[[str, str], list[str]]) -> list[Term]:
    """Return the terms, with similar indexed terms in place of each that no session has.

    vocabulary: returns the indexed terms from one text up to another.
    """
    found: list[Term] = []
    for term in terms:
        found += _alternatives(term, vocabulary)
    return list(dict.fromkeys(found))


def expression(terms: Sequence[Term], joined: str = " OR ") -> str:
    """Return the FTS5 expression that matches any of the terms, or all (joined: " AND ")."""
    return joined.join(f'"{term.text}"{"*" * term.prefix}' for term in terms)


def _alternatives(term: Term, vocabulary: Callable[[str, str], list[str]]) -> list[Term]:
    text = term.text
    plain = text.isascii() and text.isalnum()
    if term.prefix or not plain or len(text) < _SHORTEST or vocabulary(text, text):
        return [term]
    if vocabulary(text, f"{text}\U0010ffff"):
        return [Term(text, prefix=True)]
    if len(text) < _SPELLED:
        return [term]
    indexed = vocabulary(text[0], f"{text[0]}\U0010ffff")
    near = [word for word in indexed if abs(len(text) - len(word)) <= 2 and word.isalnum()]
    guesses = difflib.get_close_matches(text, near, _GUESSES, _ALIKE)
    return [Term(guess) for guess in guesses] or [term]


def _is_contraction(before: str) -> bool:
    """Return whether a word goes on after an apostrophe, as in "it's" and "don't"."""
    return before[:1].isalpha() and before[1:] in ("'", "\u2019")


def _is_cjk_letter(term: str) -> bool:
    """Return whether a term is one character of a script whose terms are pairs."""
    return len(term) == 1 and not term.isascii()
