"""Find what a later prompt of the user corrects or limits, so that it does not pass for current.

Pure. A prompt corrects an earlier text if it has a word of correction ("instead", "after all",
やっぱり, 말고 …) or another limit ("50 lines now"), and both are about the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct

from projections.facts.presence import content_words
from projections.facts.text import is_refusal
from projections.prose import sentences
from projections.terms import is_stop

_CORRECTS = re.compile(
    r"\b(?:instead|in place of|rather than|not|never ?mind|no longer|any ?more|after all"
    r"|second thoughts?|my mind|scrap"
    r"|(?<!n't )(?<!n\u2019t )(?<!never )forget|revert|undo|back to|switch|replaced?"
    r"|mistake|from now on|you may|you can|can(?:'|\u2019)?t (?:have|use)|cannot (?:have|use))\b"
    r"|\b(?:doch nicht|statt|stattdessen|sondern|anstelle|plutôt|au lieu|finalement"
    r"|en (?:vez|lugar)|sino|mejor|al final)\b|, nicht "
    r"|やっぱり|やはり|ではなく|じゃなく|でなく|代わりに|やめ|戻して|変更|今後は|はなし[でに]"
    r"|말고|대신|아니라|역시|취소|바꿔|되돌|그만|앞으로는"
    r"|改用|改成|换成|而不是|不要用|别用|不再用|算了",
    re.IGNORECASE,
)
# Phrases that name what is given up: "instead of X", "X ではなく", "X 말고".
_GIVEN_UP = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer|drop|scrap"
    r"|not(?! (?:the )?(?:whole|entire) )"
    r"|never ?mind|(?<!n't )(?<!n\u2019t )(?<!never )forget(?: about)?|stop using|replace"
    r"|can(?:'|\u2019)?t (?:have|use)|cannot (?:have|use)|statt|anstelle von|kein|keine|keinen"
    r"|au lieu de|plutôt que|en (?:vez|lugar) de)"
    r"\s+(?:(?:the|that|this|an?|any|whole|entire|old|new|use|using|with|in|on)\s+)*([\w.+#/-]++)"
    # The owner in "not the customer's name" is not given up.
    r"(?!['\u2019]s\b)"
    r"|([a-z0-9_.+#/-]+|[\u30a1-\u30fa\u30fc\u4e00-\u9fff]+)"
    r"\s*(?:ではなく|じゃなく|でなく|の代わりに|[はを](?:取り)?やめ|は使わ|はなし[でに])"
    r"|([\w.+#/-]+)\s*(?:말고|아니라|대신)"
    r"|(?:而不是|不要用|别用|不再用)\s*([a-z0-9_.+#/-]+)"
    r"|, nicht ([\w.+#/-]+)|\b(?:nicht|kein\w*|no|non|pas)\s+([\w.+#/-]+),?\s+"
    r"(?:sondern|sino|mais|ma)\b",
    re.IGNORECASE,
)
# Phrases that give a limit anew ("functions may have 50 lines now"), and the amounts.
_LIMITS = re.compile(
    r"\b(?:now|may|up to|after all|jetzt|dürfen|doch|ahora|pueden?|mejor|désormais"
    r"|finalement)\b|今|まで|やっぱり|やはり|変更|이제|까지|역시|바꿔|改成|改为",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?<![a-z\d.])(\d+)\s?([%\uff05]|[^\W\d_]++(?![\d_]))")
_LONG = 160  # characters of a sentence that says more than a limit
# A particle of Japanese or Korean may follow without a space.
_SHORT_NAME = re.compile(r"(?a:\b[A-Z][A-Z0-9]{1,2}\b)")
_LEAST, _SHARE = 2, 0.5  # content words that both texts must have, and their part of the shorter


class _Correction(Struct, frozen=True):
    """A sentence that corrects. at: its prompt. words: content words; given_up: those given up."""

    at: int
    text: str
    words: frozenset[str]
    given_up: frozenset[str]


class Corrections:
    """The corrections in prompts, oldest first."""

    def __init__(self, prompts: Sequence[str]) -> None:
        self._prompts = [" ".join(prompt.split()) for prompt in prompts]
        texts = [
            (at, text) for at, prompt in enumerate(self._prompts) for text in sentences(prompt)
        ]
        self._found = [
            _Correction(at, text, _words(text), frozenset(_given_up(text)))
            for at, text in texts
            if _CORRECTS.search(text) or is_refusal(self._prompts[at])
        ]
        self._limits = [
            (at, text)
            for at, text in texts
            if len(text) <= _LONG and _LIMITS.search(text) and _AMOUNT.search(text)
        ]

    def of(self, text: str) -> str:
        """Return the newest sentence that corrects an excerpt of an earlier prompt, "" for none."""
        excerpt = text.rstrip("…")
        at = max((at for at, prompt in enumerate(self._prompts) if excerpt in prompt), default=-1)
        if at < 0:
            return ""
        words = _words(text)
        newer = (found for found in reversed(self._found) if found.at > at)
        corrections = (found.text for found in newer if _corrects(found, words))
        limits = (limit for when, limit in reversed(self._limits) if when > at)
        return next(chain(corrections, (limit for limit in limits if _changes(limit, text))), "")


def without_corrected(texts: Sequence[str]) -> list[str]:
    """Return the texts that no newer one corrects.

    texts: newest first, such as decisions.
    """
    corrections = Corrections(texts[::-1])
    return [text for text in texts if not corrections.of(text)]


def _corrects(correction: _Correction, words: frozenset[str]) -> bool:
    """Return whether a correction is about a text with these content words."""
    if correction.given_up & words:
        return True
    shared, shorter = correction.words & words, min(len(correction.words), len(words))
    # In languages without spaces, a content word is a pair of characters.
    least = _LEAST if any(map(str.isascii, shared)) else 2 * _LEAST
    return len(shared) >= max(least, _SHARE * shorter)


def _changes(limit: str, older: str) -> bool:
    """Return whether a sentence has another amount than an older text that is about the same."""
    amounts = _amounts(older)
    shared = _words(limit) & _words(older)
    # In languages without spaces, the unit alone is no content word.
    return len(shared) >= (_LEAST if all(map(str.isascii, shared)) else 1) and any(
        amounts.get(unit, number) != number for unit, number in _amounts(limit).items()
    )


def _amounts(text: str) -> dict[str, str]:
    """Return unit → number: of "at most 30 lines", lines → 30; of 30行以内, 行 → 30."""
    found = _AMOUNT.findall(text.casefold())
    units = {unit[0] if unit[0] > "\u3000" else unit: number for number, unit in found}
    return {unit: number for unit, number in units.items() if not is_stop(unit)}


def _words(text: str) -> frozenset[str]:
    """Return the content words of a text, and its short names: PDF, XML."""
    return frozenset([*content_words(text), *map(str.casefold, _SHORT_NAME.findall(text))])


def _given_up(text: str) -> Iterator[str]:
    for match in _GIVEN_UP.finditer(text):
        yield from _words(next(filter(None, match.groups()), ""))
