"""A skill that works in phases is compacted in the middle and continues at its next action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .api import call, too_long
from .client import new_id
from .conversation import Conversation, converse
from .scene import FULL, WINDOW
from .work import journal, plugin_command_alone, saves

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client


@pytest.fixture(autouse=True)
def _plugin_command(client: Client) -> None:
    plugin_command_alone(client)


def begin(api: Api) -> str:
    """Script a turn that saves two phases; return its prompt."""
    api.script(journal(saves(1), saves(2)), "Two phases are done.")
    return "/discover the checkout"


def goes_on(logbook: Logbook, sid: str) -> None:
    """Check that the third phase was saved after the two from before the compaction."""
    state = logbook.view("progress", "--session", sid)["state"]
    assert [item["summary"] for item in state["phases"]] == [
        "MARK-SUMMARY-1", "MARK-SUMMARY-2", "MARK-SUMMARY-3",
    ]  # fmt: skip
    assert (state["status"], state["next"]) == ("live", "MARK-NEXT-3")


def check_told(text: str, sid: str) -> None:
    """Check what Claude is told about the skill after a compaction."""
    for part in ('Next action: "MARK-NEXT-2"', "MARK-SUMMARY-1", "MARK-SUMMARY-2", "docs/plans/01.md",
                 f"docs/plans/.cpm-progress-{sid}.md"):  # fmt: skip
        assert part in text, part
    assert len(text) <= 9_600


@pytest.mark.long
def test_compacted_by_hand(client: Client, api: Api, logbook: Logbook) -> None:
    """After /compact the next request has the state."""
    sid = new_id()
    client.say(begin(api), sid)
    client.say("/compact", sid)
    api.script(journal(saves(3), asked='Next action: "MARK-NEXT-2"'), "Three phases.")
    client.say("go on", sid)
    assert not api.unused()
    (text,) = [text for text in client.context_texts(sid, "SessionStart") if "MARK-NEXT-2" in text]
    check_told(text, sid)
    goes_on(logbook, sid)


@pytest.mark.long
def test_compacted_in_the_middle_of_a_turn(client: Client, api: Api, logbook: Logbook) -> None:
    """After an automatic compaction the very next request of the turn has the state."""
    sid = new_id()
    client.env |= WINDOW
    asked = begin(api)
    api.script("Done.", journal("progress show", tokens=FULL),
               journal(saves(3), asked='Next action: "MARK-NEXT-2"'), "Three phases.")  # fmt: skip
    assert converse(client, sid, asked, "second", "go on")[-1].result == "Three phases."
    (summary,) = api.summaries
    after = [request for request in api.talk if request.index > summary.index]
    check_told("\n".join(t for t in client.context_texts(sid, "SessionStart") if "MARK" in t), sid)
    assert 'Next action: "MARK-NEXT-2"' in after[0].text
    goes_on(logbook, sid)


@pytest.mark.long
def test_compacted_after_a_refusal(client: Client, api: Api, logbook: Logbook) -> None:
    """The second attempt of a prompt refused as too long has the state."""
    sid = new_id()
    asked = begin(api)
    api.script(too_long(), journal(saves(3), asked='Next action: "MARK-NEXT-2"'), "Three phases.")
    assert converse(client, sid, asked, "go on")[1].result == "Three phases."
    assert len(api.summaries) == 1
    goes_on(logbook, sid)


@pytest.mark.long
def test_a_skill_that_is_closed_is_not_told_again(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """Closing is refused until the output exists; then no compaction or session names the skill."""
    sid, other = new_id(), new_id()
    client.say(begin(api), sid)
    with Conversation(client, sid) as session:
        api.script(journal("progress close"), "Not yet.")
        session.say("close it")
        assert logbook.view("progress", "--session", sid)["state"]["status"] == "live"
        (client.project / "docs" / "plans" / "01.md").write_text("# Brief\n")
        api.script(journal("progress close"), "Closed.")
        session.say("close it now")
    assert logbook.view("progress", "--session", sid)["state"]["status"] == "closed"
    before = client.context_texts(sid)
    assert "CURRENT" in before[-1]
    converse(client, sid, "/compact", "go on")
    client.say("hello", other)
    told = "\n".join([*client.context_texts(sid)[len(before) :], *client.context_texts(other)])
    assert "close it now" in told
    for part in ("MARK", "Skill under way", "CURRENT", "FRESH", "cpm-progress"):
        assert part not in told, part


@pytest.mark.long
def test_another_session_adopts_it(client: Client, api: Api, logbook: Logbook) -> None:
    """A new session is offered another session's progress, adopts it by command and continues."""
    sid, other = new_id(), new_id()
    client.say(begin(api), sid)
    api.script(journal(f"progress adopt {sid}", asked=f"progress adopt {sid}"), "Mine now.")
    client.say("take over what is unfinished", other)
    assert not api.unused()
    assert "MARK-NEXT" not in "".join(client.context_texts(other))
    api.script(journal(saves(3), asked='Next action: "MARK-NEXT-2"'))
    converse(client, other, "/compact", "go on")
    goes_on(logbook, other)
    old = logbook.view("progress", "--session", sid)["state"]
    assert (old["status"], old["by"]) == ("adopted", other)


@pytest.mark.long
def test_an_edit_of_the_file_is_saved(client: Client, api: Api, logbook: Logbook) -> None:
    """An edit of the progress file, without a command, is saved and comes back too."""
    sid = new_id()
    text = "**Skill**: discover\n**Phase**: 2 — Who\n**Next Action**: MARK-NEXT-2\n"
    path = client.project / "docs" / "plans" / f".cpm-progress-{sid}.md"
    api.script(call("Write", file_path=str(path), content=text), "Written.")
    converse(client, sid, "work in phases", "/compact", "go on")
    assert 'Next action: "MARK-NEXT-2"' in api.last.text
    assert logbook.view("progress", "--session", sid)["state"]["name"] == "Who"


@pytest.mark.long
def test_a_fork_is_offered_what_it_goes_on_from(client: Client, api: Api, logbook: Logbook) -> None:
    """A forked session may adopt the skill by command; until then it belongs to the origin."""
    sid, other = new_id(), new_id()
    client.say(begin(api), sid)
    client.say("on a side track", other, fork_of=sid)
    (offer,) = [
        text for text in client.context_texts(other, "SessionStart") if "this one continues" in text
    ]
    assert f"journal progress adopt {sid}" in offer
    view = logbook.view("progress", "--session", other)
    assert view["state"] is None
    assert view["adoptable"]["session"] == sid
