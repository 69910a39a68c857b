"""Replay hook input recorded from the real client in a test world, at its original times.

The transcript grows as it did then: at each call it holds only the lines written by that time.
"""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.cases.world import ROOT

if TYPE_CHECKING:
    from tests.cases.reply import Reply
    from tests.cases.world import World

PAYLOADS = ROOT / "tests" / "fixtures" / "payloads"
STREAMS = (
    "headless-auto-compact-mid-turn",
    "headless-work-and-manual-compact",
    "interactive-compact-command-clear-exit",
)
WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
"""The window the recordings were made with; Claude Code then compacts at 67,000 tokens."""


class Call:
    """One recorded call: ms (epoch), event, the payload and its session."""

    def __init__(self, line: str) -> None:
        recorded = json.loads(line)
        self.ms: int = recorded["ms"]
        self.payload: dict = recorded["in"]
        self.event: str = self.payload["hook_event_name"]
        self.sid: str = self.payload["session_id"]

    def __repr__(self) -> str:
        return f"{self.event}@{self.ms}"


def recorded(name: str) -> list[Call]:
    """Load one stream."""
    text = (PAYLOADS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [Call(line) for line in text.splitlines()]


class Replay:
    """Feeds recorded calls to a world's hook command."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.world.more = dict(WINDOW)
        self._lines: dict[str, list[tuple[int, str]]] = {}

    def feed(self, call: Call) -> Reply:
        """Replay one call at its own time."""
        self.world.now = datetime.fromtimestamp(call.ms / 1000, UTC)
        self._grow(call)
        raw = json.dumps(call.payload).replace("/home/dev", str(self.world.home))
        self._write(json.loads(raw))
        return self.world.feed(raw.encode(), call.event)

    def _write(self, given: dict[str, Any]) -> None:
        if given.get("tool_name") == "Write" and given["hook_event_name"] == "PostToolUse":
            path = Path(given["tool_input"]["file_path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(given["tool_input"]["content"], encoding="utf-8")

    def _grow(self, call: Call) -> None:
        path = PAYLOADS / "transcripts" / f"{call.sid}.jsonl"
        if call.sid not in self._lines:
            self._lines[call.sid] = _dated(path.read_text(encoding="utf-8").splitlines())
        lines = [line for ms, line in self._lines[call.sid] if ms <= call.ms]
        target = self.world.home / ".claude" / "projects" / "-home-dev-shop" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if lines:
            target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _dated(lines: list[str]) -> list[tuple[int, str]]:
    """Give each line the time it was written; a line without one gets that of the line before."""
    ms = 0
    dated = []
    for line in lines:
        stamp = json.loads(line).get("timestamp")
        if stamp:
            ms = round(datetime.fromisoformat(stamp).timestamp() * 1000)
        dated.append((ms, line))
    return dated


def remove(world: World) -> None:
    """Remove a world made outside pytest's own folders."""
    assert "journal-test-" in world.base.name
    shutil.rmtree(world.base, ignore_errors=True)
