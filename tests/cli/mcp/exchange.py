"""Messages of a client, and a server process that answers them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

ROOT = Path(__file__).parents[3]
PING = {"jsonrpc": "2.0", "id": "p", "method": "ping"}


def request(method: str, **params: Any) -> dict[str, Any]:
    """Build a request with the id 1."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def use(name: str, **arguments: Any) -> dict[str, Any]:
    """Build a call to a tool."""
    return request("tools/call", name=name, arguments=arguments)


def hello(version: str = "2025-06-18") -> dict[str, Any]:
    """Build the request every client starts with."""
    client = {"name": "test", "version": "1"}
    return request("initialize", protocolVersion=version, capabilities={}, clientInfo=client)


def serve(
    workspace: Workspace,
    *lines: bytes | dict[str, Any] | list[Any],
    words: tuple[str, ...] = (),
    **env: str,
) -> list[Any]:
    """Send lines to a server process and return its answers; it must exit cleanly."""
    sent = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    ran = subprocess.run(
        [sys.executable, "-m", "cli", "mcp", *words], input=b"\n".join(sent) + b"\n",
        env={**workspace.env, "PYTHONPATH": str(ROOT), **env}, cwd=workspace.project,
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, b""), ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def result(answered: dict[str, Any]) -> str:
    """Return the text of a tool's answer, which must contain text alone."""
    assert set(answered["result"]) == {"content", "isError"}
    [content] = answered["result"]["content"]
    assert content["type"] == "text"
    return str(content["text"])
