"""Events of Claude Code for the tests of the warm child, and the log they lead to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cases.world import World


BASH = {"tool_name": "Bash", "tool_input": {"command": "ls é"}, "prompt_id": "p1"}


def raw(world: World, hook: str, **fields: object) -> bytes:
    """Build what Claude Code writes for one event."""
    known = {
        "session_id": world.sid, "transcript_path": str(world.transcript()),
        "cwd": str(world.project), "hook_event_name": hook,
    }  # fmt: skip
    return json.dumps({**known, **fields}, separators=(",", ":")).encode() + b"\n"


def tool(world: World, number: int) -> bytes:
    """Build a tool call that is unlike any other."""
    return raw(world, "PostToolUse", **BASH, tool_response={}, tool_use_id=f"toolu_{number}")
