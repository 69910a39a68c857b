"""Examples for the past and queue views: cards, offers, queued texts and their recipients."""

from __future__ import annotations

from typing import Any

import msgspec

from projections.past import MOST_CARDS, TERMS, Past
from tests.projections.timeline import fed, views


def summary(of: str, **more: Any) -> dict[str, Any]:
    """Build an event about a session."""
    return {"type": "session.summarized", "of": of, "title": of, **more}


# -- cards --------------------------------------------------------------------------------------------


def test_one_card_a_session() -> None:
    """A session's later summary replaces the earlier one; an exported part is its own session."""
    past: Past = fed(
        summary("a", summary="one", root="r", ended="2026-11-01"),
        summary("a", summary="two"),
        {"type": "session.exported", "of": "a", "title": "Part", "files": ["x.py"]},
        summary("a.3", title="Part, better", summary="three"),
        summary(""),
    )["past"]
    assert [(card.sid, card.of, card.seq, card.head) for card in past.cards.values()] == [
        ("a", "", 2, "two"), ("a.3", "a", 4, "three"),
    ]  # fmt: skip
    assert (past.cards["a"].root, past.cards["a"].date) == ("r", "2026-11-01")


def test_a_summary_without_outcome_has_no_head() -> None:
    """A greeting and an outcome are not worth offering; a request, a finding or free text is."""
    past: Past = fed(
        summary("a", summary="Asked: hello\nEnded: ended, 1 turn"),
        summary("b", summary="Asked: why\nFound: The lock is held.\nEnded: ended"),
        summary("c", summary="The lock is held by the writer."),
        summary("d", summary="Asked: Move the price rounding to the cart\nEnded: ended"),
    )["past"]
    assert [bool(past.cards[sid].head) for sid in "abcd"] == [False, True, True, True]


def test_a_head_says_what_came_of_the_session() -> None:
    """The request is in the title; where nothing came of it, the further requests are the head."""
    past: Past = fed(
        summary("a", summary="Asked: Fix the lock of the writer\nFound: It leaks.\nEnded: ended"),
        summary("b", summary="Asked: Fix the lock; and the queue\nEnded: ended, 2 turns"),
    )["past"]
    assert [past.cards[sid].head for sid in "ab"] == [
        "Found: It leaks.",
        "Fix the lock; and the queue",
    ]


def test_the_newest_by_their_own_date() -> None:
    """Old sessions summarised late do not displace newer ones."""
    days = [f"2026-01-{day:02}T00:00:00.000Z" for day in range(1, 31)]
    new = [summary(f"n{at}", ended=f"2026-06-{at % 30 + 1:02}") for at in range(MOST_CARDS - 5)]
    old = [summary(f"o{at}", ended=day) for at, day in enumerate(days)]
    past: Past = fed(*new, *old)["past"]
    assert len(past.cards) == MOST_CARDS
    assert [sid for sid in past.cards if sid[0] == "o"] == [f"o{at}" for at in range(25, 30)]
    assert all(event["of"] in past.cards for event in new)


def test_a_card_is_bounded() -> None:
    """A card stays short for any summary; its terms come from title, files and text."""
    past: Past = fed(
        summary("a", title="Café " * 900, summary="rounding " + "x" * 9_000, branch="b" * 999,
                files=[f"src/{'d' * 400}/file_{at}.py" for at in range(30)],
                decisions=["half up"] * 99)
    )["past"]  # fmt: skip
    card = past.cards["a"]
    assert len(msgspec.json.encode(card)) < 4_000
    assert (len(card.files), len(card.head)) == (8, 300)
    assert len(card.terms.split()) <= TERMS
    assert {"cafe", "round"} <= set(card.terms.split())


def test_what_was_offered() -> None:
    """Only the record of an offer counts, and only for the seqs it names."""
    past = views(
        "09:00 injected related at start: #3 #14 / 09:01 injected related at prompt: #5 x #y #² #"
        " / 09:02 injected start #9 / 09:03 injected related #7 by x",
        "past",
    )["past"]
    assert past.offered == {"a": [3, 14, 5]}


def test_a_new_summary_is_of_the_session_offered_before() -> None:
    """A session that is summarised again after it was offered counts as offered."""
    offer = {"type": "context.injected", "what": "related", "reason": "at start: #1", "sid": "b"}
    past = fed(summary("a"), offer, summary("a"))["past"]
    assert past.offered == {"b": [3]}
