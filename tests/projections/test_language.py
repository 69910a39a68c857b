"""The language of messages: that of the prompts, or the one in the setting."""

from __future__ import annotations

import pytest

from projections.fold import Fold
from projections.language import PROJECTION, language_in
from tests.projections.timeline import timeline

PROMPTS = {
    "en": ["fix the cart", "rename the label 저장 to Save in the settings page", "run the tests"],
    "ja": [
        "カートの合計を直して",
        "src/shop/cart.py のテストが落ちる",
        "src/app/main.py の def foo(a,b,c,d) を直して",
        "続けて",
    ],
    "ko": ["장바구니 합계를 고쳐줘", "src/shop/cart.py 테스트가 실패해", "계속해"],
}


def language_of(prompts: list[str], setting: str = "auto") -> str:
    """Return the language of a session with these prompts, oldest first."""
    rows = [f"a 09:{number:02} prompt {text}" for number, text in enumerate(prompts)]
    fold = Fold([PROJECTION])
    fold.feed(list(timeline("\n".join(["a 09:00 start", *rows]))))
    return language_in(fold.states["language"], "a", setting)


@pytest.mark.parametrize("language", PROMPTS)
def test_prompts_decide(language: str) -> None:
    """Each prompt, and all together, are in their language; paths do not change that."""
    assert language_of(PROMPTS[language]) == language
    assert {language_of([prompt]) for prompt in PROMPTS[language]} == {language}


@pytest.mark.parametrize(
    ("prompts", "language"),
    [
        ([], "en"),
        (["カートを直して", "合計を確認して", "ok"], "ja"),  # one word does not change it
        (["fix the cart", "カートを直して"], "ja"),  # at a tie, the newer
        (["続けて", "/journal:compound", "修正", "123"], "ja"),  # these belong to no language
        (["修正"], "en"),
    ],
)
def test_the_majority_decides(prompts: list[str], language: str) -> None:
    """Commands, numbers and Han characters alone do not count."""
    assert language_of(prompts) == language


@pytest.mark.parametrize("setting", ["en", "ja", "ko"])
def test_the_setting_comes_first(setting: str) -> None:
    """A language set by name is not changed by prompts."""
    assert language_of(PROMPTS["ko"], setting) == setting


def test_a_session_speaks_the_language_of_its_own_prompts() -> None:
    """A new session uses the project's language until it has prompts of its own."""
    fold = Fold([PROJECTION])
    lines = "a 09:00 start / a 09:01 prompt カートを直して / b 09:02 start / b 09:03 prompt go on"
    fold.feed(list(timeline(lines.replace(" / ", "\n"))))
    state = fold.states["language"]
    found = [language_in(state, sid) for sid in ("a", "b", "c")]
    assert found == ["ja", "en", "en"]
    assert language_in(state, "c", "ko") == "ko"
