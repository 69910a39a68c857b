"""The server of `journal mcp` in the real client, configured by --mcp-config alone."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from .api import call
from .client import REPO, new_id

if TYPE_CHECKING:
    from .api import Api
    from .client import Client

pytestmark = pytest.mark.client

TOOLS = {f"mcp__journal__{name}" for name in ("recall", "get", "note", "status")}


def test_the_client_lists_and_calls_the_tools(client: Client, api: Api) -> None:
    """The client knows the four tools; a note is recorded for its session and can be read back."""
    server = {
        "command": sys.executable,
        "args": ["-m", "cli", "mcp"],
        "env": {"PYTHONPATH": str(REPO)},
    }
    config = json.dumps({"mcpServers": {"journal": server}})
    given = {"kind": "decision", "text": "carts are rounded once"}
    api.script(call("mcp__journal__note", **given), call("mcp__journal__status"), "Done.")
    sid = new_id()
    run = client.say("go", sid, "--mcp-config", config, allowed=[*TOOLS])
    start = next(line for line in run.lines if line.get("subtype") == "init")
    assert set(start["tools"]) >= TOOLS
    results = [
        json.dumps(block["content"])
        for line in client.transcript(sid)
        for block in (line.get("message") or {}).get("content") or ()
        if isinstance(block, dict) and block.get("type") == "tool_result"
    ]
    assert f"a decision of session {sid}" in results[0]
    assert "carts are rounded once" in results[1]
