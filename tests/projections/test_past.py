"""Examples for the past and queue views: cards, offers, queued texts and their recipients."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from journal.log.record import frame
from projections.fold import Fold
from projections.lineage import Lineage, hints
from projections.past import MOST_CARDS, TERMS, Past
from projections.queue import MOST, TEXT, Queue, waiting
from projections.queue import hints as queue_hints
from projections.registry import REGISTRY
from tests.projections.timeline import timeline

NAMES = ("past", "queue", "lineage")


def views(text: str) -> dict[str, Any]:
    """Return the three views over a timeline."""
    return Fold([REGISTRY[name] for name in NAMES]).feed(timeline(text)).states


def fed(*events: dict[str, Any]) -> dict[str, Any]:
    """Return the three views over events."""
    lines = [frame(seq, {"ts": "2026-11-21T09:00:00.000Z", "v": 1, "sid": "w", **event})[:-1]
             for seq, event in enumerate(events, 1)]  # fmt: skip
    return Fold([REGISTRY[name] for name in NAMES]).feed(list(enumerate(lines, 1))).states


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
        " / 09:02 injected start #9 / 09:03 injected related #7 by x"
    )["past"]
    assert past.offered == {"a": [3, 14, 5]}


def test_a_new_summary_is_of_the_session_offered_before() -> None:
    """A session that is summarised again after it was offered counts as offered."""
    offer = {"type": "context.injected", "what": "related", "reason": "at start: #1", "sid": "b"}
    past = fed(summary("a"), offer, summary("a"))["past"]
    assert past.offered == {"b": [3]}


# -- the queue ----------------------------------------------------------------------------------------


def waits(text: str, sid: str = "a") -> list[int]:
    """Return the seqs of the texts queued for a session."""
    states = views(text)
    found = [item.seq for item in waiting(states["queue"], states["lineage"], sid)]
    # The hint may be true without need, but is never false in error.
    assert not found or sid in queue_hints(states["queue"], states["lineage"])
    return found


def test_it_waits_until_it_was_injected() -> None:
    """Only the record of its own injection takes a text out of the queue."""
    text = "09:00 start / 09:00 queued a T / 09:00 queued a U / "
    assert waits(text) == [2, 3]
    assert waits(text + "09:01 prompt x / 09:01 injected start 2 / 09:02 end") == [2, 3]
    assert waits(text + "09:01 injected pack 2 by x") == [2, 3]
    assert waits(text + "09:01 injected pack 2") == [3]
    assert waits(text + "09:01 injected pack 2 / 09:01 injected pack 3") == []


def test_it_follows_the_lineage() -> None:
    """The continuing session gets the text, named before or after, over any number of links."""
    before = "09:00 start / 09:01 queued a T / 09:02 end clear / b 09:02 start clear a / "
    assert waits(before, "b") == [2]
    assert waits(before + "c 09:03 start fork b", "c") == [2]
    assert waits(before + "c 09:03 start", "c") == []
    after = "09:00 start / 09:02 end clear / b 09:02 start clear a / 09:03 queued a T"
    assert waits(after, "b") == [4]
    assert waits(after, "a") == [4]
    assert waits("09:00 queued a T / 09:01 start clear a by x / c 09:02 start clear b", "c") == []


def test_a_text_in_parts() -> None:
    """A text in parts is queued once its last part is; a part without a text changes nothing."""
    assert waits("09:00 part 2 / 09:00 part 1 / 09:00 part 3") == []
    assert waits("09:00 part 1 / 09:00 part 2") == []
    text = "09:00 part 1 / 09:00 part 2 / 09:00 part 3"
    assert waits(text) == [1]
    assert waits(text + " / 09:00 part 2 / 09:00 part 3") == [1]
    assert views(text)["queue"].waiting[0].text == "part 1part 2part 3"


@given(st.integers(0, 40), st.integers(0, 30_000))
def test_the_queue_is_bounded(count: int, size: int) -> None:
    """The queue keeps the newest texts, bounded in number and characters."""
    queue: Queue = fed(
        *({"type": "context.queued", "to": "a", "title": str(n), "text": "x" * min(size, 12_000)}
          for n in range(count))
    )["queue"]  # fmt: skip
    assert len(queue.waiting) == min(count, MOST)
    assert all(len(item.text) <= TEXT for item in queue.waiting)
    assert [item.title for item in queue.waiting] == [str(n) for n in range(count)][-MOST:]


# -- the first request --------------------------------------------------------------------------------


def fresh(text: str) -> list[str]:
    """Return the sessions without a request so far."""
    lineage: Lineage = views(text)["lineage"]
    return hints(lineage)


def test_who_was_asked_nothing_yet() -> None:
    """A new or cleared session counts until its first request, its end or a compaction."""
    assert fresh("09:00 start / b 09:00 start clear a / c 09:00 start resume") == ["a", "b"]
    assert fresh("09:00 start / 09:01 prompt x / b 09:00 start / b 09:01 prompt x by s") == ["b"]
    assert fresh("09:00 start / 09:01 prompt") == ["a"]
    assert fresh("09:00 start / 09:01 command x / 09:01 tool Bash ls") == ["a"]
    assert fresh("09:00 start / 09:01 end") == []
    assert fresh("09:00 start / 09:01 compact auto / 09:01 done") == []
    assert fresh("09:01 prompt x") == []
    nodes = views("09:00 start / 09:01 prompt / 09:02 prompt x / 09:03 prompt y")["lineage"]
    assert nodes.sessions["a"].asked == 3
