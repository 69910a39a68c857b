"""Find what a later prompt of the user corrects or limits, so that it does not pass for current.

Pure. A prompt corrects an earlier text if it has a word of correction ("instead", "after all",
やっぱり, 말고 …) or another limit ("50 lines now"), and both are about the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from msgspec import Struct

from projections.facts.presence import SPACELESS, content_words
from projections.facts.text import is_refusal
from projections.prose import QUESTION_MARKS, sentences
from projections.terms import is_stop

# "It is not sorted" and "I did not edit it" say how things are.
_NOT = (
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bdid )(?<!\bdoes )(?<!\bhas )(?<!\bhave )"
    "(?<!able to )not"
)
_CORRECTS = re.compile(
    rf"\b(?:instead|in place of|rather than|{_NOT}|never ?mind|no longer|any ?more|after all"
    r"|second thoughts?|my mind|scrap"
    r"|(?<!n't )(?<!n\u2019t )(?<!never )forget|revert|undo|back to|switch|replaced?"
    r"|mistake|from now on|you may|you can(?= .*\bnow\b)|can(?:'|\u2019)?t (?:have|use)"
    r"|cannot (?:have|use))\b"
    r"|\b(?:doch nicht|statt|stattdessen|sondern|anstelle|plutôt|au lieu|finalement"
    r"|en (?:vez|lugar)|sino|mejor|al final|toch (?:niet|maar|liever)|in plaats van|liever"
    r"|laat maar|invece|anzi|al posto|em vez|ao invés|afinal|na verdade|jednak|zamiast"
    r"|вместо|вс[её]-таки|передумала?|замість|натомість|все ж|yerine|vazgeçtim|thay (?:vì|cho)"
    r"|đổi (?:ý|sang))\b|, nicht |بدل|خلاص|غيرت رأيي|के बजाय|की जगह|रहने दो"
    r"|やっぱり|やはり|ではなく|じゃなく|でなく|代わりに|やめ|戻して|変更|今後は|はなし[でに]"
    r"|말고|대신|아니라|역시|취소|바꿔|되돌|그만|앞으로는"
    r"|改用|改成|换成|而不是|不要用|别用|不再用|算了",
    re.IGNORECASE,
)
# Phrases that name what is given up: "instead of X", "X ではなく", "X 말고".
_GIVEN_UP = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer|drop|scrap"
    rf"|{_NOT}(?! (?:the )?(?:whole|entire) )"
    r"|never ?mind|(?<!n't )(?<!n\u2019t )(?<!never )forget(?: about)?|stop using|replace"
    r"|can(?:'|\u2019)?t (?:have|use)|cannot (?:have|use)|statt|anstelle von|kein|keine|keinen"
    r"|au lieu de|plutôt que|en (?:vez|lugar) de|in plaats van|invece di|al posto di|em vez de"
    r"|ao invés de|zamiast|вместо|замість|thay (?:vì|cho)|بدلا? من|بدل)"
    r"\s+(?:(?:the|that|this|an?|any|whole|entire|old|new|use|using|with|in|on)\s+)*([\w.+#/-]++)"
    # Neither the owner in "not the customer's name" nor the place in "instead of lines 12-14".
    r"(?!['\u2019]s\b| \d)"
    r"|([a-z0-9_.+#/-]+|[\u30a1-\u30fa\u30fc\u4e00-\u9fff]+)"
    r"\s*(?:ではなく|じゃなく|でなく|の代わりに|[はを](?:取り)?やめ|は使わ|はなし[でに])"
    r"|([\w.+#/-]+)\s*(?:말고|아니라|대신|yerine\b|के बजाय|की जगह)"
    r"|(?:而不是|不要用|别用|不再用)\s*([a-z0-9_.+#/-]+)"
    r"|, nicht ([\w.+#/-]+)|\b(?:nicht|kein\w*|no|non|pas|niet|não|nie|не|không phải)\s+"
    r"(?:(?:w|na|do|v|in|en|em|op|в|на|у)\s+)?([\w.+#/-]+),?\s+"
    r"(?:sondern|sino|mais|ma|maar|mas|tylko|ale|lecz|а|але|mà)\b",
    re.IGNORECASE,
)
# Phrases that give a limit anew ("functions may have 50 lines now"), and the amounts.
_LIMITS = re.compile(
    r"\b(?:now|may|up to|after all|jetzt|dürfen|doch|ahora|pueden?|mejor|désormais"
    r"|finalement|nu|mag|mogen|toch|adesso|ora|possono|può|agora|pode[mr]?|teraz|może|mogą|jednak"
    r"|теперь|можно|тепер|можна|artık|olabilir|được|bây giờ)\b|الآن|صار|بدل|خلاص|अब"
    r"|今|まで|やっぱり|やはり|変更|이제|까지|역시|바꿔|改成|改为",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?<![a-z\d.])(\d+)\s?([%\uff05]|[^\W\d_]++(?![\d_]))")
# Phrases that take back what gave something up: "back to X", "wieder X".
_RETURNS = re.compile(
    r"\b(?:back to|zurück zu[mr]?|wieder|retour (?:à|au)|de vuelta a|terug naar|torna(?:re)? a"
    r"|voltar? (?:a|para)|wróć(?:my)? do|назад (?:к|до)|quay lại)\s+(?:the\s+)?([\w.+#/-]+)"
    r"|([\w.+#/-]+)\s*(?:に戻|로 되돌|'?[ae] (?:geri )?dön)",
    re.IGNORECASE,
)
_LONG = 160  # characters of a sentence that says more than a limit
_LONGEST = 300  # characters of a sentence that corrects; a longer one is mostly code or a log
# A particle of Japanese or Korean may follow without a space.
_SHORT_NAME = re.compile(r"(?a:\b[A-Z][A-Z0-9]{1,2}\b)")
# Content words that both texts must have, and their part of the shorter and of the longer one.
_LEAST, _SHARE, _SHARE_OF_LONGER = 2, 0.5, 0.2


class _Correction(Struct, frozen=True):
    """A sentence that corrects.

    at: its prompt. words: content words; given_up: those given up; again: those it returns to.
    """

    at: int
    text: str
    words: frozenset[str]
    given_up: frozenset[str]
    again: frozenset[str]


class Corrections:
    """The corrections in prompts, oldest first."""

    def __init__(self, prompts: Sequence[str]) -> None:
        self._prompts = [" ".join(prompt.split()) for prompt in prompts]
        texts = [
            (at, text) for at, prompt in enumerate(self._prompts) for text in sentences(prompt)
        ]
        self._found = [
            _Correction(at, text, _words(text), _named(_GIVEN_UP, text), _named(_RETURNS, text))
            for at, text in texts
            if len(text) <= _LONGEST and (_CORRECTS.search(text) or is_refusal(self._prompts[at]))
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
        newer = (found for found in reversed(self._found) if found.at > at)
        corrections = (found.text for found in newer if _corrects(found, text))
        limits = (limit for when, limit in reversed(self._limits) if when > at)
        return next(chain(corrections, (limit for limit in limits if _changes(limit, text))), "")


def without_corrected(texts: Sequence[str]) -> list[str]:
    """Return the texts that no newer one corrects.

    texts: newest first, such as decisions.
    """
    corrections = Corrections(texts[::-1])
    return [text for text in texts if not corrections.of(text)]


def _corrects(correction: _Correction, older: str) -> bool:
    """Return whether a correction is about an older text."""
    words = _words(older)
    shared = correction.words & words
    shorter, longer = sorted((len(correction.words), len(words)))
    given_up = correction.given_up & words
    # "not 2" says nothing about each 2.
    if given_up and (len(shared) > len(given_up) or not all(map(str.isdecimal, given_up))):
        return True
    if not correction.again.isdisjoint(_named(_GIVEN_UP, older)):
        return True
    if correction.text.endswith(QUESTION_MARKS):
        return False
    # In languages without spaces, a content word is a pair of characters.
    least = _LEAST if any(word < SPACELESS for word in shared) else 2 * _LEAST
    return len(shared) >= max(least, _SHARE * shorter, _SHARE_OF_LONGER * longer)


def _changes(limit: str, older: str) -> bool:
    """Return whether a sentence has another amount than an older text that is about the same."""
    amounts = _amounts(older)
    shared = _words(limit) & _words(older)
    # In languages without spaces, the unit alone is no content word.
    return len(shared) >= (_LEAST if all(word < SPACELESS for word in shared) else 1) and any(
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


def _named(phrases: re.Pattern[str], text: str) -> frozenset[str]:
    """Return the words that phrases name: those given up, or those it returns to."""
    found = [next(filter(None, match.groups()), "") for match in phrases.finditer(text)]
    return frozenset(chain.from_iterable(map(_words, found)))
