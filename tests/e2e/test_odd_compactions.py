"""Compactions that fail, are switched off, are of a subagent, or beside another session."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .api import call
from .client import new_id
from .conversation import Conversation, converse
from .scene import FULL, SHUFFLED, WINDOW, days_in, write_progress
from .test_threads import TASK, by_main, by_subagent
from .wire import Reply, Tool

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook
    from .probe import Probe

pytestmark = pytest.mark.client


def test_nothing_names_a_command_that_is_off(client: Client, api: Api, logbook: Logbook) -> None:
    """With DISABLE_COMPACT the room is that of the stated window, and /clear is the way out."""
    client.env |= {"DISABLE_COMPACT": "1", "CLAUDE_CODE_MAX_CONTEXT_TOKENS": "150000"}
    sid = new_id()
    api.tokens(120_000, 127_500)
    said = [notice for run in converse(client, sid, "a", "b") for notice in run.notices]
    assert client.say("c", sid, check=False).result == "Prompt is too long"
    points = {event[names.POINT] for event in logbook.events("pressure.sampled")}
    assert points == {127_000}
    assert "5.5% of the usable window left" in "".join(said)
    texts = [*said, *client.context_texts(sid)]
    assert not any("/compact" in text or "after a compaction" in text for text in texts)
    assert all("/clear" in notice and f"/journal:get {sid[:8]}" in notice for notice in said)


def test_a_subagent_compacts(client: Client, api: Api, logbook: Logbook) -> None:
    """Its summary is its own; the session is told nothing, and has no compaction."""
    client.env |= WINDOW
    sid = new_id()
    task = {"description": "sub", "prompt": TASK, "subagent_type": "general-purpose"}
    echo = {"command": "echo a", "description": "d"}
    api.script(
        Reply("Done.", only_if=by_main),
        Reply(tools=(Tool("Agent", {**task, "run_in_background": False}),), only_if=by_main),
        Reply(tools=(Tool("Bash", echo),), only_if=by_subagent),
        Reply(tools=(Tool("Bash", echo),), tokens=FULL, only_if=by_subagent),
    )
    converse(client, sid, "Add discount codes", "ask somebody")
    (summary,) = logbook.events("compact.summarized")
    (started,) = logbook.events("compact.started")
    assert summary[names.AGENT] == started[names.AGENT]
    assert client.context_texts(sid) == []
    assert logbook.view("recovery", "--session", sid)["compactions"] == 0


def test_a_compaction_that_fails_and_one_that_does_not(
    client: Client, api: Api, logbook: Logbook, probe: Probe
) -> None:
    """Neither another plugin's refusal nor an error of the API is a compaction; the next one is."""
    client.plugins = (*client.plugins, probe.folder)
    client.env |= {"CLAUDE_CODE_MAX_RETRIES": "0"}
    kept = write_progress(client.project)
    sid = new_id()
    with Conversation(client, sid, check=False) as session:
        session.say("Add discount codes ASKED-4711")
        probe.answer("PreCompact", {"decision": "block", "reason": "not now"})
        assert "not now" in session.say("/compact").result
        (probe.folder / "answers" / "PreCompact").unlink()
        api.refusals = [Reply(status=529, error="Overloaded")] * 8
        assert "529" in session.say("/compact").result
        api.refusals = []
        session.say("meanwhile")
    assert days_in(kept.read_text(encoding="utf-8")) == list(SHUFFLED)
    assert not client.context_texts(sid, "SessionStart")[1:]
    converse(client, sid, "/compact", "and now?")
    told = client.context_texts(sid, "SessionStart")[1:]
    assert ["ASKED-4711" in text and "compaction 2" not in text for text in told] == [True]
    assert logbook.counts()["compact.finished"] == 1
    assert len(days_in(kept.read_text(encoding="utf-8"))) == 10


@pytest.mark.long
def test_one_of_two_sessions_compacts(client: Client, api: Api, logbook: Logbook) -> None:
    """It gets back what is its own; the other one, at work in the same directory, nothing."""
    alpha, beta = new_id(), new_id()
    with Conversation(client, alpha) as one, Conversation(client, beta) as other:
        for session, sid, name in ((one, alpha, "ALPHA"), (other, beta, "BETA")):
            session.say(f"Build the {name} part and use decimals for {name}")
            logbook.run(
                "decide", f"{name} is first", "--session", sid, "--project", str(client.project)
            )
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Conversation.say, (one, other), ("/compact", "go on with it")))
        one.say("and?")
        other.say("and?")
    (text,) = [text for text in client.context_texts(alpha) if "was compacted" in text]
    assert "ALPHA is first" in text
    assert "BETA" not in text
    assert not any("compacted" in text for text in client.context_texts(beta))


@pytest.mark.long
@pytest.mark.parametrize(
    ("asked", "rule", "compacted"),
    [
        ("割引コードの機能を追加してください。", "cart.py は絶対に変更しないでください。", "圧縮"),
        ("할인 코드 기능을 추가해 주세요.", "cart.py는 절대 수정하지 마세요.", "압축"),
    ],
    ids=["ja", "ko"],
)
def test_in_the_language_of_the_prompts(
    client: Client, api: Api, logbook: Logbook, asked: str, rule: str, compacted: str
) -> None:
    """Recovery and title are in the person's language, and the prohibition is in their words."""
    sid = new_id()
    api.script("OK", call("Bash", command="echo a", description="d"), "OK")
    converse(client, sid, f"{asked} {rule}", asked, "/compact", asked)
    (text,) = client.context_texts(sid, "SessionStart")
    assert compacted in text
    assert rule in text
    assert "compacted" not in text
    (session,) = logbook.view("sessions")["sessions"]
    assert session["title"] == asked
