"""A session counts the same whether hooks recorded it or its transcript was imported."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .api import Reply, call
from .client import REPO, Client, new_id
from .conversation import converse

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api

pytestmark = pytest.mark.client

PIXEL = {
    "type": "base64",
    "media_type": "image/png",
    "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
}
COUNTED = "select prompts, turns, tools, failures, compactions from sessions"


def journal(client: Client, home: Path, *words: str) -> Any:
    """Run a command on a journal home; return its JSON."""
    code, out, err = client.run(
        [sys.executable, "-m", "cli", *words, "--json"],
        PYTHONPATH=str(REPO),
        JOURNAL_HOME=str(home),
    )
    assert code == 0, err
    return json.loads(out)


def test_both_ways_count_the_same(tmp_path: Path, api: Api, executable: Path) -> None:
    """Also of a session with a failed, an invalid and a refused call, a compaction and an image."""
    client = Client(tmp_path, api.url, executable, plugins=(REPO,))
    sid = new_id()
    file = client.project / "a.txt"
    file.write_text("one\n", encoding="utf-8")
    api.script(
        call("Bash", command="exit 3"),
        call("Edit", file_path=str(file), old_string="none", new_string="x"),
        call("Read", file_path=str(file)),
        call("WebFetch", url="http://127.0.0.1:1/x", prompt="y"),
        "It has one line.",
    )
    converse(client, sid, "Change the file", "/compact")
    converse(client, sid, "And now?", [{"type": "image", "source": PIXEL}])
    home = client.home / ".claude" / "journal"
    live = journal(client, home, "sql", COUNTED)
    assert live == [{"prompts": 3, "turns": 3, "tools": 2, "failures": 1, "compactions": 1}]
    assert journal(client, home, "import")
    assert journal(client, home, "sql", COUNTED) == live
    elsewhere = tmp_path / "another-home"
    assert journal(client, elsewhere, "import")
    assert journal(client, elsewhere, "sql", COUNTED) == live


@pytest.mark.long
def test_a_fork_a_subagent_and_an_empty_reply_count_the_same(
    tmp_path: Path, api: Api, executable: Path
) -> None:
    """Also where the session that was forked goes on, so that its transcript is the newer one."""
    client = Client(tmp_path, api.url, executable, plugins=(REPO,))
    first, fork, other = new_id(), new_id(), new_id()
    api.script(call("Bash", command="ls"), "It is listed.")
    client.say("List the folder", first)
    client.say("Try another way", fork, fork_of=first)
    client.say("Go on here", first)
    agent = call("Task", description="look", prompt="look", subagent_type="general-purpose")
    api.script(agent, call("Bash", command="ls"), "said", "done", Reply(text=""))
    converse(client, other, "Use a subagent", "Say nothing at first")
    counted = COUNTED.replace("compactions", "compactions, subagents, session") + " order by all"
    home, elsewhere = client.home / ".claude" / "journal", tmp_path / "another-home"
    live = journal(client, home, "sql", counted)
    numbers = {row["session"]: (row["prompts"], row["subagents"]) for row in live}
    assert numbers == {first: (2, 0), fork: (1, 0), other: (2, 1)}
    assert journal(client, home, "import")
    assert journal(client, home, "sql", counted) == live
    assert journal(client, elsewhere, "import")
    assert journal(client, elsewhere, "sql", counted) == live
