"""The harness itself: what the client does by its protocol, seen through a probe plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .api import call, too_long
from .client import new_id
from .scene import WINDOW
from .terminal import Terminal

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .probe import Probe

pytestmark = pytest.mark.client


@pytest.fixture
def probed(client: Client, probe: Probe) -> Client:
    """Run the client with the probe as its only plugin."""
    client.plugins = (probe.folder,)
    return client


def test_a_turn_with_tools(probed: Client, api: Api, probe: Probe) -> None:
    """Every step of a turn reaches the plugin, and the plugin's context is in the next request."""
    probe.tell("PostToolUse", "MARK-7")
    api.script(
        call("Bash", command="echo hi", description="say hi"),
        call("Bash", command="exit 3", description="fail"),
        "All done.",
    )
    sid = new_id()
    done = probed.say("please work", sid)
    assert done.result == "All done."
    assert [r.count("MARK-7") for r in api.talk] == [0, 1, 1]
    assert probed.context_texts(sid) == ["MARK-7"]
    assert [name for name in probe.names if "Tool" in name] == [
        "PreToolUse",
        "PostToolUse",
        "PostToolBatch",
        "PreToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
    ]
    assert not api.unused()


def test_a_faulty_hook_is_noticed(probed: Client, probe: Probe) -> None:
    """Hook output that breaks the client's schema fails the run, unless the test allows it."""
    probe.answer("Stop", {"systemMessage": 42})
    assert probed.say("hello", new_id(), check=False).faults
    with pytest.raises(AssertionError, match="systemMessage"):
        probed.say("hello", new_id())


@pytest.mark.long
def test_compaction_in_the_middle_of_a_turn(probed: Client, api: Api, probe: Probe) -> None:
    """A full window is compacted before the next request, which has the hook's context."""
    probe.tell("SessionStart.compact", "MARK-8")
    sid = new_id()
    probed.say("first", sid)
    probed.say("second", sid)
    api.script(call("Bash", command="echo a", description="d", tokens=98_000))
    before = len(probe.names)
    probed.env |= WINDOW
    probed.say("third", sid)
    assert probe.names[before + 5 : before + 9] == [
        "PreCompact.auto",
        "SubagentStop",
        "SessionStart.compact",
        "PostCompact.auto",
    ]
    assert len(api.summaries) == 1
    assert [r.index for r in api.containing("MARK-8")] == [api.last.index]


@pytest.mark.long
def test_refusal_of_a_long_prompt_compacts(probed: Client, api: Api, probe: Probe) -> None:
    """The stand-in can refuse a prompt; the client then compacts and tries again."""
    sid = new_id()
    probed.say("first", sid)
    api.script(too_long(), "Got it.")
    done = probed.say("second", sid)
    assert done.result == "Got it."
    assert "PreCompact.auto" in probe.names


@pytest.mark.long
def test_an_interactive_session(probed: Client, probe: Probe, tmux: None) -> None:
    """The test can type into a terminal, and /clear begins another session."""
    with Terminal(probed) as terminal:
        terminal.enter("hello there")
        terminal.wait_for("Done.")
        terminal.enter("/clear")
        terminal.wait_until(lambda: "SessionStart.clear" in probe.names, "the cleared session")
        terminal.enter("/exit")
        terminal.wait_until(lambda: probe.names[-1] == "SessionEnd", "the end")
    ids = {call["in"]["session_id"] for call in probe.calls}
    assert len(ids) == 2
