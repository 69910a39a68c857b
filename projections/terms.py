"""The tokenizer of the search index, its queries and snippets, and of offers.

A term is a word, case folded, without accents and common English endings. An identifier gives the
whole and its parts. Scripts without spaces (Han, kana, Hangul, Thai) give pairs of characters.
Invariant: no term has a space or a quote, or more than `TERM` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

TERM = 64  # characters of a term; a longer word is cut
_PARTS = 16  # parts of an identifier that become terms
_SHORTEST = 3  # letters of a significant word

# English words that a query ignores.
_STOP = frozenset(
    """
    a about an and are as at be been but by can could did do does doing for from had has have he her
    him his how i if in into is it its me my no nor not of on or our she should so than that the
    their them then there these they this those to us was we were what when where which while who
    whom why will with would you your
""".split()
)
# Words that are common in requests and summaries: of English, then of software development. They
# are not significant for an offer.
_COMMON = frozenset(
    """
    about above after again all also and another any are ask asked back because been before being
    below best better both but can cannot could did does doing don done down each else even ever
    every everything few find first for from further get give goes going gone good got great had
    has have having her here him his how however into its just keep kind know last least less let
    like little long look made make many may maybe more most much must near need needs never new
    next nice not nothing now off okay old once one only open other our out over own part please
    put quite rather really right said same say second see seen set she should show since some
    something soon still such sure take tell than thank thanks that the their them then there these
    they thing things think this those though three through thus time today too took try two under
    until upon use used uses using very via want wants was way well went were what when where
    whether which while who whole why will with within without work works would yes yet you your

    add added adding agent answer bug bugs build built call change changed changes chat check
    claude code command commit commits context continue create current data debug delete explain
    edit error errors fail failed failing fails file files finish fix fixed fixes fixing function
    help idea implement improve issue issues line lines list main method move name note ok passes
    path place plan point problem problems project read ready refactor remove rename repo
    request result results review rewrite run running save session sessions source start started
    step steps stop summary task tasks test tested testing tests text update updated user value
    version view write wrote wrong
""".split()
)
# Pairs of characters that are common in Japanese, Chinese and Korean requests.
_COMMON_PAIRS = frozenset(
    """
    修正 確認 実行 追加 変更 作成 削除 対応 実装 問題 更新 説明 作業 必要 場合 内容 結果 方法
    我们 你们 可以 什么 怎么 如何 一个 这个 那个 没有 需要 修改 添加 删除 运行 问题 检查 实现
    해줘 해주 주세 세요 니다 합니 습니 하는 하고 해서 에서 으로 수정 확인 실행 추가 변경 삭제 작업
    문제 구현 파일 코드 테스 스트
""".split()
)

# Combining marks, which are part of a word.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u109f\u1780-\u17ff"
_WORD = re.compile(rf"[\w{_MARKS}]+(?:\+\+|#)?")
_PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_VOWELS = frozenset("aeiouy")

# Scripts written without spaces: first and last character, name.
_SCRIPTS = (
    ("\u0e00", "\u0eff", "thai"),
    ("\u1000", "\u109f", "burmese"),
    ("\u1100", "\u11ff", "hangul"),
    ("\u1780", "\u17ff", "khmer"),
    ("\u2e80", "\u2fdf", "han"),
    ("\u3005", "\u3007", "han"),
    ("\u3041", "\u309f", "hiragana"),
    ("\u30a0", "\u30ff", "katakana"),
    ("\u3130", "\u318f", "hangul"),
    ("\u31f0", "\u31ff", "katakana"),
    ("\u3400", "\u9fff", "han"),
    ("\ua960", "\ua97f", "hangul"),
    ("\uac00", "\ud7ff", "hangul"),
    ("\uf900", "\ufaff", "han"),
    ("\uff66", "\uff9f", "katakana"),
    ("\U00020000", "\U0003ffff", "han"),
)


def normal(text: str) -> str:
    """Return a text in NFKC, the form to which the positions of `words` refer."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def fold(text: str) -> str:
    """Return a text without the differences that terms ignore: case and accents."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    from unicodedata import normalize

    return normalize("NFC", _ACCENTS.sub("", normalize("NFKD", folded)))


def words(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield (start, end, terms) for each word of a `normal` text; the first term is the whole word.

    In a script without spaces, each pair of characters is a word, and so is the last character.
    """
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isascii():
            if found := _spelled(word):
                yield match.start(), match.end(), found
            continue
        at = match.start()
        for run in _runs(word):
            if _script(run[0]):
                for start in range(len(run)):
                    yield at + start, at + min(start + 2, len(run)), (run[start : start + 2],)
            elif found := _spelled(run):
                yield at, at + len(run), found
            at += len(run)


def terms(text: str) -> Iterator[str]:
    """Yield all terms of a text in order, with repetitions."""
    text = normal(text)
    if text.isascii():
        for word in _WORD.findall(text):
            yield from _spelled(word)
    else:
        for _, _, found in words(text):
            yield from found


def is_stop(term: str) -> bool:
    """Return whether a query ignores a term."""
    return term in _STOP_TERMS


def is_hiragana(term: str) -> bool:
    """Return whether a term is only Hiragana: usually an ending or a particle, not a word."""
    return all(_script(char) == "hiragana" for char in term)


def significant_terms(text: str, limit: int = 0) -> list[str]:
    """Return the significant terms of a text, each once, in order; at most `limit` (0: all)."""
    found: dict[str, None] = {}
    for group in groups(text):
        found.update(dict.fromkeys(group))
        if limit and len(found) >= limit:
            return list(found)[:limit]
    return list(found)


def groups(text: str) -> list[list[str]]:
    """Return the terms of each significant word: one term, or the pairs of a CJK run."""
    text = normal(text)
    if text.isascii():
        return list(filter(None, map(_significant_word, _WORD.findall(text))))
    found: list[list[str]] = []
    for match in _WORD.finditer(text):
        for run in _runs(match[0]):
            group = _significant_pairs(run) if _script(run[0]) else _significant_word(run)
            if group:
                found.append(group)
    return found


def stem(word: str) -> str:
    """Return a case-folded ASCII word without common English endings."""
    if len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses") or (word.endswith("es") and word[-3:-2] in ("x", "h")):
        word = word[:-2]
    elif word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    for ending, least in (("ing", 3), ("ed", 3), ("ment", 4), ("ly", 4), ("ion", 4)):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= least and not _VOWELS.isdisjoint(rest):
            if ending == "ion" and rest[-1] not in "st":
                continue
            if ending in ("ing", "ed") and rest[-1] == rest[-2] and rest[-1] not in "lsz":
                rest = rest[:-1]
            word = rest
            break
    return word[:-1] if len(word) > 4 and word[-1] == "e" else word


@lru_cache(1 << 16)
def _spelled(word: str) -> tuple[str, ...]:
    """Return the terms of a word or identifier: the whole, then its parts, each once."""
    bare = word.strip("_")
    if len(word) > TERM or word.startswith("__"):
        return (_folded(word),) if bare else ()
    pieces = _PIECE.findall(bare) if bare.isascii() else bare.split("_")
    if len(pieces) < 2 or word.endswith(("#", "++")):
        return tuple(filter(None, (_stemmed(word if word[-1:] in "+#" else bare),)))
    parts = (_stemmed(piece) for piece in pieces[:_PARTS] if len(piece) > 1)
    return tuple(dict.fromkeys(filter(None, (_folded(bare), *parts))))


def _stemmed(word: str) -> str:
    folded = _folded(word)
    return stem(folded) if folded.isascii() and folded.isalpha() else folded


def _folded(word: str) -> str:
    return fold(word)[:TERM]


_STOP_TERMS = frozenset(map(stem, _STOP))


def _significant_word(word: str) -> list[str]:
    bare = word.strip("_").casefold()
    if len(bare) < _SHORTEST or bare in _COMMON:
        return []
    return list(_spelled(word)[:1])


def _significant_pairs(run: str) -> list[str]:
    """Return the significant pairs of a run. Hiragana and single characters are not."""
    if len(run) < 2 or _script(run[0]) == "hiragana":
        return []
    pairs = [run[at : at + 2] for at in range(min(len(run), TERM) - 1)]
    return [pair for pair in pairs if pair not in _COMMON_PAIRS]


def _runs(word: str) -> list[str]:
    """Split a word where its script changes: 画面を閉じる → 画面, を, 閉, じる."""
    if word.isascii():
        return [word]
    runs = [word[0]]
    previous = _script(word[0])
    for char in word[1:]:
        script = _script(char)
        if script == previous or (char == "ー" and previous):
            runs[-1] += char
        else:
            runs.append(char)
            previous = script
    return runs


@lru_cache(1 << 12)
def _script(char: str) -> str:
    """Return the script of a character if that is written without spaces, else ""."""
    if char < "\u0e00":
        return ""
    return next((name for first, last, name in _SCRIPTS if first <= char <= last), "")
