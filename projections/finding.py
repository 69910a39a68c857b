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

__all__ = ["Finding", "best_findings", "findings_in"]

FOUND = 2
"""Sentences of a session that are remembered."""

_SHARED = 2  # most that words shared with the request add
_LEAST = 3  # weight of a sentence that says what was found out
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


def findings_in(answer: str, asked: str, rivals: "Sequence[Finding]" = ()) -> list[Finding]:
    """Return the sentences of an answer that say what was found out.

    asked: the request before. rivals: the best so far; a sentence that cannot be one of the best
    beside them is left out.
    """
    wanted = _terms_of(asked)
    question = asked.rstrip().endswith(_QUESTION)
    least = max(_LEAST, min(one.weight for one in rivals) if len(rivals) >= FOUND else 0)
    found = []
    for at, text in enumerate(sentences(answer)):
        if at >= _LOOKED_AT:
            break
        if _size(text) < _SHORTEST:
            continue
        weight = _weight(text, wanted, 2 if question and at == 0 else 0, least)
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


@lru_cache(4)  # a request has many answers
def _terms_of(asked: str) -> frozenset[str]:
    return frozenset(significant_terms(asked))


def _weight(text: str, wanted: frozenset[str], bonus: int, least: int) -> int:
    folded = text.casefold()
    if text.endswith(_QUESTION[:2]) or folded.startswith(_PLAN):
        return bonus
    weight = bonus + _is_concrete(text)
    causes = _ASCII_CAUSE if folded.isascii() else _CAUSE
    if any(map(folded.__contains__, causes)):
        weight += 3
    if weight + _SHARED < least:  # its terms, which take long to find, change nothing
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
