"""Past sessions through the real client: offers, matches, and a pack that arrives once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.scope import Scope
from journal.history.packs import Draft, queue

from .api import call
from .client import new_id
from .conversation import Conversation, converse

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

ASKED = "Round the invoice totals half up ASKED-81"
PACK = '## Rounding\n\nTotals are rounded per line, "half up". PACKED-93'


def work(client: Client, api: Api) -> str:
    """Script a turn that writes a file; return its prompt."""
    path = str(client.project / "totals.py")
    api.script(call("Write", file_path=path, content="x = 1\n"), "Rounded.")
    return ASKED


def past(client: Client, api: Api) -> str:
    """Do a session's work and end it; return its id."""
    sid = new_id()
    client.say(work(client, api), sid)
    return sid


def send(client: Client, sid: str) -> int:
    """Send the pack to a session as the page does, from a separate process."""
    scope = Scope(client.environment(), project=str(client.project), cwd=str(client.project))
    return queue(scope, sid, Draft("Rounding", PACK, sources=("shop#3",)))


def test_a_second_session_is_offered_the_first(client: Client, api: Api, logbook: Logbook) -> None:
    """The first request has the previous session's title, id, date and source event, once."""
    first, second = past(client, api), new_id()
    asked = len(api.talk)
    converse(client, second, "good morning", "and again")
    (text,) = [told for told in client.context_texts(second, "SessionStart") if first[:8] in told]
    assert [request.count(text) for request in api.talk[asked:]] == [1, 1]
    assert "ASKED-81" in text
    assert "totals.py" in text
    records = [event for event in logbook.events("context.injected", sid=second)
               if event["what"] == "related"]  # fmt: skip
    assert len(records) == 1
    sources = {f"#{event['seq']}" for event in
               logbook.events("session.ended", "session.summarized")}  # fmt: skip
    assert set(records[0]["reason"].split()[2:]) <= sources
    assert not [told for told in client.context_texts(second, "UserPromptSubmit") if "Past" in told]


@pytest.mark.long
def test_a_first_request_brings_up_a_past_session(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """A session that newer ones displaced from the offer is found by the first request's words."""
    first = past(client, api)
    for at in range(5):  # newer sessions fill the places given by recency alone
        client.say(f"look after the unrelated errand number {at}", new_id())
    second = new_id()
    client.say("why are invoice totals rounded?", second)
    offered = client.context_texts(second, "SessionStart")
    assert offered
    assert not any(first[:8] in told for told in offered)
    (text,) = client.context_texts(second, "UserPromptSubmit")
    assert first[:8] in text
    assert api.last.count(text) == 1
    assert len(logbook.events("context.injected", sid=second)) == 2


def test_a_pack_arrives_once(client: Client, api: Api, logbook: Logbook) -> None:
    """A pack sent between two requests is in the next request, and in no later turn again."""
    sid = new_id()
    with Conversation(client, sid) as session:
        session.say("good morning")
        seq = send(client, sid)
        assert logbook.view("queue")["waiting"][0]["seq"] == seq
        session.say("go on")
        assert logbook.view("queue")["waiting"] == []
        session.say("and on")
    (text,) = [
        told for told in client.context_texts(sid, "UserPromptSubmit") if "PACKED-93" in told
    ]
    assert PACK in text
    assert f"#{seq}" in text
    assert [request.count("PACKED-93") for request in api.talk] == [0, 1, 1]
    (record,) = [event for event in logbook.events("context.injected") if event["what"] == "pack"]
    assert record["reason"] == str(seq)


@pytest.mark.long
def test_a_pack_waits_for_its_own_session(client: Client, api: Api) -> None:
    """Another session's requests do not have the pack; a fork of its own session gets it."""
    sid, other, fork = new_id(), new_id(), new_id()
    client.say("good morning", sid)
    send(client, sid)
    client.say("something else", other)
    assert api.last.count("PACKED-93") == 0
    client.say("go on in a fork", fork, fork_of=sid)
    assert api.last.count("PACKED-93") == 1


@pytest.mark.long
def test_a_pack_comes_with_a_recovery(client: Client, api: Api) -> None:
    """A pack sent before a compaction comes with the recovery, and only once."""
    sid = new_id()
    with Conversation(client, sid) as session:
        session.say(work(client, api))
        send(client, sid)
        session.say("/compact")
        session.say("and now?")
    (text,) = [told for told in client.context_texts(sid) if "PACKED-93" in told]
    assert text in client.context_texts(sid, "SessionStart")
    assert "ASKED-81" in text
    assert api.last.count("PACKED-93") == 1
