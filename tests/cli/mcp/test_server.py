"""The server as a process: its lines, its project and session, and what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cli.mcp import server
from cli.mcp.server import LONGEST
from journal.errors import UsageError
from tests.cli.mcp.exchange import PING, ROOT, hello, request, result, serve, use

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Workspace


def test_bad_and_giant_lines_cost_no_other_line(workspace: Workspace) -> None:
    """After garbage, a blank line and an overlong line the next request is answered."""
    giant = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (3 * LONGEST) + b'"}'
    answers = serve(workspace, b"garbage", b"", giant, PING)
    assert [one.get("error", {}).get("code") for one in answers] == [-32700, -32600, None]
    assert answers[-1] == {"jsonrpc": "2.0", "id": "p", "result": {}}


def test_a_project_that_is_no_directory() -> None:
    """It is a wrong command line like any other, found before anything is read."""
    with pytest.raises(UsageError, match="--project /nowhere"):
        server.serve({}, "/nowhere")


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


def test_a_client_without_sessions_has_one(played: Workspace) -> None:
    """What it notes, open items too, belongs to a session of its own; the next start recalls it."""
    notes = [use("note", kind=kind, text="tariffs are gross") for kind in ("decision", "item")]
    decided, opened = map(result, serve(played, *notes))
    sid = decided.split(" of session ")[1].split(":")[0]
    assert sid in opened
    [found] = map(result, serve(played, use("recall", query="tariffs")))
    assert f"source: {sid}" in found


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


SID = "c00f089c-b528-49db-9cf4-92a4658e0b0f"
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
