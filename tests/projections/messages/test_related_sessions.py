"""Offers of past sessions: which, in what order, how long, and how a request finds them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from journal.config.schema import DEFAULTS
from journal.events.session import SessionStarted
from journal.events.turn import PromptSubmitted
from projections.facts.session import Gathered, TimedText, Trail
from projections.lineage import Lineage, Node
from projections.messages import MESSAGES, _run
from projections.messages.message import TEXT_LIMIT, Input, width
from projections.past import MOST_CARDS, Card, Past
from projections.recovery import Recovery
from projections.terms import significant_terms
from projections.views import Views
from tests.projections.messages.past_cards import ALL, TOPICS, card

if TYPE_CHECKING:
    from projections.messages.message import Answer

NOW = "2026-11-21T09:00:00.000Z"


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
def test_it_stays_within_its_bound(text: str) -> None:
    """Whatever the cards, an offer stays within its size, one line each, or is silent."""
    cards = [
        card(f"{at:08}-x", seq=at, title=text[:120], head=text[:300], files=[text[:160]] * 8,
             branch=text[:120])
        for at in range(1, MOST_CARDS)
    ]  # fmt: skip
    for most, room in itertools.product((200, 500, 1200, 9600), (TEXT_LIMIT, 700, 150, 0)):
        said = start(with_cards(*cards), room, **{"related.max_chars": most})
        if said is None:
            assert most == 200 or room < 700, (most, room)
            continue
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


def test_nothing_to_offer() -> None:
    """A session without changed files whose summary is empty is not offered."""
    assert start(with_cards(card("x", "Title", head=""))) is None
    assert start(with_cards(card("x", "Title", head="", files=["a.py"]))) is not None


def test_a_summary_does_not_repeat_its_title() -> None:
    """What follows the title is told; a summary that begins in another way stays whole."""
    said = start(with_cards(card("x", "Round prices", head="Round prices. Half up.")))
    other = start(with_cards(card("x", "Half up.", head="Round prices. Half up.")))
    assert said is not None
    assert other is not None
    assert '"Half up."' in said.context
    assert '"Round prices. Half up."' in other.context


@pytest.mark.parametrize(("branch", "named"), [("fix/x", True), ("main", False), ("", False)])
def test_the_branch_is_named(branch: str, named: bool) -> None:
    """An offer names the branch of a session unless it is the main one."""
    said = start(with_cards(card("x", "Topic", branch=branch)))
    assert said is not None
    assert (', branch "' in said.context) == named


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
    nodes["changed"] = replace(nodes["changed"], branch="fix/tax")
    nodes["open"] = Node(root="open")
    trails = {"asked": Trail(prompts=[TimedText("t", "second"), TimedText("t", "first request")],
                              decisions=[TimedText("t", "half up")]), "idle": Trail(prompts=[TimedText("t", "x")]),
              "changed": Trail(files=["a/b.py"]), "open": Trail(prompts=[TimedText("t", "x")])}  # fmt: skip
    said = start(Views(lineage=Lineage(nodes), recovery=Recovery(trails)))
    assert said is not None
    assert sorted(said.events[0]["reason"].split()[2:]) == ["#5", "#6"]
    assert "first request" in said.context
    assert '#6, branch "fix/tax"; files "b.py"' in said.context


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        (
            ["hello", "Split the import into two steps. Then test it."],
            "Split the import into two steps.",
        ),
        (["/journal:dev-cycle Refunds of orders, never twice."], "Refunds of orders, never twice."),
        (["Why is it slow?\n" + "2026-11-20 09:00:00 INFO did it\n" * 4], "Why is it slow?"),
        (["go on", "next"], "go on"),
    ],
)
def test_the_title_of_a_session_without_a_summary(asked: list[str], title: str) -> None:
    """It is the first sentence that says what was wanted; an answer "Done." is no outcome."""
    trail = Trail(prompts=[TimedText("t", text) for text in reversed(asked)], files=["a.py"])
    trail = replace(trail, gathered=Gathered(messages=["Done."]))
    node = Node(root="a", ended="2026-11-20T09:00:00.000Z", end=5, branch="main")
    said = start(Views(lineage=Lineage({"a": node}), recovery=Recovery({"a": trail})))
    assert said is not None
    assert f'- "{title}" session a' in said.context
    assert "Done" not in said.context


def test_the_title_of_a_fork() -> None:
    """It is what was asked in the fork, not what was asked of the session before."""
    before = [TimedText("1", "Round the prices of the cart.")]
    own = TimedText("2", "Write the discounts of orders.")
    trails = {"a": Trail(prompts=before), "b": Trail(prompts=[own, *before], files=["a.py"])}
    nodes = {"a": Node(root="a"), "b": Node(root="a", parent="a", ended=NOW, end=5, branch="main")}
    said = start(Views(lineage=Lineage(nodes), recovery=Recovery(trails)))
    assert said is not None
    assert '- "Write the discounts of orders." session b' in said.context


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
