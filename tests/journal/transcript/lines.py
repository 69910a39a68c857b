"""Lines of a transcript, as the client writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RECORDED = Path(__file__).parents[2] / "fixtures" / "payloads" / "transcripts"
AT = "2026-11-21T20:50:26.220Z"


def assistant(tokens: int = 3000, text: str = "Done.", **over: object) -> dict:
    """Return an assistant line as the client writes it, with `tokens` of input and 65 others."""
    usage = {
        "input_tokens": tokens,
        "cache_creation_input_tokens": 10,
        "cache_read_input_tokens": 5,
        "output_tokens": 50,
    }
    message = {
        "model": over.pop("model", "claude-opus-5-5"),
        "id": over.pop("id", "msg_1"),
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "usage": over.pop("usage", usage),
    }
    return {
        "isSidechain": False,
        "type": "assistant",
        "message": message,
        "timestamp": AT,
        "requestedModel": "claude-opus-5-5[1m]",
        **over,
    }


def boundary(post: object = 2646, pre: object = 70090, **over: object) -> dict:
    """Return a compact_boundary line."""
    detail = {"trigger": "auto", "preTokens": pre, "postTokens": post}
    return {
        "isSidechain": False,
        "type": "system",
        "subtype": "compact_boundary",
        "compactMetadata": detail,
        "timestamp": AT,
        **over,
    }


def user(content: object, **over: object) -> dict:
    """Return a user line: a prompt or a tool result."""
    return {
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": content},
        **over,
    }


def result(text: str, **over: object) -> dict:
    """Return a tool result whose output is `text`."""
    return user([{"type": "tool_result", "tool_use_id": "t", "content": text}], **over)


def compact(*lines: dict | bytes) -> bytes:
    """Return the lines as the client writes them: no spaces, one newline each."""
    return b"".join(
        line + b"\n"
        if isinstance(line, bytes)
        else json.dumps(line, separators=(",", ":")).encode() + b"\n"
        for line in lines
    )


@pytest.fixture
def write(tmp_path: Path):
    """Return a function that writes a transcript and returns its path."""

    def put(*lines: dict | bytes, end: bytes = b"") -> str:
        path = tmp_path / "session.jsonl"
        path.write_bytes(compact(*lines) + end)
        return str(path)

    return put
