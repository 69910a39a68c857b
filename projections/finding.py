"""Select the sentences of an answer that say what Claude found out: a cause, a result, an answer.

Pure and bounded; every finding is an excerpt. Most rules work in any language (a question before,
words of the request, a name, a number). The table of words that announce a cause has only some
languages and only adds weight.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from journal.text import excerpt
from projections.prose import QUESTION_MARKS, is_announcement, is_concrete, sentences
from projections.terms import significant_terms

FOUND = 2
"""Number of findings that a session remembers."""

_LEAST = 3  # weight of a finding
# Weights: for the first sentence after a question, for naming a cause, for naming something
# specific, and (at most) for words of the request.
_OPENS, _CAUSES, _CONCRETE_WEIGHT, _SHARED = 2, 3, 1, 2
_TEXT = 300  # characters of a finding
_WEIGHED = 300  # sentences of an answer that are weighed
_SHORTEST = 12  # letters of a finding; a character of a CJK script counts as two

# Words that announce a cause or a result.
_CAUSE = (
    "root cause", "the cause", "caused by", "because", "turned out", "turns out", "the problem is",
    "the problem was", "the issue is", "the issue was", "the reason", "the bug is", "the bug was",
    "due to", "found that", "culprit", "the answer is", "ursache", "liegt daran", "lag daran",
    " weil ", "stellte sich heraus", "der grund", "das problem", "la cause", "parce que",
    "le problème", "en raison", "à cause", "la causa", "porque", "el problema", "debido a",
    "a causa", "o problema", "devido", "perché", "il problema", "oorzaak", "omdat", "причина",
    "потому что", "оказалось", "из-за", "原因", "ため", "理由", "判明", "わかりました",
    "因为", "因為", "由于", "由於", "问题在于", "問題在於", "导致", "導致", "원인", "때문", "이유",
    "알고 보니", "문제는",
)  # fmt: skip
_ASCII_CAUSE = tuple(filter(str.isascii, _CAUSE))
_QUESTION = (*QUESTION_MARKS, "か", "か。", "까", "吗", "嗎", "呢", "؟")


class KeySentence(Struct, frozen=True, array_like=True):
    """A sentence and its weight."""

    weight: int
    text: str


def findings_in(answer: str, asked: str, least: int = _LEAST) -> list[KeySentence]:
    """Return the findings in an answer that weigh at least `least`, in order.

    asked: the request that it answers.
    """
    folded = " ".join(answer.casefold().split())
    known = _ASCII_CAUSE if folded.isascii() else _CAUSE
    causes = tuple(filter(folded.__contains__, known))
    opens = _OPENS if asked.rstrip().endswith(_QUESTION) else 0
    most = (_CAUSES if causes else 0) + _CONCRETE_WEIGHT + _SHARED
    if opens + most < least:
        return []
    wanted = _terms_of(asked)
    found = []
    for at, text in enumerate(sentences(answer)):
        bonus = 0 if at else opens
        if at >= _WEIGHED or (at and most < least):
            break
        if len(text) < _SHORTEST and _size(text) < _SHORTEST:
            continue
        weight = _weight(text, wanted, causes, bonus, least)
        if weight >= least:
            found.append(KeySentence(weight, excerpt(text, _TEXT)))
    return found


def best_findings(found: "Iterable[KeySentence]") -> list[KeySentence]:
    """Return the `FOUND` heaviest findings, in order; among equal ones, the later.

    A repeated sentence has its highest weight.
    """
    heaviest: dict[str, KeySentence] = {}
    for finding in found:
        text = finding.text
        if text not in heaviest or heaviest[text].weight < finding.weight:
            heaviest.pop(text, None)
            heaviest[text] = finding
    listed = list(heaviest.values())
    chosen = sorted(range(len(listed)), key=lambda at: (-listed[at].weight, -at))[:FOUND]
    return [listed[at] for at in sorted(chosen)]


def least_beside(found: "Sequence[KeySentence]", *, earlier: bool = False) -> int:
    """Return the least weight with which another sentence is among the best of those found so far.

    earlier: whether it precedes them; among equal ones, the later is better.
    """
    return _LEAST if len(found) < FOUND else min(finding.weight for finding in found) + earlier


@lru_cache(4)  # a request has many answers
def _terms_of(asked: str) -> frozenset[str]:
    return frozenset(significant_terms(asked))


def _weight(
    text: str, wanted: frozenset[str], causes: tuple[str, ...], bonus: int, least: int
) -> int:
    """Return the weight of a sentence, or any weight below `least` if it cannot reach that."""
    if text.endswith(QUESTION_MARKS) or is_announcement(text):
        return bonus
    folded = text.casefold()
    weight = bonus
    if any(map(folded.__contains__, causes)):
        weight += _CAUSES
    if weight + _CONCRETE_WEIGHT + _SHARED < least:  # skip the slow checks
        return weight
    if is_concrete(text):
        weight += _CONCRETE_WEIGHT
    if weight + _SHARED < least or not wanted:
        return weight
    return weight + min(len(wanted.intersection(significant_terms(text))), _SHARED)


def _size(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if char >= "\u2e80" else 1 for char in text)
