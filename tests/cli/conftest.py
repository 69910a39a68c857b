"""Fixtures of the command line's tests: a workspace, a recorded session in it, and a runner.

`GOLDEN=write pytest tests/cli` rewrites the golden files; check the difference before you commit.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from cli.demo import story
from hooks.capture import capture
from hooks.status_line.line import show
from journal.clock import iso, millis
from tests.support.command import Result, run_command
from tests.support.copied import Copied, copied, short_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GOLDEN = Path(__file__).parent / "golden"
START = "2026-11-21T09:00:00.000Z"
AFTER = "2026-11-21T10:00:00.000Z"
SID = "c00f089c-b528-49db-9cf4-92a4658e0b0f"


BIN = Path(__file__).parents[2] / "bin"
"""The folder of the command `journal`, which is on PATH."""


class Workspace:
    """A journal home and a project of its own; `journal(...)` runs a command line in them."""

    def __init__(self, top: str) -> None:
        self.top = Path(top)
        self.home = self.top / "journal"
        self.project = self.top / "shop"
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/discounts\n")
        self.transcript = self.top / "transcript.jsonl"
        self.held: IO[bytes] | None = None
        self.env = {
            "HOME": str(self.top / "home"),
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "JOURNAL_HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.top / "claude"),
            "JOURNAL_NOW": START,
            "COLUMNS": "80",
            "NO_COLOR": "1",
        }

    @property
    def directory(self) -> Path:
        """The journal of the project; it must be there."""
        return next(self.home.glob("shop-*"))

    @property
    def segment(self) -> Path:
        """The path of the active segment."""
        return self.directory / "active.jsonl"

    @property
    def last_event(self) -> dict[str, Any]:
        """The newest event, as `journal events --json` prints it."""
        return self.journal("events", "--json", "--limit", "1").data[0]

    def at(self, seconds: float) -> None:
        """Set the clock."""
        self.env["JOURNAL_NOW"] = iso((millis(START) or 0) + int(1000 * seconds))

    def hook(self, name: str, sid: str = SID, **more: Any) -> str:
        """Run one hook call; return its stdout."""
        data = {"session_id": sid, "cwd": str(self.project), "hook_event_name": name, **more}
        return capture(json.dumps(data).encode(), self.env)

    def journal(self, *words: str, stdin: str = "", cwd: Path | None = None, **env: str) -> Result:
        """Run a command line in this process."""
        return run_command(list(words), {**self.env, **env}, cwd or self.project, stdin=stdin)

    def plain(self, text: str) -> str:
        """Replace what varies from run to run: the directory, its digest, durations."""
        text = text.replace(str(self.top), "/tmp/jg-00000000")
        text = re.sub(r"shop-[0-9a-f]{8}", "shop-00000000", text)
        return re.sub(r"\b\d+\.\d{3} s\b", "0.000 s", text)


def play(workspace: Workspace) -> Workspace:
    """Run the demo's recorded session through the hooks, in this process."""

    def filled(value: Any) -> str:
        text = json.dumps(value).replace("$PROJECT", str(workspace.project))
        text = text.replace("$TRANSCRIPT", str(workspace.transcript))
        return text.replace("$NOW", workspace.env["JOURNAL_NOW"])

    for act in story():
        if "after" in act:
            workspace.at(act["after"])
        if "write" in act:
            path = workspace.project / act["write"]["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(act["write"]["text"])
        elif "reply" in act:
            with workspace.transcript.open("a") as file:
                file.write(filled(act["reply"]) + "\n")
        elif "line" in act:
            show(filled(act["line"]).encode(), workspace.env)
        elif "hook" in act:
            capture(filled(act["hook"]).encode(), workspace.env)
        elif "journal" in act:
            assert workspace.journal(*act["journal"], CLAUDE_CODE_SESSION_ID=SID).code == 0
    workspace.env["JOURNAL_NOW"] = AFTER
    return workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """An empty workspace."""
    top = short_folder()
    found = Workspace(str(top))
    yield found
    if found.held:
        found.held.close()
    assert top.name.startswith("jg-")
    shutil.rmtree(top)


@pytest.fixture(scope="session")
def recording() -> Iterator[Copied[Workspace]]:
    """The recorded session, played once."""
    yield from copied(lambda top: play(Workspace(str(top))))


@pytest.fixture
def played(recording: Copied[Workspace]) -> Iterator[Workspace]:
    """A workspace with the recorded session in it, an hour later."""
    found = recording.restore()
    yield found
    if found.held:
        found.held.close()


_AS_WANTED = "if this is as wanted, run: GOLDEN=write .venv/bin/python -m pytest tests/cli"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with a golden file, or write it with GOLDEN=write."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("GOLDEN") == "write":
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), _AS_WANTED

    return compare
