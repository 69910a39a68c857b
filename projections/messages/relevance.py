"""Find the past sessions that share rare words with a request. Pure.

A word weighs more the fewer cards have it. Two rare words must match, or more if the request is
long, or one name that can hardly mean anything else (with `_` or digits in it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from projections.past import Card, overlaps
from projections.terms import groups

_MOST = 2
_LEAST = 1.5  # sum of rarities, each 0 to 1, that a match needs
_SHARE = 0.12  # of the words of a long request


def matching(text: str, cards: Sequence[Card], offered: set[str]) -> list[Card]:
    """Return the two cards that match a request best, best first; none of `offered`."""
    asked = list({tuple(group): group for group in groups(text)}.values())  # each word once
    if not asked:
        return []
    held = [(card, _terms(card)) for card in cards]
    rarity = _rarity([terms for _, terms in held], asked)
    needed = max(_LEAST, _SHARE * sum(map(_words, asked)))
    rows = []
    for at, (card, terms) in enumerate(held):
        score = _score(asked, terms, rarity)
        if score >= needed:
            rows.append((-score, at, card))
    rows.sort(key=lambda row: row[:2])
    found: list[Card] = []
    for _, _, card in rows:
        if card.sid not in offered and not overlaps(card, found):
            found.append(card)
    return found[:_MOST]


def _terms(card: Card) -> set[str]:
    """Return the terms of a card; a card built without them has its text instead."""
    if "\n" in card.terms:
        return {term for group in groups(card.terms) for term in group}
    return set(card.terms.split())


def _rarity(held: list[set[str]], asked: list[list[str]]) -> dict[str, float]:
    """Return term → weight: 1 if a single card has it, toward 0 if all of many have it."""
    count = len(held)
    weights = {}
    for term in {term for group in asked for term in group}:
        having = sum(term in terms for terms in held)
        if having:
            weights[term] = 1 - log(having) / log(count + 1) if count > 3 else 1.0
    return weights


def _score(asked: list[list[str]], terms: set[str], rarity: Mapping[str, float]) -> float:
    """Return the sum of the weights of the request's words that a card has; 0 below two words.

    In a script without spaces, a word counts if the card has half of its pairs; a run of several
    words counts for as many of them as the card has.
    """
    score, met = 0.0, 0
    for group in asked:
        hits = [term for term in group if term in terms]
        words = _words(group)
        if words > 1:
            words = len(hits) // 2
        elif 2 * len(hits) < len(group):
            words = 0
        elif len(group) == 1 and _is_name(group[0]):
            words = 2
        if words and hits:
            score += words * sum(rarity[term] for term in hits) / len(hits)
            met += words
    return score if met > 1 else 0.0


def _words(group: Sequence[str]) -> int:
    """Return how many words a group stands for: a long run of Han characters is several."""
    return len(group) // 2 if len(group) > 3 and "\u3400" <= group[0][0] <= "\u9fff" else 1


def _is_name(term: str) -> bool:
    """Return whether a term is a name that no sentence has by chance: an identifier, a ticket."""
    letters = any(c.isalpha() for c in term)
    return "_" in term or (letters and len(term) > 3 and any(c.isdigit() for c in term))
