"""Servers for the tests: the application in this process, and one in a separate process."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.cases.world import ROOT
from tests.cli.conftest import SID, Workspace, play, workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

__all__ = ["HOST", "PORT", "TOKEN", "Asker", "asking", "ran", "workspace"]

PORT = 3048
HOST = f"127.0.0.1:{PORT}"
TOKEN = "a-token-for-tests-0123456789"
OTHER = "0ther000-b528-49db-9cf4-92a4658e0b0f"


def ran(asked: Coroutine[Any, Any, Any]) -> Any:
    """Run to its end in a thread of its own: a browser's driver may keep this one's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asked).result()


class Asker:
    """The application of a home in this process. user: who sends the requests, None unknown."""

    def __init__(self, home: str, env: dict[str, str], user: int | None = 0) -> None:
        from cli.serve.app import build_app
        from cli.serve.token import Token

        self.app = build_app(home, env, port=PORT, token=Token(TOKEN), page=False,
                             owner=lambda *_: user)  # fmt: skip
        self.index = self.app.state.service.index

    def ask(self, method: str, path: str, *, token: str = "", **more: Any) -> Any:
        """Send one request; return the response."""
        import httpx

        async def asked() -> Any:
            transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                given = more.pop("headers", {})
                headers = list(given.items() if isinstance(given, dict) else given)
                if token:
                    headers.append(("Authorization", f"Bearer {token}"))
                return await client.request(method, path, headers=headers, **more)

        return ran(asked())

    def get(self, path: str, **params: Any) -> Any:
        """Send a GET request; return the response."""
        return self.ask("GET", path, params=params or None)  # {} would drop those of the path

    def post(self, path: str, body: Any) -> Any:
        """Send a POST request with the token; return the response."""
        return self.ask("POST", path, json=body, token=TOKEN)


def two_sessions(workspace: Workspace) -> Workspace:
    """Play the recorded session to its end, then a second one that stays open."""
    play(workspace)
    after = workspace.env["JOURNAL_NOW"]
    workspace.at(1795)
    workspace.hook("SessionEnd", SID, reason="other")
    workspace.env["JOURNAL_NOW"] = after
    workspace.hook("SessionStart", OTHER, source="startup", model="claude-opus-4-1")
    workspace.hook("UserPromptSubmit", OTHER, prompt="Why is the total wrong?")
    workspace.hook("PostToolUse", OTHER, tool_name="Read", tool_use_id="t1",
               tool_input={"file_path": str(workspace.project / "total.py")},
               tool_response={"file": {"content": "x"}})  # fmt: skip
    return workspace


@pytest.fixture
def played(workspace: Workspace) -> Workspace:
    """Give a home with two sessions."""
    return two_sessions(workspace)


@contextmanager
def asking(played: Workspace, user: int | None = 0) -> Iterator[Asker]:
    """Run the application of a home in this process. user: see `Asker`."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    found = Asker(str(played.home), played.env, user)
    yield found
    found.index.close()


@pytest.fixture
def asker(played: Workspace) -> Iterator[Asker]:
    """Ask the application of that home."""
    with asking(played) as found:
        yield found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A home with two sessions, shared by a file whose tests do not depend on its state."""
    return two_sessions(Workspace(str(tmp_path_factory.mktemp("serve"))))


@pytest.fixture(scope="module")
def api(home: Workspace) -> Iterator[Asker]:
    """The application of that home, asked by the user who serves."""
    with asking(home) as found:
        yield found


@pytest.fixture
def events(played: Workspace) -> Callable[[], list[bytes]]:
    """Return the journal's current records."""
    return lambda: played.segment.read_bytes().splitlines()


@contextmanager
def serving(
    workspace: Workspace, *words: str, **env: str
) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run `journal serve` in a separate process; yield it and the first lines it printed."""
    command = [sys.executable, "-m", "cli", "serve", *words]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**workspace.env, "PYTHONPATH": str(ROOT), **env},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield process, [process.stdout.readline() for _ in range(3)]
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGTERM)
        process.communicate(timeout=60)


assert SID != OTHER
