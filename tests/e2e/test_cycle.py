"""A dev cycle with the real client: continued by the gate, stopped by budget, resumed elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .client import new_id
from .conversation import Conversation, converse
from .scene import CALM, WINDOW, without_offers
from .wire import Reply
from .work import journal, plugin_command_alone, saves

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

STAGES = ["sprint", "audit", "ship", "retrospective"]
LITTLE = 60_000  # of 67,000 until compaction: 10 % is left, less than audit needs


@pytest.fixture(autouse=True)
def _plugin_command(client: Client) -> None:
    plugin_command_alone(client)


def stage(logbook: Logbook, sid: str) -> dict:
    """Return the stage view of a session."""
    return logbook.view("stage", "--session", sid)


def test_a_cycle_is_carried_to_its_end(client: Client, api: Api, logbook: Logbook) -> None:
    """From one prompt the gate asks for each next stage by name, until the cycle is complete."""
    sid = new_id()
    api.script(journal("stage start", "stage finish sprint"), "Sprint is done.")
    for name in STAGES[1:]:
        finish = [] if name == STAGES[-1] else [f"stage finish {name}"]
        asked = f"`journal stage start {name}` begins it"
        api.script(journal(f"stage start {name}", *finish, asked=asked),
                   Reply(f"{name} done.", only_if=lambda r: any(m["role"] == "assistant" for m in r.messages)))  # fmt: skip
    done, _ = converse(client, sid, "begin the cycle", "something else")
    assert not api.unused()
    asked = client.context_texts(sid, "Stop")
    assert [text.split("`")[1] for text in asked] == [
        f"journal stage start {s}" for s in STAGES[1:]
    ]
    begun = [event["stage"] for event in logbook.events("stage.started")]
    assert begun == STAGES
    assert any("cycle is complete" in notice for notice in done.notices)
    view = stage(logbook, sid)
    assert view["status"] == "complete"
    assert [span["stage"] for span in view["spans"]] == STAGES


@pytest.mark.long
def test_an_open_stage_is_asked_about_once(client: Client, api: Api) -> None:
    """The model answers what is missing, and the next turns get no question."""
    sid = new_id()
    api.script(journal("stage start"), "Half done.", "The tests are missing.")
    assert converse(client, sid, "begin", "go on")[0].result == "The tests are missing."
    (text,) = client.context_texts(sid, "Stop")
    assert "sprint is still open" in text
    assert len(api.talk) == 4


def test_a_block_by_the_persons_own_setting(client: Client, api: Api) -> None:
    """If the person configures it, the gate blocks the stop, and the turn continues."""
    path = client.home / ".claude" / "journal" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[stage]\ngate = "block"\n')
    api.script(journal("stage start", "stage finish"), "Done.",
               journal("stage start audit", asked="Stop hook feedback"), "Begun.")  # fmt: skip
    client.say("begin", new_id())
    assert not api.unused()


@pytest.mark.long
def test_a_cycle_stopped_by_budget_is_resumed(client: Client, api: Api, logbook: Logbook) -> None:
    """With little room the turn ends, the person gets one command, and a new session resumes."""
    client.env |= WINDOW
    without_offers(client.project)
    first, second, third = new_id(), new_id(), new_id()
    api.script(journal("stage start", "stage finish sprint --metric tests=41", tokens=CALM),
               Reply("Done.", tokens=LITTLE))  # fmt: skip
    done = client.say("begin", first)
    assert done.result == "Done."
    assert client.context_texts(first, "Stop") == []
    (notice,) = [text for text in done.notices if "dev cycle" in text]
    assert "audit, ship, retrospective" in notice
    assert "journal stage resume" in notice
    (stopped,) = logbook.events("stage.stopped")
    assert stopped[names.REASON] == "context_budget"
    assert 10 <= stopped["remaining"] <= 11

    api.script(journal("stage resume", "stage finish audit", asked="`journal stage resume"),
               "Audited.", journal("stage start ship", asked="`journal stage start ship` begins"),
               "Shipping.")  # fmt: skip
    client.say("take it up", second)
    assert not api.unused()
    there, here = stage(logbook, second), stage(logbook, first)
    assert (there["stage"], there["open"], there["metrics"]) == ("ship", True, {"tests": 41})
    assert (here["status"], here["moved_to"]) == ("moved", second)
    client.say("unrelated", third)
    (offer,) = [
        line for text in client.context_texts(third) for line in text.split("\n") if "stage" in line
    ]
    assert f"dev cycle {there['cycle']}, stage ship (open" in offer


def test_the_typed_command_starts_one_cycle(client: Client, api: Api, logbook: Logbook) -> None:
    """Typing `/journal:dev-cycle` starts one cycle of that session; mentioning it starts none."""
    first, second = new_id(), new_id()
    client.say("what does /journal:dev-cycle do?", second)
    assert not logbook.events("stage.started")
    converse(client, first, "/journal:dev-cycle", "/journal:dev-cycle")
    (started,) = logbook.events("stage.started")
    assert (started["sid"], started["stage"]) == (first, "sprint")
    assert stage(logbook, second)["status"] == "none"
    assert len(client.context_texts(first, "Stop")) == 1


@pytest.mark.long
def test_two_sessions_do_not_see_each_other(client: Client, api: Api, logbook: Logbook) -> None:
    """Another session learns of a session's work only what the offer at its start names."""
    without_offers(client.project)
    own, other = new_id(), new_id()
    api.script(journal("stage start", saves(1, mark="OWN"), "unit start OWN-UNIT --item OWN-ITEM",
                       "decide OWN-DECISION"), "Half done.", "More is missing.")  # fmt: skip
    client.say("OWN-REQUEST", own)
    assert not api.unused()
    cycle = stage(logbook, own)["cycle"]
    seen = len(api.requests)
    converse(client, other, "hello", "/compact", "and now?")
    theirs = "\n".join(request.text for request in api.requests[seen:])
    marks = (
        "OWN-SUMMARY",
        "OWN-NEXT",
        "OWN-UNIT",
        "OWN-ITEM",
        "OWN-DECISION",
        "OWN-REQUEST",
        cycle,
    )
    (offer,) = {text for text in client.context_texts(other) if "Unfinished work" in text}
    assert [mark for mark in marks if mark in offer] == ["OWN-UNIT", cycle]
    assert offer in theirs
    assert [mark for mark in marks if mark in theirs.replace(offer, "")] == []
    assert client.context_texts(other, "Stop") == []
    converse(client, own, "/compact", "and now?")
    mine = api.last.text
    assert [mark for mark in marks if mark not in mine] == []


@pytest.mark.long
def test_a_stage_that_runs_dry_in_a_continued_turn(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """If the next stage of a continued turn uses up the room, the person is told once."""
    client.env |= WINDOW
    without_offers(client.project)
    sid = new_id()
    api.script(journal("stage start", "stage finish sprint", tokens=10_000),
               Reply("Sprint is done.", tokens=11_000),
               journal("stage start audit", asked="`journal stage start audit` begins", tokens=20_000),
               Reply("Auditing.", tokens=61_000))  # fmt: skip
    done = client.say("begin", sid)
    assert not api.unused()
    (notice,) = [text for text in done.notices if "stage audit is still open" in text]
    assert "left until compaction" in notice
    assert "journal stage resume" in notice
    assert len(client.context_texts(sid, "Stop")) == 1
    assert stage(logbook, sid)["status"] == "open"


@pytest.mark.long
def test_the_gate_at_91_percent(client: Client, api: Api, logbook: Logbook) -> None:
    """At 91 % of the compaction threshold a finished stage stops the cycle, as the gate says."""
    client.env |= WINDOW
    without_offers(client.project)
    sid = new_id()
    api.script(journal("stage start", "stage finish sprint", "stage start audit",
                       "stage finish audit", "stage start ship", "stage finish ship", tokens=CALM),
               Reply("Done.", tokens=61_000))  # fmt: skip
    done = client.say("begin", sid)
    (notice,) = [text for text in done.notices if "dev cycle stops after ship" in text]
    assert re.search(r"(8\.\d|9\.0)% left until compaction, and retrospective needs 15%", notice)
    assert logbook.events("stage.stopped")[0]["remaining"] < 15
    status = logbook.run("stage", "status", "--session", sid)
    assert "left until compaction" in status or "stopped" in status


def test_autocompact_of_the_command_line(client: Client, api: Api, logbook: Logbook) -> None:
    """With `claude --autocompact 100000` the room is measured against that threshold."""
    sid = new_id()
    api.script(Reply("Done.", tokens=20_000))
    with Conversation(client, sid, "--autocompact", "100000") as session:
        session.say("hello")
        session.say("again")
    points = {event["point"] for event in logbook.events("pressure.sampled")}
    assert points == {67_000}
