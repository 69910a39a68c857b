"""`journal explain` of starts and prompts: past sessions, and texts the person sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.world import OTHER, SID

if TYPE_CHECKING:
    from tests.cases.world import World


def explained(world: World, kind: str) -> str:
    """Return the explanation of the session's last event of a type, in one line."""
    seq = [event["seq"] for event in world.events(kind) if event["sid"] == SID][-1]
    return " ".join(world.run("explain", str(seq)).out.split())


def test_offers_and_sent_texts(inline: World) -> None:
    """It says what was offered or why not and what is queued, without lines for nothing."""
    inline.start(sid=OTHER)
    inline.prompt("round prices in the cart", sid=OTHER)
    inline.tool("Edit", sid=OTHER, file_path="cart.py")
    inline.end(sid=OTHER)
    inline.start()
    assert "offer #" in explained(inline, "session.started")
    inline.append({"type": "context.queued", "to": SID, "title": "T", "text": "words"})
    inline.prompt("prices in the cart, rounded")
    text = explained(inline, "prompt.submitted")
    assert "0 share rare words with the request and are new to this session" in text
    assert "words" in text
    inline.append({"type": "context.queued", "to": SID, "title": "T", "text": "more words"})
    inline.prompt("/journal:get last")
    text = explained(inline, "prompt.submitted")
    assert "1 text for this session chain" in text
    assert "a journal command, a notification or a blank" in text
    assert "past sessions" not in text
    inline.prompt()
    inline.prompt()
    assert "sent texts" not in explained(inline, "prompt.submitted")
