"""Which past sessions a request finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.messages.relevance import matching
from projections.terms import groups
from tests.projections.messages.past_cards import ALL, card
from tests.support.rows import each


def found_for(text: str, offered: set[str] = frozenset()) -> list[str]:
    """Return the topics that a request finds."""
    return [found.sid for found in matching(text, ALL, set(offered))]


FOUND = {
    "english": ("the rounding of prices is wrong on checkout", ["rounding"]),
    "other-endings": ("rounded price totals differ", ["rounding"]),
    "case": ("LOGIN TOKENS EXPIRE", ["login"]),
    "japanese": ("ログインの認証がまた失敗する", ["ログイン"]),
    "japanese-kanji": ("倉庫の在庫を集計したい", ["在庫"]),
    "half-a-word": ("在庫 集計", ["在庫"]),
    "korean": ("결제 화면에서 환불이 안 됩니다", ["결제"]),
    "chinese": ("订单取消后没有退款", ["退款"]),
    "mixed": ("the ログイン screen: 認証 again", ["ログイン"]),
    "identifier": ("what was schema_version about", ["export"]),
    "two": ("rounding of prices, and the login screen for tokens", ["login", "rounding"]),
}
SILENT = {
    "ordinary": "please fix the failing test and run it again",
    "one-word": "look at the cart",
    "one-japanese-word": "在庫を見て",
    "one-korean-word": "결제 코드 확인해줘",
    "polite-japanese": "実装を確認して修正してください",
    "grammar": "これをそれにしてください",
    "blank": " \n ",
    "signs": "?!… --- ###",
    "far": "plan a trip to the mountains in spring with two bicycles and a tent",
    "long-and-far": "we want a newsletter with pictures of the garden, the kitchen, the harbour, the "
    "library, the screen of the old cinema, some music, recipes for bread and soup, opening hours, "
    "a crossword, letters from readers, weather, tide tables, and prices of fish on the market",
}


@each("text, found", FOUND.values(), ids=FOUND)
def test_a_request_finds_its_past(text: str, found: list[str]) -> None:
    """Two significant words in common find the session, in any script; the best comes first."""
    assert found_for(text) == found


@each("text", SILENT.values(), ids=SILENT)
def test_an_ordinary_request_finds_nothing(text: str) -> None:
    """Words of ordinary requests, or a single word, find nothing (sibling: FOUND)."""
    assert found_for(text) == []


def test_what_was_offered_is_left_out() -> None:
    """A session that was already offered is not found again; another match is."""
    text = FOUND["two"][0]
    assert found_for(text, {"login"}) == ["rounding"]
    assert found_for(text, {"rounding", "login"}) == []


def test_rare_words_count_for_more() -> None:
    """Words that most cards contain do not make a match."""
    alike = [card(f"s{n}", f"invoice ledger\nmonth {n}") for n in range(20)]
    assert matching("the invoice ledger", alike, set()) == []
    assert [found.sid for found in matching("the invoice ledger of quarks and gluons",
            [*alike, card("q", "invoice quarks\ngluons")], set())] == ["q"]  # fmt: skip


@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=8))
def test_matching_is_a_function(text: str, texts: list[str]) -> None:
    """For any text and cards there are at most two hits, whatever the order of earlier offers."""
    cards = [card(str(at), item, at) for at, item in enumerate(texts)]
    found = matching(text, cards, set())
    assert found == matching(text, cards, set())
    assert len(found) <= 2
    for item in found:
        assert {term for group in groups(text) for term in group} & set(item.terms.split())
