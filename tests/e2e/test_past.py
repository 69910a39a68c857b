"""Past sessions in the real client: loaded by `/journal:get`, created by `/journal:export`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from .api import call
from .client import new_id
from .conversation import Conversation, converse
from .wire import Reply, Tool
from .work import plugin_command_alone

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

NOTHING = ("Skill",)  # no command is allowed except those the skill itself allows


@pytest.fixture(autouse=True)
def _plugin_command(client: Client) -> None:
    plugin_command_alone(client)


def write(client: Client, api: Api, prompt: str, name: str) -> str:
    """Script a turn that writes a file; return its prompt."""
    path = str(client.project / name)
    api.script(call("Write", file_path=path, content="x = 1\n"), f"MARK-{name} is written.")
    return prompt


def shell(command: str, asked: str) -> Reply:
    """Build a reply that runs a command if the request contains a text."""
    tool = Tool("Bash", {"command": command, "description": "journal"})
    return Reply(tools=(tool,), only_if=lambda request: asked in request.text)


def test_get_brings_the_block_into_the_request(client: Client, api: Api, logbook: Logbook) -> None:
    """`last` is the previous session: title, files and the event it comes from."""
    sid, other = new_id(), new_id()
    client.say(write(client, api, "Write the price list", "prices.py"), sid)
    client.say("/journal:get last", other, allowed=NOTHING)
    text = api.last.text
    for part in ("# Past sessions", "## Write the price list (", "- `prices.py`", "MARK-prices.py",
                 f"Source: session `{sid}`, event #"):  # fmt: skip
        assert part in text, part
    assert not logbook.events("session.exported")


@pytest.mark.long
def test_get_without_a_selector_lists(client: Client, api: Api) -> None:
    """The request has numbers, dates and titles, so the person can choose."""
    sid, other = new_id(), new_id()
    client.say(write(client, api, "Write the price list", "prices.py"), sid)
    client.say("/journal:get", other, allowed=NOTHING)
    assert "1.  20" in api.last.text
    assert "Write the price list" in api.last.text
    assert "# Past sessions\\n\\n## " not in api.last.text


@pytest.mark.long
@pytest.mark.parametrize("words", ["don't (ever) write; prices & co", "prices | list > 2"])
def test_get_takes_a_search_as_it_is_typed(client: Client, api: Api, words: str) -> None:
    """Shell characters in a search are treated as text."""
    sid, other = new_id(), new_id()
    client.say(write(client, api, f"Write the list: {words}", "prices.py"), sid)
    client.say(f"/journal:get {words}", other, allowed=NOTHING)
    assert f"Source: session `{sid}`" in api.last.text
    assert not (client.project / "2").exists()


def test_get_runs_nothing_but_itself(client: Client) -> None:
    """The client refuses any other command in the text, or does not run it as one."""
    with Conversation(client, new_id(), allowed=NOTHING, check=False) as session:
        for words in ('"; touch owned; "', "$(touch owned)", "`touch owned`",
                      '" && touch owned && "', "x\ntouch owned", '"\ntouch owned\n"'):  # fmt: skip
            session.say(f"/journal:get {words}")
            assert not list(client.root.rglob("owned")), words


def test_get_says_what_it_cannot_take(client: Client, api: Api) -> None:
    """The person is told which shell character is refused; the model gets no request."""
    with Conversation(client, new_id(), allowed=NOTHING, check=False) as session:
        for words in ("the `cart` module", "what is in $HOME"):
            done = session.say(f"/journal:get {words}")
            assert "`/journal:get` did not run" in str(done)
    assert not api.talk


@pytest.mark.long
def test_export_shows_the_groups_and_writes_what_is_chosen(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """The request lists this session's groups; the chosen group becomes a session."""
    sid, other = new_id(), new_id()
    converse(client, sid, write(client, api, "Write the price list", "prices.py"),
             write(client, api, "Write the manual", "manual.md"))  # fmt: skip
    with Conversation(client, sid, allowed=NOTHING) as session:
        session.say("/journal:export")
        text = api.last.text
        for part in (sid, "Write the price list", "Write the manual", "prices.py", "manual.md"):
            assert part in text, part
        groups = json.loads(text[text.index('{\n  "session"') : text.index("\n}\n") + 3])["groups"]
        assert [group["observations"] for group in groups] == [1, 1]
        assert not logbook.events("session.exported")
        api.script(shell("journal export-session --pick 2", asked="the second"), "Exported.")
        session.say("the second, please")
    assert not api.unused()
    (one,) = logbook.events("session.exported")
    assert (one["of"], one["sid"], one["title"]) == (sid, sid, "Write the manual")
    assert one["files"] == ["manual.md"]

    client.say("/journal:get manual", other, allowed=NOTHING)
    assert f"`{sid}.{one['seq']}`" in api.last.text


@pytest.mark.long
def test_export_takes_a_plan_on_standard_input(client: Client, api: Api, logbook: Logbook) -> None:
    """A plan on stdin, as in the skill, regroups by meaning and has its own summary."""
    sid = new_id()
    asked = (write(client, api, "Write the price list", "prices.py"),
             write(client, api, "Write the manual", "manual.md"))  # fmt: skip
    plan = json.dumps([{"title": "The shop", "groups": [1, 2], "summary": "It's all there."}])
    line = f"journal export-session --plan - <<'PLAN'\n{plan}\nPLAN"
    api.script(shell(line, asked="both as one"), "Exported.")
    converse(client, sid, *asked, "both as one")
    (one,) = logbook.events("session.exported")
    assert (one["title"], one["summary"], one["engine"]) == (
        "The shop",
        "It's all there.",
        "claude",
    )
    assert sorted(one["files"]) == ["manual.md", "prices.py"]


@pytest.mark.long
def test_export_in_a_session_without_work(client: Client, api: Api, logbook: Logbook) -> None:
    """Without work there is nothing to choose from, and nothing is written."""
    client.say("/journal:export", new_id(), allowed=NOTHING)
    assert '"groups": []' in api.last.text
    assert not logbook.events("session.exported")
