"""What the plugin's module shows in a terminal, and the tools it gives the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .api import call, until_offered
from .client import new_id, patient
from .scene import WINDOW
from .terminal import Terminal
from .wire import Reply

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

MESSAGE = "the moment yourself"  # on one line of the toast

pytestmark = [pytest.mark.client, pytest.mark.usefixtures("with_module")]


@pytest.fixture
def with_module(client: Client) -> None:
    """Skip if the client does not load the module; let it wait for its child as long as it takes."""
    if not client.mods:
        pytest.skip("JOURNAL_TEST_MODS=off: the client does not load the module")
    client.plugins = tuple(patient(each, client.root) for each in client.plugins)


@pytest.mark.usefixtures("tmux")
def test_what_the_person_sees(client: Client, api: Api) -> None:
    """Pressure below the prompt, a warning above it; a pane opens without the model and follows."""
    client.env |= WINDOW
    with Terminal(client) as terminal:
        api.script(call("Bash", command="echo 1", tokens=20_000), Reply("One.", tokens=20_500))
        terminal.enter("hello there")
        terminal.wait_for("context 69.")
        assert "compacts now" not in terminal.screen
        api.script(Reply("Two.", tokens=62_000))
        terminal.enter("go on")
        terminal.wait_for("/compact compacts now")
        asked = len(api.talk)
        terminal.enter("/journal:pane")
        terminal.wait_for("Past sessions")
        assert "Compactions" in terminal.screen
        assert len(api.talk) == asked
        terminal.enter("/compact")
        terminal.wait_until(lambda: "compacts now" not in terminal.screen, "the warning stays")
        terminal.wait_for("manual at 62k tokens")  # the open pane follows


@pytest.mark.usefixtures("tmux")
@pytest.mark.parametrize("setting", ["", "[screen]\ntoast = false\n"])
def test_a_message_is_shown_once(client: Client, api: Api, setting: str) -> None:
    """A hook's message to the person is a toast, or with toasts off a line of the hook."""
    client.env |= WINDOW
    journal = client.home / ".claude" / "journal"
    journal.mkdir(parents=True)
    (journal / "config.toml").write_text(setting)
    with Terminal(client) as terminal:
        api.script(call("Bash", command="echo 1", tokens=20_000), Reply("One.", tokens=20_500))
        terminal.enter("hello there")
        terminal.wait_for("context 69.")
        api.script(call("Bash", command="echo 1", tokens=62_000), Reply("Two.", tokens=62_500))
        terminal.enter("go on")
        shown = terminal.wait_for(MESSAGE)
        assert shown.count(MESSAGE) == 1
        assert ("says:" in shown) == bool(setting)


@pytest.mark.usefixtures("tmux")
def test_compacting_at_the_end_of_a_phase(client: Client, api: Api, logbook: Logbook) -> None:
    """Compacting is offered at a phase's end; a key press compacts with the journal's guidance."""
    client.env |= WINDOW
    with Terminal(client) as terminal:
        api.script(call("Bash", command="echo 1", tokens=20_000), Reply("One.", tokens=20_500))
        terminal.enter("hello there")
        terminal.wait_for("context 69.")
        (sid,) = logbook.sids()
        logbook.run("decide", "Use cents", "--session", sid)
        api.script(call("Bash", command="echo 1", tokens=52_000), Reply("Two.", tokens=52_500))
        terminal.enter("/journal:compound")
        terminal.wait_for("Compact now")
        assert "/compound has ended" in terminal.screen
        assert not api.summaries
        terminal.press_until(lambda: bool(api.summaries), ("C-x", "Tab"), ("Enter",))
        assert len(api.summaries) == 1
        assert "Use cents" in api.summaries[0].last_user
        terminal.wait_until(lambda: "Compact now" not in terminal.screen, "the offer stays")
        terminal.wait_until(lambda: bool(logbook.events("compact.finished")), "not recorded")
    assert len(logbook.events("compact.started")) == 1
    assert "client" in {event["source"] for event in logbook.events("pressure.sampled")}


def test_the_tools(client: Client, api: Api, logbook: Logbook) -> None:
    """The model finds and calls the tools without a permission; its notes belong to its session."""
    sid = new_id()
    api.script(
        until_offered("mcp__journal__recall"), call("ToolSearch", query="select:mcp__journal__note,mcp__journal__status", max_results=5),
        call("mcp__journal__note", kind="decision", text="Use cents"),
        call("mcp__journal__status"), call("mcp__journal__note", kind="x", text="y"), "Done.",
    )  # fmt: skip
    client.say("note it", sid)
    assert not api.unused()
    (event,) = logbook.events("decision.recorded")
    assert (event["sid"], event["text"]) == (sid, "Use cents")
    results = api.last.text
    assert "Recorded as event" in results
    assert 'newest first: "Use cents"' in results
    assert "kind is none of: decision, item, entry" in results


@pytest.mark.long
def test_what_the_tools_cost(client: Client, api: Api) -> None:
    """The tools add less than 80 tokens to a request: only their names, not descriptions."""
    api.script(call("Bash", command="echo 1"), until_offered("mcp__journal__recall"), "Done.")
    client.say("hello", new_id())
    assert "mcp__journal__recall" not in api.talk[0].text  # the tools delay no first request
    assert "mcp__journal__recall" in api.last.text
    assert "before its compaction, by words" not in api.last.text
    assert not [name for name in api.last.tools if "journal" in name]
