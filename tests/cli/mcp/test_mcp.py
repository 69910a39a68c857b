"""`journal mcp` as a real process: recorded exchanges, bad input, and what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cli.mcp.protocol import VERSIONS, answer
from cli.mcp.server import LONGEST
from journal.history.tools.run import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Workspace

ROOT = Path(__file__).parents[3]
SID = "c00f089c-b528-49db-9cf4-92a4658e0b0f"
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


def called(_name: str, _arguments: Any) -> Result:
    """Replace the tools by a stand-in."""
    return Result("done")


EXCHANGES: list[dict[str, Any]] = [
    hello(),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    PING,
    request("tools/list"),
    use("status"),
    use("recall", query="cart"),
    use("recall", query="carts", limit=0),
    use("get", source="8"),
    use("get", source="nothing"),
    use("note", kind="decision", text="carts are rounded once"),
    use("note", kind="item", text="round the total"),
    use("status"),
    use("forget"),
    request("resources/list"),
]


def test_a_session_of_a_client(played: Workspace, golden: Callable[[str, str], None]) -> None:
    """A whole session's exchange equals the recorded one."""
    answers = serve(played, *EXCHANGES, CLAUDE_CODE_SESSION_ID=SID)
    asked = [one for one in EXCHANGES if "id" in one]
    assert len(answers) == len(asked)
    shown = []
    for sent, got in zip(asked, answers, strict=True):
        shown += [f"> {json.dumps(sent)}", json.dumps(got, indent=1, ensure_ascii=False), ""]
    golden("mcp", played.plain("\n".join(shown)))


def test_each_result_is_text_alone(played: Workspace) -> None:
    """A result has content of type text and no structured content, even if a tool fails."""
    answers = serve(
        played, use("status"), use("recall", query="cart"), use("get", source="2"), use("get")
    )
    assert [result(one) != "" for one in answers] == [True] * 4
    assert [one["result"]["isError"] for one in answers] == [False, False, False, True]


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        *((version, version) for version in VERSIONS),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ],
)
def test_the_version_is_negotiated(asked: str, spoken: str) -> None:
    """The server accepts a version it knows; for any other it offers its newest."""
    answered = answer(json.dumps(hello(asked)).encode(), called)
    assert answered["result"]["protocolVersion"] == spoken
    assert answered["result"]["capabilities"] == {"tools": {}}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"garbage", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"3", -32600),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"initialize"}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["x"]}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/unheard-of"}', -32601),
    ],
)
def test_errors_by_the_specification(line: bytes, code: int) -> None:
    """A faulty message gets one error with the JSON-RPC code."""
    assert answer(line, called)["error"]["code"] == code


@pytest.mark.parametrize(
    "line",
    [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "status"}},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "x"}},
    ],
)
def test_notifications_and_answers_get_no_answer(line: dict[str, Any]) -> None:
    """Cancellations and other messages without an answer get none."""
    assert answer(json.dumps(line).encode(), called) is None


def test_a_batch_is_answered_as_one() -> None:
    """A batch in older versions gets one list, without its notifications."""
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answered = answer(json.dumps([PING, note, use("status")]).encode(), called)
    assert [one["id"] for one in answered] == ["p", 1]
    assert answer(json.dumps([note]).encode(), called) is None


def test_a_tool_that_breaks_is_an_error_of_the_server() -> None:
    """A fault in a tool fails only its own call, and the error names only its kind."""

    def broken(_name: str, _arguments: Any) -> Result:
        raise ZeroDivisionError("secret")

    answered = answer(json.dumps(use("status")).encode(), broken)
    assert answered["error"] == {"code": -32603, "message": "Internal error: ZeroDivisionError"}


def test_bad_and_giant_lines_cost_no_other_line(workspace: Workspace) -> None:
    """After garbage, a blank line and an overlong line the next request is answered."""
    giant = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (3 * LONGEST) + b'"}'
    answers = serve(workspace, b"garbage", b"", giant, PING)
    assert [one.get("error", {}).get("code") for one in answers] == [-32700, -32600, None]
    assert answers[-1] == {"jsonrpc": "2.0", "id": "p", "result": {}}


def test_a_note_belongs_to_the_session_of_the_clients_process(played: Workspace) -> None:
    """After /clear the environment names the old session; the client's process the new one."""
    code = (
        "import json, os, subprocess, sys\n"
        "from hooks.capture import capture\n"
        "env = {**os.environ, 'CLAUDE_PID': str(os.getpid())}\n"
        "for sid, source in (('one', 'startup'), ('two', 'clear')):\n"
        "    data = {'session_id': sid, 'hook_event_name': 'SessionStart', 'source': source,\n"
        "            'cwd': os.getcwd()}\n"
        "    capture(json.dumps(data).encode(), env)\n"
        "ran = subprocess.run([sys.executable, '-m', 'cli', 'mcp'], input=sys.argv[1].encode(),\n"
        "                     capture_output=True, check=True)\n"
        "print(ran.stdout.decode())\n"
    )
    message = json.dumps(use("note", kind="entry", text="x"))
    env = {**played.env, "PYTHONPATH": str(ROOT), "CLAUDE_CODE_SESSION_ID": "one"}
    ran = subprocess.run(
        [sys.executable, "-c", code, message], env=env, cwd=played.project, capture_output=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert "of session two" in result(json.loads(ran.stdout))


def test_another_project_can_be_named(played: Workspace) -> None:
    """With --project the tools use that directory, wherever the server was started."""
    other = played.top / "other"
    (other / ".git").mkdir(parents=True)
    [answered] = serve(played, use("status"), words=("--project", str(other)))
    assert "no journal" in result(answered)


def test_it_starts_without_typer_and_database() -> None:
    """Before the first tool call neither typer, a typed library nor a database is loaded."""
    code = (
        "import json, sys\n"
        "from cli.__main__ import main\n"
        "sys.argv = ['journal', 'mcp']\n"
        "main()\n"
        "slow = {'typer', 'duckdb', 'sqlite3', 'msgspec', 'asyncio', 'click'}\n"
        "print(sorted(slow & set(sys.modules)), file=sys.stderr)\n"
    )
    lines = f"{json.dumps(hello())}\n{json.dumps(request('tools/list'))}\n"
    ran = subprocess.run(
        [sys.executable, "-c", code], input=lines, env={"PYTHONPATH": str(ROOT)}, text=True,
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert ran.stderr == "[]\n"
    assert len(ran.stdout.splitlines()) == 2
