"""`journal view past` and `journal view queue`: possible offers, and queued texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hooks.background import run_background
from tests.cases.world import OTHER, SID

if TYPE_CHECKING:
    from tests.cases.world import World


def shown(world: World, *words: str) -> dict:
    """Run the command; return its object."""
    return json.loads(world.run("view", *words).out)


def test_cards_and_what_was_offered(inline: World) -> None:
    """Cards newest first, with their lineage, and the offers each session got."""
    inline.start(sid=OTHER)
    inline.prompt("round prices", sid=OTHER)
    inline.end(sid=OTHER)
    seq = inline.append({"type": "session.summarized", "of": OTHER, "title": "Rounding",
                         "summary": "Half up.", "files": ["cart.py"], "branch": "main"})[0]  # fmt: skip
    inline.start()
    view = shown(inline, "past")
    (card,) = view["cards"]
    assert (card["session"], card["seq"], card["title"]) == (OTHER, seq, "Rounding")
    assert (card["root"], card["files"], card["summary"]) == (OTHER, ["cart.py"], "Half up.")
    assert "round" in card["terms"]
    assert view["offered"] == [seq]
    assert shown(inline, "past", "--session", OTHER)["offered"] == []


def test_a_summary_made_later_is_a_card_of_its_day(inline: World) -> None:
    """A background summary makes a card with the session's own date, branch and lineage."""
    (inline.project / ".git" / "HEAD").write_text("ref: refs/heads/fix/cart\n")
    inline.start(sid=OTHER)
    inline.prompt("round prices", sid=OTHER)
    inline.tool("Edit", sid=OTHER, file_path="src/cart.py")
    inline.end(sid=OTHER)
    ended = inline.one("session.ended")["ts"]
    inline.after(hours=30)
    raw = json.dumps({"hook_event_name": "SessionStart", "session_id": SID, "source": "startup",
                      "cwd": str(inline.project)})  # fmt: skip
    assert run_background(raw.encode(), inline.env()) == 1
    (card,) = shown(inline, "past")["cards"]
    assert (card["date"], card["branch"], card["root"]) == (ended, "fix/cart", OTHER)
    text = inline.start().context
    assert f'#{card["seq"]}, branch "fix/cart"; files "cart.py": ' in text
    assert ended[:10] in text


def test_what_waits(inline: World) -> None:
    """Texts sent to the session's own lineage are listed until they are injected."""
    inline.start()
    inline.prompt()
    inline.start(sid=OTHER)
    (seq,) = inline.append({"type": "context.queued", "to": SID, "title": "T", "text": "words",
                            "sources": ["shop#3"]})  # fmt: skip
    (item,) = shown(inline, "queue")["waiting"]
    assert (item["seq"], item["to"], item["text"]) == (seq, SID, "words")
    assert shown(inline, "queue", "--session", OTHER)["waiting"] == []
    inline.prompt()
    assert shown(inline, "queue")["waiting"] == []
