"""Find what a user's text demands: rules, requirements, and short wishes such as "no pandas"."""

from __future__ import annotations

from functools import lru_cache

from projections.prose import ENDS, QUESTION_MARKS, sentences

# Beginnings of standing instructions, also within a sentence, and words that only these have.
_RULE_STARTS = tuple(
    "never |always |don't |do not |from now on|under no |hands off|ask me |ask before |niemals "
    "|finger weg|jamais |nunca |jamás |nooit |altijd |blijf af |mai |sempre |nigdy |zawsze "
    "|nie ruszaj|nie dotykaj|nie zmieniaj|никогда |всегда |не трогай|не меняй|ніколи |завжди "
    "|не чіпай|не змінюй|asla |her zaman |dokunma|لا تلمس|لا تستخدم|لا تغير|ممنوع|دائما"
    "|हमेशा |कभी |đừng |không được |luôn |tuyệt đối |请不要|请勿|千万|先别".split("|")
)
# Headings of rules, and the words of several languages that follow a verb: "Gebruik nooit X".
_HEADINGS = tuple(
    "rule: |rules: |ground rules: |constraints: |regeln: |regels: |règles : |règles: |reglas: "
    "|regole: |regras: |zasady: |правила: |kurallar: |القواعد: |नियम: |quy tắc: ".split("|")
)
_BEHIND_VERBS = frozenset(
    "immer nie niemals altijd nooit toujours jamais siempre nunca sempre mai".split()
)
_NEGATIONS = frozenset(("non", "ne", "não", "no"))  # of three words: "Non toccare mai"
_LEADS = tuple(
    "please |, |; |. | and | but | must | should | also | so | und | en | et | y | e | i | ale "
    "| ma | mas | и | но | і | але | ve | và ".split("|")
)
_RULES = (
    "don't ever", "do not ever", " must not ", " mustn't ", " forbidden", "off limits", "絶対に",
    "決して", "禁止", "ないで", "触らない", "触るな", "使うな", "てはいけ", "てはなら", "ないこと",
    "今後は", "절대", "금지", "지 마", "지마", "지 말", "앞으로는",
    "auf keinen fall", "keinesfalls", "unter keinen umständen", "darfst du nie", "dürfen nie",
    "darf nie", "verboten", "surtout pas",
    "en aucun cas", "interdit", "touche jamais", "touchez jamais", "ne faut jamais",
    "bajo ninguna", "en ningún caso", "prohibido", "no toques",
    "不要用", "不要改", "不要动", "不要碰", "不要删", "不要加", "不要添", "不要写", "不要提",
    "不要引", "不要装", "不要推", "不要再", "不要把", "别动", "别改", "别用", "切勿", "务必",
    " asla", "önce her zaman", "hiç elleme", "dokunmayın", "ні в якому разі",
    "ни в коем случае", "pod żadnym", "in nessun caso", "em hipótese alguma", "onder geen beding",
    "blijf af van", "أبدا", "أبدًا", "دائمًا", "دائماً",
    "कभी मत", "कभी नहीं", "ना छूना", "मत छूना", "không bao giờ", "tuyệt đối",
    "绝不", "必须", "不许", "只能", "一律", "不能用", "不得",
)  # fmt: skip
# Words of requirements, which are less than a rule but more than a wish.
_MUSTS = (
    " must ", " has to ", " have to ", " needs to ", "required", "mandatory", "muss ", "müssen ",
    "doit ", "doivent ", "debe ", "deben ", "なければな", "必須", "해야 ", "필수",
)  # fmt: skip
# Beginnings of short requests that say how to work: "no pandas", "only dark plots".
_TERSE = tuple(
    "no |only |use |without |not |back to |keine |kein |nur |zurück zu |sans |sin |geen |alleen "
    "|terug naar |senza |solo |sem |bez |tylko |без |только |лише |тільки |فقط |بدون |केवल "
    "|chỉ |không ".split("|")
)
# Words of a short deadline: "deadline is Friday".
_DATES = frozenset(
    "deadline asap today tonight tomorrow monday tuesday wednesday thursday friday".split()
)
_IDLE = frozenset(
    "need worries worry problem idea thanks more wait it that yet rush way now sure".split()
)
# Japanese and Korean say "always" of rules and of what happens; a rule ends as a demand.
_ALWAYS = ("必ず", "常に", "いつも", "항상", "반드시", "언제나")
_DEMANDS = (
    "ください", "下さい", "して", "こと", "しろ", "せよ", "べき", "ほしい", "お願い",
    "お願いします", "세요", "시오", "줘", "해", "하자", "할 것", "바랍니다",
)  # fmt: skip
# Few, and every rule has one.
_SIGNS_OF_RULES = (*_RULES, *_RULE_STARTS, *_HEADINGS, *_ALWAYS, *_BEHIND_VERBS)


@lru_cache(maxsize=256)
def is_rule(text: str) -> bool:
    """Return whether a sentence demands that something is always or never done."""
    plain = _folded(text)
    if not _may_have_rule(plain) or plain.endswith(QUESTION_MARKS):
        return False
    if plain.startswith(_RULE_STARTS) or plain.startswith(_HEADINGS):
        return True
    first, *rest = [*plain.split(maxsplit=3), ""]
    behind = rest[: 1 + (first in _NEGATIONS)]
    if not _BEHIND_VERBS.isdisjoint(behind) or any(word in plain for word in _RULES):
        return True
    if any(_begins_within(plain, start) for start in _RULE_STARTS):
        return True
    bare = plain.rstrip(ENDS)
    return bare.endswith(_DEMANDS) and any(word in plain for word in _ALWAYS)


def demands_of(text: str) -> str:
    """Return the rules and requirements of a text as one line, "" where it has none."""
    plain = _folded(text)
    if not (_may_have_rule(plain) or any(must in plain for must in _MUSTS)):
        return ""
    return " ".join(found for found in sentences(text) if _is_demand(found))


def _is_demand(sentence: str) -> bool:
    plain = _folded(sentence)
    return is_rule(sentence) or (
        not plain.endswith(QUESTION_MARKS) and any(must in plain for must in _MUSTS)
    )


@lru_cache(maxsize=256)
def is_terse(text: str) -> bool:
    """Return whether a short text says what is wanted: "no pandas", "seed is 1234", "by Friday"."""
    words = text.casefold().replace(",", " ").split()
    if not 2 <= len(words) <= 8 or text.rstrip().endswith(QUESTION_MARKS):
        return False
    is_wish = " ".join(words).startswith(_TERSE) and words[1] not in _IDLE and "," not in text
    is_date = any(word.rstrip(ENDS) in _DATES for word in words)
    return is_wish or is_date or any(len(word) > 1 and word.isdecimal() for word in words[1:])


def _folded(text: str) -> str:
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()


def _begins_within(plain: str, start: str) -> bool:
    """Return whether a rule begins within a sentence: "please never …", "… and always …"."""
    at = plain.find(start)
    while at >= 0:
        if plain.endswith(_LEADS, 0, at):
            return True
        at = plain.find(start, at + 1)
    return False


def _may_have_rule(folded: str) -> bool:
    return any(sign in folded for sign in _SIGNS_OF_RULES)
