"""Words of a text that can tell one text from another, in any script. Pure, without `re`.

A word is a run of letters, digits and `_`, case folded and without its commonest endings; writing
without spaces (Han, kana, Hangul) gives each pair of its characters. Invariant: the same text gives
the same terms in the same order, and no term holds a space.
"""

from __future__ import annotations

__all__ = ["groups", "terms"]

_SHORTEST = 3  # letters of a word that tells something
_LONGEST = 40
# Words that any request and any summary may hold: English's own, then those of the trade.
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
# Pairs of characters that any Japanese, Chinese or Korean request may hold.
_COMMON_PAIRS = frozenset(
    """
    修正 確認 実行 追加 変更 作成 削除 対応 実装 問題 更新 説明 作業 必要 場合 内容 結果 方法
    我们 你们 可以 什么 怎么 如何 一个 这个 那个 没有 需要 修改 添加 删除 运行 问题 检查 实现
    해줘 해주 주세 세요 니다 합니 습니 하는 하고 해서 에서 으로 수정 확인 실행 추가 변경 삭제 작업
    문제 구현 파일 코드 테스 스트
""".split()
)


def terms(text: str, limit: int = 0) -> list[str]:
    """Give the terms of a text, each once, in the order they come; at most `limit` (0: all)."""
    found: dict[str, None] = {}
    for group in groups(text):
        found.update(dict.fromkeys(group))
        if limit and len(found) >= limit:
            return list(found)[:limit]
    return list(found)


def groups(text: str) -> list[list[str]]:
    """Give the terms of each telling word: one for a spelled word, its pairs for a CJK run."""
    found = []
    flat = "".join(c if c.isalnum() or c == "_" else " " for c in text.casefold())
    for word in flat.split():
        for run in [word] if word.isascii() else _runs(word):
            group = _pairs(run) if _script(run[0]) else _spelled(run)
            if group:
                found.append(group)
    return found


def _spelled(word: str) -> list[str]:
    word = word.strip("_")[:_LONGEST]
    if len(word) < _SHORTEST or word in _COMMON:
        return []
    return [_stem(word)]


def _stem(word: str) -> str:
    """Cut the commonest English endings, so that `rounded` is found in `rounding`."""
    if not word.isascii():
        return word
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > _SHORTEST:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > _SHORTEST + 1 else word


def _pairs(run: str) -> list[str]:
    """Pairs of a run of one script. Hiragana alone is grammar, and one character tells little."""
    if len(run) < 2 or _script(run[0]) == "hiragana":
        return []
    pairs = [run[at : at + 2] for at in range(min(len(run), _LONGEST) - 1)]
    return [pair for pair in pairs if pair not in _COMMON_PAIRS]


def _runs(word: str) -> list[str]:
    """Cut a word where its script changes: 画面を閉じる is 画面, を, 閉, じる."""
    runs = [word[0]]
    for char in word[1:]:
        if _script(char) == _script(runs[-1][0]) or (char == "ー" and _script(runs[-1][0])):
            runs[-1] += char
        else:
            runs.append(char)
    return runs


def _script(char: str) -> str:
    """`han`, `hiragana`, `katakana` or `hangul`; "" for writing that is spelled with spaces."""
    if char < "\u1100":
        return ""
    if "\u3041" <= char <= "\u309f":
        return "hiragana"
    if "\u30a0" <= char <= "\u30ff" or "\u31f0" <= char <= "\u31ff" or "\uff66" <= char <= "\uff9f":
        return "katakana"
    if "\uac00" <= char <= "\ud7a3" or "\u1100" <= char <= "\u11ff" or "\u3130" <= char <= "\u318f":
        return "hangul"
    if "\u3005" <= char <= "\u3007" or "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff":
        return "han"
    return "han" if char >= "\U00020000" else ""
