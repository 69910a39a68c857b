"""Lines of a transcript, as the client writes them."""

from __future__ import annotations

from typing import Any

from tests.journal.history.importer.conftest import SID


def reply(
    message: str,
    out: int = 10,
    *,
    stop: str | None = "tool_use",
    second: int = 0,
    sid: str = SID,
    **more: Any,
) -> dict[str, Any]:
    """Return one line of a reply."""
    return {
        "parentUuid": None, "isSidechain": False, "type": "assistant", "uuid": f"u-{message}-{second}-{out}", "sessionId": sid,
        "timestamp": f"2026-11-20T10:00:{second:02d}.000Z", "cwd": "/home/dev/shop", "requestId": f"req-{message}",
        "message": {"id": message, "model": "claude-opus-5-5", "role": "assistant", "stop_reason": stop, "content": [],
                    "usage": {"input_tokens": 5, "output_tokens": out, "cache_read_input_tokens": 1000}}, **more,
    }  # fmt: skip


def prompt(text: Any = "hello", number: int = 1, **more: Any) -> dict[str, Any]:
    """Return a line of the user's prompt."""
    return {"parentUuid": None, "type": "user", "uuid": f"p-{number}", "sessionId": SID, "timestamp": "2026-11-20T10:00:00.000Z",
            "cwd": "/home/dev/shop", "message": {"role": "user", "content": text}, **more}  # fmt: skip
