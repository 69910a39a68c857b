"""Offers of past sessions: which, in what order, how long, and how a request finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.config.schema import DEFAULTS
from journal.events.session import SessionStarted
from journal.events.turn import PromptSubmitted
from projections.facts.session import Trail
from projections.lineage import Lineage, Node
from projections.messages import MESSAGES, _run
from projections.messages.message import TEXT_LIMIT, Input, width
from projections.messages.relevance import matching
from projections.past import MOST_CARDS, Card, Past
from projections.recovery import Recovery
from projections.terms import groups, significant_terms
from projections.views import Views

if TYPE_CHECKING:
    from projections.messages.message import Answer

NOW = "2026-11-21T09:00:00.000Z"
TOPICS = {
    "rounding": "Round prices in the cart\nhalf up per line, checkout totals agree with invoice",
    "login": "Login screen for expired tokens\nsessions time out, redirect keeps the query",
    "search": "Search index rebuild\nembeddings and BM25 merged by reciprocal rank",
    "ログイン": "ログイン画面の認証\nトークンの期限切れを直した",
    "在庫": "在庫管理の集計\n倉庫ごとの数量を夜間バッチで集計する",
    "결제": "결제 화면 오류\n환불 처리와 영수증 발행",
    "退款": "退款流程\n订单取消后自动退款",
    "export": "Export rows as parquet\nschema_version 3, TICKET-481 closed",
}


def card(sid: str, text: str = "", seq: int = 1, **more: object) -> Card:
    """Build a card whose terms are those of its text."""
    title, _, head = text.partition("\n")
    return Card(**{"sid": sid, "seq": seq, "date": "2026-11-20T09:00:00.000Z", "title": title,
                   "head": head or "What it found.", "terms": " ".join(significant_terms(text, 40)), **more})  # fmt: skip


ALL = [card(name, text, seq) for seq, (name, text) in enumerate(TOPICS.items(), 1)]


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


@pytest.mark.parametrize("text, found", FOUND.values(), ids=FOUND)
def test_a_request_finds_its_past(text: str, found: list[str]) -> None:
    """Two significant words in common find the session, in any script; the best comes first."""
    assert found_for(text) == found


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
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


# -- the offer ----------------------------------------------------------------------------------------


def offer(views: Views, event: object, settings: dict, space: int = TEXT_LIMIT) -> Answer | None:
    """Run the message on an event it handles."""
    if not MESSAGES["related_sessions"][1](views, event):
        return None
    return _run("related_sessions", Input(views, event, settings, space))[1]


def start(views: Views, room: int = TEXT_LIMIT, **more: object) -> Answer | None:
    """Return the offer at a start, on branch `main` unless another is given."""
    event = SessionStarted(**{"seq": 900, "ts": NOW, "sid": "new", "branch": "main",
                              "source": "startup", **more.pop("event", {})})  # fmt: skip
    return offer(views, event, {**DEFAULTS, **more}, room)


def with_cards(*cards: Card, **more: object) -> Views:
    """Build views with these cards."""
    return Views(past=Past({item.sid: item for item in cards}), **more)


HOSTILE = {
    "quotes": '"\\' * 200, "controls": "\x1b[31m\x00" * 100, "lines": "a\r\nb\n" * 100,
    "cjk": "圧縮の前に" * 60, "emoji": "😀" * 150, "tags": "</system-reminder>" * 20, "empty": "",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("most", [200, 500, 1200, 9600])
@pytest.mark.parametrize("room", [TEXT_LIMIT, 700, 150, 0])
def test_it_stays_within_its_bound(text: str, most: int, room: int) -> None:
    """Whatever the cards, an offer stays within its size, one line each, or is silent."""
    cards = [
        card(f"{at:08}-x", seq=at, title=text[:120], head=text[:300], files=[text[:160]] * 8,
             branch=text[:120])
        for at in range(1, MOST_CARDS)
    ]  # fmt: skip
    said = start(with_cards(*cards), room, **{"related.max_chars": most})
    if said is None:
        assert most == 200 or room < 700
        return
    assert width(said.context) <= min(most, room)
    lines = said.context.splitlines()
    assert lines[0].startswith("Past sessions of this project that may be about this work")
    assert 1 <= len(lines) - 1 <= 5
    assert all(line.startswith("- ") for line in lines[1:])
    assert said.events[0]["reason"].count("#") == len(lines) - 1


def test_five_lines_at_most_three_of_them_merely_recent() -> None:
    """At most three sessions are offered for being recent; more if they are on the branch."""
    cards = [card(f"s{n}", f"Topic {n}", n) for n in range(1, 12)]
    said = start(with_cards(*cards))
    assert said is not None
    assert said.context.count("\n- ") == 3
    near = [card(f"n{n}", f"Near {n}", 20 + n, branch="fix/x") for n in range(4)]
    said = start(with_cards(*cards, *near), event={"branch": "fix/x"})
    assert said is not None
    assert said.context.count('"Near') == 4
    assert said.context.count("\n- ") == 5


@pytest.mark.parametrize("source", ["resume", "clear", "fork", "compact", ""])
def test_only_a_new_session_is_offered_something(source: str) -> None:
    """Only a new session gets an offer; one that continues knows its past already."""
    assert start(with_cards(*ALL)) is not None
    assert start(with_cards(*ALL), event={"source": source}) is None


def test_own_lineage_by_any_sign() -> None:
    """A session's own past is recognised by the current lineage and by the summary's event."""
    nodes = {"old": Node(root="old"), "new": Node(root="old", parent="old")}
    own = [card("old", "Own", 1), card("older", "Own too", 2, root="old"),
           card("old.7", "Own part", 7, of="old"), card("new", "Itself", 8)]  # fmt: skip
    assert start(with_cards(*own, lineage=Lineage(nodes))) is None
    said = start(with_cards(*own, card("x", "Other", 9), lineage=Lineage(nodes)))
    assert said is not None
    assert said.events[0]["reason"] == "at start: #9"


def test_a_part_or_the_whole() -> None:
    """Of an exported part and its session only the one that fits better is offered."""
    part = card("s.9", "Part", 9, of="s", branch="fix/x")
    said = start(with_cards(card("s", "Whole", 3), part), event={"branch": "fix/x"})
    assert said is not None
    assert '"Part" session s.9' in said.context
    assert "Whole" not in said.context


def asking(offered: list[int], *cards: Card) -> str:
    """Return what the first request gets in a session whose start offered these events."""
    event = PromptSubmitted(seq=50, ts=NOW, sid="new", origin="human", size=9,
                            text="rounding of prices in checkout")  # fmt: skip
    nodes = {"old": Node(root="old", ended=NOW, end=8),
             "new": Node(root="new", source="startup", asked=50)}  # fmt: skip
    past = Past({item.sid: item for item in cards}, {"new": offered})
    said = offer(Views(past=past, lineage=Lineage(nodes)), event, DEFAULTS)
    return said.events[0]["reason"] if said is not None else ""


def test_nothing_is_offered_twice() -> None:
    """A session offered by its end, its summary or a part is not repeated; other parts may be."""
    text = TOPICS["rounding"]
    whole, part = card("old", text, 9), card("old.10", text, 10, of="old")
    other = card("old.11", text, 11, of="old")
    assert asking([], whole) == "at prompt: #9"
    assert asking([9], whole, part) == ""
    assert asking([8], whole, part) == ""
    assert asking([10], whole, part) == ""
    assert asking([10], whole, part, other) == "at prompt: #11"


def test_sessions_without_a_summary() -> None:
    """An ended session with a changed file or decision is offered by its end; others are not."""
    nodes = {name: Node(root=name, ended="2026-11-20T09:00:00.000Z", end=at, branch="main")
             for at, name in enumerate(("asked", "changed", "idle"), 5)}  # fmt: skip
    nodes["open"] = Node(root="open")
    trails = {"asked": Trail(prompts=[["t", "second"], ["t", "first request"]],
                              decisions=[["t", "half up"]]), "idle": Trail(prompts=[["t", "x"]]),
              "changed": Trail(files=["a/b.py"]), "open": Trail(prompts=[["t", "x"]])}  # fmt: skip
    said = start(Views(lineage=Lineage(nodes), recovery=Recovery(trails)))
    assert said is not None
    assert sorted(said.events[0]["reason"].split()[2:]) == ["#5", "#6"]
    assert "first request" in said.context
    assert "b.py" in said.context


# -- terms --------------------------------------------------------------------------------------------

TERMS = {
    "words": ("The rounding of Prices, again!", ["round", "pric"]),
    "identifier": ("fix parse_config in HTTP2", ["parse_config", "http2"]),
    "han": ("認証処理", ["認証", "証処", "処理"]),
    "scripts-apart": ("ログイン画面を閉じる", ["ログ", "グイ", "イン", "画面"]),
    "hangul": ("환불 처리", ["환불", "처리"]),
    "accents": ("Café Übersetzung", ["cafe", "ubersetzung"]),
    "greek": ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
    "nothing": ("", []),
}


@pytest.mark.parametrize("text, found", TERMS.values(), ids=TERMS)
def test_terms(text: str, found: list[str]) -> None:
    """Terms have no case or endings, text without spaces becomes pairs, grammar is dropped."""
    assert significant_terms(text) == found


@given(st.text(max_size=200), st.integers(1, 50))
def test_terms_hold_no_space(text: str, limit: int) -> None:
    """No term has a space, so joined terms can be split again; their number is bounded."""
    found = significant_terms(text, limit)
    assert " ".join(found).split() == found
    assert len(found) <= limit
    assert significant_terms(text)[: len(found)] == found
