"""Texts that a user sent arrive whole, at a request or a recovery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.session import SessionStarted
from journal.events.turn import PromptSubmitted
from projections.queue import Queue, Waiting
from projections.views import Views

from .respond import ask

if TYPE_CHECKING:
    from projections.messages.message import Answer


def views(*texts: str) -> Views:
    """Return views with these texts for the session."""
    items = [
        Waiting(seq=seq, at="2026-11-21T09:00:00.000Z", sids=["s"], title="Totals", text=text)
        for seq, text in enumerate(texts, 3)
    ]
    return Views(queue=Queue(waiting=items))


def asked(found: Views, **prompt: Any) -> tuple[str, Answer | None]:
    """Ask at a prompt."""
    event = PromptSubmitted(**{"sid": "s", "seq": 9, "text": "go on", "size": 5, **prompt})
    return ask("queued_pack", found, event)


def test_a_text_comes_whole_with_its_origin() -> None:
    """It stands under a head that names its event and title, and is recorded by its number."""
    silent, answer = asked(views("one\ntwo"))
    assert silent == ""
    assert answer is not None
    head, text = answer.context.split("\n", 1)
    assert "journal #3" in head
    assert '"Totals"' in head
    assert text == "one\ntwo"
    assert [event["reason"] for event in answer.events] == ["3"]


def test_three_texts_at_most_and_none_is_cut() -> None:
    """What does not fit any more waits for the next request."""
    _, several = asked(views("a", "b", "c", "d"))
    assert several is not None
    assert [event["reason"] for event in several.events] == ["3", "4", "5"]
    _, large = asked(views("a", "x" * 9_300))
    assert large is not None
    assert [event["reason"] for event in large.events] == ["3"]
    assert "x" not in large.context.replace("text", "")


@pytest.mark.parametrize(
    ("prompt", "silent"),
    [({}, ""), ({"text": "/journal:status"}, "occasion"), ({"origin": "task-notification"}, "occasion"),
     ({"text": "", "size": 0}, "occasion"), ({"text": " ", "size": 1}, "occasion"),
     ({"text": "", "size": 5}, "")],
)  # fmt: skip
def test_only_a_request_brings_it(prompt: dict[str, Any], silent: str) -> None:
    """A command of the plugin, a notification and a blank do not; a request whose text is not stored does."""
    assert asked(views("a"), **prompt)[0] == silent


@pytest.mark.parametrize(("source", "silent"), [("compact", ""), ("startup", "occasion")])
def test_a_start_after_a_compaction_brings_it(source: str, silent: str) -> None:
    """Other starts do not."""
    event = SessionStarted(sid="s", seq=9, source=source)
    assert ask("queued_pack", views("a"), event)[0] == silent


def test_nothing_waits() -> None:
    """Without a text there is no reason to name."""
    assert asked(Views()) == ("", None)
