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
from .work import plugin_command_alone

if TYPE_CHECKING:
    from .api import Api
    from .client import Client

pytestmark = pytest.mark.client

ASKED = ("progress discard", "stage abandon", "setup")
HARD = 'it\'s {"a": "b"}, `x` and $HOME\n{\'c\'}'
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


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_prescribes_runs_in_later_turns(client: Client, api: Api, name: str) -> None:
    """The person starts the skill; in the next turn its commands run without a question.

    Claude Code is in its default mode, and nothing is allowed by option. What throws work away
    or installs is asked about: that is the sibling.
    """
    plugin_command_alone(client)
    sid = new_id()
    commands = prescribed(name)
    api.script(
        "Begun.", *(call("Bash", command=each, description="d") for each in commands), "End."
    )
    client.say(f"/journal:{name} x", sid, allowed=("Read",))
    client.say("go on", sid, allowed=("Read",))
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
