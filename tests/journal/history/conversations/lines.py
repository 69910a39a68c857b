"""Transcript lines as Claude Code writes them, and a file of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

SID = "5a09394c-e64a-4d44-8a93-8acd0714d446"


def at(second: int) -> str:
    """Return a time, some seconds after the start."""
    return f"2026-11-20T10:{second // 60:02d}:{second % 60:02d}.000Z"


def line(kind: str, second: int, content: Any = None, **more: Any) -> dict[str, Any]:
    """Return a line; `content` is that of its message."""
    made = {"type": kind, "uuid": f"{kind}-{second}", "sessionId": SID, "timestamp": at(second),
            "cwd": "/home/dev/shop", "gitBranch": "main", **more}  # fmt: skip
    if content is not None:
        made["message"] = {"role": kind, "content": content, **made.pop("message", {})}
    return made


def prompt_line(second: int, text: Any, **more: Any) -> dict[str, Any]:
    """Return the line of a prompt."""
    return line("user", second, text, **more)


def reply_line(
    second: int, *blocks: Any, name: str = "", out: int = 10, **more: Any
) -> dict[str, Any]:
    """Return a line of a reply with texts and blocks."""
    content = [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]
    usage = {"input_tokens": 5, "output_tokens": out, "cache_read_input_tokens": 1000}
    stop = "tool_use" if any(not isinstance(one, str) for one in blocks) else "end_turn"
    message = {
        "id": name or f"msg-{second}",
        "model": "claude-opus-5-5",
        "usage": usage,
        "stop_reason": stop,
    }
    return line("assistant", second, content, message=message, requestId=name, **more)


def use(name: str, number: str, **given: Any) -> dict[str, Any]:
    """Return the block of a tool call."""
    return {"type": "tool_use", "id": number, "name": name, "input": given}


def got(second: int, number: str, text: Any, *, error: bool = False, **more: Any) -> dict[str, Any]:
    """Return the line of a tool's result."""
    block = {"type": "tool_result", "tool_use_id": number, "content": text, "is_error": error}
    return line("user", second, [block], **more)


def compacted(second: int, summary: str, **meta: Any) -> list[dict[str, Any]]:
    """Return the two lines of a compaction."""
    facts = {"trigger": "auto", "preTokens": 167_000, "postTokens": 12_000, **meta}
    return [line("system", second, subtype="compact_boundary", compactMetadata=facts),
            prompt_line(second, summary, isCompactSummary=True)]  # fmt: skip


def written(path: Path, *lines: dict[str, Any] | str | bytes) -> Path:
    """Write lines to a file, a text unchanged; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for one in lines:
            raw = json.dumps(one).encode() if isinstance(one, dict) else one
            file.write((raw.encode() if isinstance(raw, str) else raw) + b"\n")
    return path
