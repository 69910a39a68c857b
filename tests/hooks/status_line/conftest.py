"""What Claude Code gives the status line, for its tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hooks.status_line.line import show
from journal.log.read import Reader
from journal.log.record import unframe

ROOT = Path(__file__).parents[3]
ENTRY = [sys.executable, "-I", "-S", str(ROOT / "hooks" / "statusline.py")]


class Client:
    """A project and a journal home; `line(...)` returns the line printed for a reading."""

    def __init__(self, top: Path) -> None:
        self.home = top / "journal"
        self.project = top / "shop"
        (self.project / ".git").mkdir(parents=True)
        self.env = {"HOME": str(top), "JOURNAL_HOME": str(self.home), "NO_COLOR": "1",
                    "COLUMNS": "120", "JOURNAL_NOW": "2026-11-21T09:00:00Z",
                    "CLAUDE_CONFIG_DIR": str(top / "claude"), "PATH": os.environ["PATH"],
                    "TZ": "UTC"}  # fmt: skip

    def input(self, tokens: int | None = 42_000, **changes: object) -> dict:
        """Build the client's status line input; tokens None is what it sends before a reply."""
        usage = None if tokens is None else {
            "input_tokens": tokens, "output_tokens": 0, "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        }  # fmt: skip
        return {
            "session_id": "s1", "cwd": str(self.project), "version": "2.1.330",
            "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
            "workspace": {"current_dir": str(self.project), "project_dir": str(self.project)},
            "context_window": {"context_window_size": 1_000_000, "current_usage": usage,
                               "used_percentage": None if tokens is None else tokens // 10_000},
            **changes,
        }  # fmt: skip

    def line(self, tokens: int | None = 42_000, **changes: object) -> str:
        """Return the printed line, from a call in this process."""
        return show(json.dumps(self.input(tokens, **changes)).encode(), self.env)

    def run(self, raw: bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
        """Run the program the client runs."""
        return subprocess.run(ENTRY, input=raw, capture_output=True, check=False, timeout=30,
                              env={**self.env, **env}, cwd=self.project)  # fmt: skip

    def samples(self) -> list[dict]:
        """Readings in the journal."""
        if not self.home.exists():
            return []
        found = next(self.home.glob("shop-*"), None)
        every = [unframe(line) for _, line in Reader(str(found))] if found else []
        return [event for event in every if event["type"] == "pressure.sampled"]


@pytest.fixture
def client(tmp_path: Path) -> Client:
    """A project and a journal home of the test's own."""
    return Client(tmp_path)
