"""Each skill in the client's default permission mode: its commands run, in later turns too."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from journal.text import estimate_tokens
from tests.skills.skill import NAMES, read

from .api import call
from .client import new_id
from .conversation import Conversation
from .scene import write_progress
from .work import plugin_command_alone

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

ASKED = ("progress discard", "stage abandon", "setup")
HARD = 'it\'s {"a": "b"}, `x` and $HOME\n{\'c\'}'
SAMPLE = ("dev-cycle", "export", "getting-started")
"""The skills whose commands .ci/run runs: one that begins work, reads input, and is refused."""

MOST = 250
"""Tokens that the list of skills may take in each request."""


def prescribed(name: str) -> list[str]:
    """List the commands a skill names, with sample arguments and text."""
    found = []
    for command in read(name).commands:
        filled = command.replace("…", "x").replace(" - ", " - ").replace("$ARGUMENTS", "last")
        if len(filled.split()) < 3:
            continue
        stdin = re.search(r"--(summary|plan) -$|^journal learning add", filled)
        found.append(f"{filled} <<'TEXT'\n{HARD}\nTEXT" if stdin else filled)
    return list(dict.fromkeys(found))


def outcomes(client: Client, sid: str) -> dict[str, str]:
    """Map each shell command to its result."""
    asked: dict[str, str] = {}
    found: dict[str, str] = {}
    for line in client.transcript(sid):
        content: Any = line.get("message", {}).get("content")
        for block in content if isinstance(content, list) else []:
            if block.get("type") == "tool_use" and block["name"] == "Bash":
                asked[block["id"]] = block["input"]["command"]
            elif block.get("type") == "tool_result" and block["tool_use_id"] in asked:
                found[asked[block["tool_use_id"]]] = json.dumps(block.get("content"))
    return found


@pytest.mark.parametrize(
    "name",
    [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.long) for name in NAMES],
)
def test_a_skill_begins_and_its_commands_run_in_later_turns(
    client: Client, api: Api, logbook: Logbook, name: str
) -> None:
    """A skill the person types reaches the model; later its commands run without a question.

    Claude Code is in its default mode, and nothing is allowed by option. What throws work away
    or installs is asked about: that is the sibling.
    """
    plugin_command_alone(client)
    write_progress(client.project, (3, 4))
    sid = new_id()
    commands = prescribed(name)
    with Conversation(client, sid, allowed=("Read",)) as session:
        session.say(f"/journal:{name} x")
        # The cycle has begun with the command: at the end of the turn the gate asks about its stage.
        assert len(api.talk) == (2 if name == "dev-cycle" else 1)
        assert any(f"<command-name>/journal:{name}" in str(m) for m in api.last.messages)
        (expanded,) = logbook.events("command.expanded")
        assert re.search(rf"\bjournal:{name}\b", str(expanded))
        api.script(*(call("Bash", command=each, description="d") for each in commands), "End.")
        session.say("go on")
    results = outcomes(client, sid)
    assert set(results) == set(commands)
    for command, result in results.items():
        words = " ".join(shlex.split(command.split("<<")[0])[1:3])
        left = any(words.startswith(asked) for asked in ASKED)
        assert ("approval" in result) == left, (command, result)


def test_what_the_skills_cost(client: Client, api: Api) -> None:
    """Each request names the skills Claude may load; the test prints and bounds their cost."""
    client.say("hello", new_id())
    text = api.requests[0].text
    listed = [line for line in text.splitlines() if line.lstrip().startswith("- journal:")]
    assert len(listed) == sum("disable-model-invocation" not in read(n).fields for n in NAMES)
    tokens = estimate_tokens("\n".join(listed), 4)
    print(f"\nskills: {tokens} tokens per request, {len(listed)} listed of {len(NAMES)}")
    assert tokens < MOST
