"""Log and transcript of the real client agree: reconciliation adds nothing to a complete log."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .api import call
from .client import REPO, new_id
from .conversation import converse

if TYPE_CHECKING:
    from .api import Api
    from .client import Client

pytestmark = pytest.mark.client


def background(client: Client, sid: str) -> list[dict[str, Any]]:
    """Run the background handler of a turn's end; return the events it has added so far."""
    data = {"hook_event_name": "Stop", "session_id": sid, "cwd": str(client.project)}
    run = f"import os; from hooks.background import run_background as go; go({json.dumps(data).encode()!r}, os.environ)"
    code, _, err = client.run([sys.executable, "-c", run], PYTHONPATH=str(REPO))
    assert code == 0, err
    logs = (client.home / ".claude" / "journal").glob("shop-*/active.jsonl")
    events = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    return [event for event in events if "via" in event]


def test_a_complete_log_stays_as_it_is(client: Client, api: Api) -> None:
    """Tools that work, fail and are refused, commands, a compaction, a resumption add nothing."""
    sid = new_id()
    api.script(
        call("Bash", command="echo one", description="d"),
        call("Bash", command="exit 3", description="d"),
        call("Read", file_path=str(client.project / "none.txt")),
        call("WebFetch", url="http://127.0.0.1:1/", prompt="x"),
        call("Agent", description="look", prompt="look around", subagent_type="general-purpose"),
        "Done.",
    )  # fmt: skip
    converse(client, sid, "work a little", "/compact", "/journal:get last")
    client.say("and once more", sid)
    assert background(client, sid) == []
