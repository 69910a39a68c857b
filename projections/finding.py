"""The sentences of an answer that say what was found out: a cause, a result, what was asked for.

Invariant: pure and bounded, and nothing is worded anew. What the rules look at exists in every
language (a question, words of the question in the answer, a name, a number); words that announce a
cause are a table of a few languages and only add weight.
"""

from functools import lru_cache

from msgspec import Struct

from projections.prose import clip, sentences
from projections.terms import significant_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Finding", "best_findings", "findings_in", "least_beside"]

FOUND = 2
"""Sentences of a session that are remembered."""

_LEAST = 3  # weight of a sentence that says what was found out
# What a sentence weighs for opening the answer to a question, naming a cause, naming something, and
# at most for words that it shares with the request.
_OPENS, _CAUSES, _CONCRETE_WEIGHT, _SHARED = 2, 3, 1, 2
_TEXT = 300  # characters
_LOOKED_AT = 300  # sentences of an answer
_SHORTEST = 12  # letters; a character of Chinese, Japanese or Korean says as much as two

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
# Beginnings of what is only announced or offered.
_PLAN = (
    "i'll", "i’ll", "i will", "let me", "let's", "next,", "now i", "shall i", "should i", "do you",  # noqa: RUF001
    "would you", "want me", "if you", "ich werde", "soll ich", "je vais", "voy a", "vou ", "я ",
    "これから", "次に", "では", "接下来", "让我", "이제", "다음",
)  # fmt: skip
_QUESTION = ("?", "？", "か", "か。", "까", "吗", "嗎", "呢", "؟")  # noqa: RUF001
_CONCRETE = frozenset("0123456789`\"'«“「")
_SIGNS = ("_", "/", ".", "()")  # within a word


class Finding(Struct, frozen=True, array_like=True):
    """A sentence and how much it says."""

    weight: int
    text: str


def findings_in(answer: str, asked: str, least: int = _LEAST) -> list[Finding]:
    """Return the sentences of an answer that say what was found out and weigh at least `least`.

    asked: the request before.
    """
    causes = _causes_in(answer)
    opens = _OPENS if asked.rstrip().endswith(_QUESTION) else 0
    most = (_CAUSES if causes else 0) + _CONCRETE_WEIGHT + _SHARED
    if opens + most < least:
        return []
    wanted = _terms_of(asked)
    found = []
    for at, text in enumerate(sentences(answer)):
        bonus = 0 if at else opens
        if at >= _LOOKED_AT or (at and most < least):
            break
        if len(text) < _SHORTEST and _size(text) < _SHORTEST:
            continue
        weight = _weight(text, wanted, causes, bonus, least)
        if weight >= least:
            found.append(Finding(weight, clip(text, _TEXT)))
    return found


def best_findings(found: "Iterable[Finding]") -> list[Finding]:
    """Return the findings that say most, in their order; of equal ones the later.

    A sentence that comes again weighs what it weighed most.
    """
    heaviest: dict[str, Finding] = {}
    for one in found:
        if one.text not in heaviest or heaviest[one.text].weight < one.weight:
            heaviest.pop(one.text, None)
            heaviest[one.text] = one
    listed = list(heaviest.values())
    chosen = sorted(range(len(listed)), key=lambda at: (-listed[at].weight, -at))[:FOUND]
    return [listed[at] for at in sorted(chosen)]


def least_beside(found: "Sequence[Finding]", *, earlier: bool = False) -> int:
    """Return the weight that makes another sentence one of the best beside those found so far.

    earlier: whether it comes before them; of equal ones the later is better.
    """
    return _LEAST if len(found) < FOUND else min(one.weight for one in found) + earlier


@lru_cache(4)  # a request has many answers
def _terms_of(asked: str) -> frozenset[str]:
    return frozenset(significant_terms(asked))


def _causes_in(answer: str) -> tuple[str, ...]:
    """Return the words of `_CAUSE` that occur in any sentence of an answer."""
    folded = " ".join(answer.casefold().split())
    causes = _ASCII_CAUSE if folded.isascii() else _CAUSE
    return tuple(filter(folded.__contains__, causes))


def _weight(
    text: str, wanted: frozenset[str], causes: tuple[str, ...], bonus: int, least: int
) -> int:
    """Return the weight of a sentence; a lower one where that is certain to be below `least`."""
    folded = text.casefold()
    if text.endswith(_QUESTION[:2]) or folded.startswith(_PLAN):
        return bonus
    weight = bonus
    if any(map(folded.__contains__, causes)):
        weight += _CAUSES
    if weight + _CONCRETE_WEIGHT + _SHARED < least:  # the rest takes longer, and changes nothing
        return weight
    if _is_concrete(text):
        weight += _CONCRETE_WEIGHT
    if weight + _SHARED < least or not wanted:
        return weight
    return weight + min(len(wanted.intersection(significant_terms(text))), _SHARED)


def _size(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if char >= "\u2e80" else 1 for char in text)


def _is_concrete(text: str) -> bool:
    """Return whether a sentence names something: a number, a file, an identifier, a quotation."""
    if not _CONCRETE.isdisjoint(text) or (not text.isascii() and any(map(str.isdigit, text))):
        return True
    if not any(map(text.__contains__, _SIGNS)):
        return False
    words = " ".join([word.rstrip(".,:;") for word in text.split()])
    return any(map(words.__contains__, _SIGNS))
