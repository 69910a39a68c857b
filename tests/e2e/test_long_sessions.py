"""Long and empty sessions: what matters survives a compaction, the rest is not mentioned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .api import call
from .client import new_id
from .conversation import Conversation, converse

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

GOAL = "Move the price rounding to GOAL-4711 and keep the old interface"
RULE = "Never touch the file legacy.py, I need it RULE-22 for the audit"
SHORT = (
    "yes",
    "go on",
    "run it",
    "ok",
    "and now?",
    "continue",
    "do it",
    "yes please",
    "next",
    "go",
)


def recovery(client: Client, sid: str) -> str:
    """Return the only text that a compaction of the session produced."""
    (text,) = [
        text for text in client.context_texts(sid, "SessionStart") if "was compacted" in text
    ]
    return text


@pytest.mark.long
def test_the_goal_after_ten_short_prompts(client: Client, api: Api) -> None:
    """The session's goal and its prohibitions come back in the person's own words."""
    sid = new_id()
    converse(client, sid, GOAL, RULE, *SHORT, "/compact", "go on")
    text = recovery(client, sid)
    assert "GOAL-4711" in text
    assert "RULE-22" in text
    assert api.last.count(text) == 1


@pytest.mark.long
def test_heavy_state_leaves_room_for_the_precious(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """Six phases with long results do not displace decision, goal and file; each part has room."""
    sid = new_id()
    path = str(client.project / "rounding.py")
    api.script(call("Write", file_path=path, content="rate = 1\n"), "Written.")
    own = ("--session", sid, "--project", str(client.project))
    with Conversation(client, sid) as session:
        session.say(GOAL)
        logbook.run("decide", "Prices are decimals DECISION-33", *own)
        for phase in range(1, 7):
            logbook.run("progress", "save", *own, "--skill", "discover", "--phase", str(phase),
                        "--name", f"Phase {phase}", "--next", f"NEXT-{phase}",
                        "--summary", f"OUTCOME-{phase} " + "was found and checked. " * 60)  # fmt: skip
        session.say("/compact")
        session.say("go on")
    text = recovery(client, sid)
    for part in ("GOAL-4711", "DECISION-33", "rounding.py", "NEXT-6"):
        assert part in text, part
    for phase in range(1, 7):
        assert f"OUTCOME-{phase}" in text, phase
    assert len(text) <= 9_600
    assert api.last.count(text) == 1


@pytest.mark.long
def test_a_session_with_nothing_to_say_hears_nothing(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """A session that only talked gets no recovery and is not offered; one with work is offered."""
    empty, worker, third = new_id(), new_id(), new_id()
    client.say("hello", empty)
    assert client.context_texts(empty) == []
    path = str(client.project / "rounding.py")
    api.script(call("Write", file_path=path, content="rate = 1\n"), "Written.")
    client.say(GOAL, worker)
    assert not any(empty[:8] in text for text in client.context_texts(worker))
    client.say("hello", third)
    offers = "\n".join(client.context_texts(third))
    assert worker[:8] in offers
    assert empty[:8] not in offers
    assert not [e for e in logbook.events("context.injected") if e["sid"] == empty]
