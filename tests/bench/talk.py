"""Make transcripts full of text: pieces of this repository's documents and code.

`tests.tools.transcripts` repeats thirty words; here most words are rare, as in real conversations.
"""

from __future__ import annotations

import json
import random
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def write(client: Path, *, sessions: int, turns: int, seed: int = 5) -> int:
    """Write `sessions` transcripts below `client`; return their total size in bytes."""
    drawn = random.Random(seed)
    sources = sorted(
        (*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), *ROOT.glob("[chjpt]*/**/*.py"))
    )
    text = "".join(
        path.read_text(errors="replace") for path in sources if "node_modules" not in path.parts
    )
    folder = client / "projects" / "-srv-talk"
    folder.mkdir(parents=True)
    size = 0
    for number in range(sessions):
        sid = str(uuid.UUID(int=drawn.getrandbits(128)))
        rows = _session(drawn, text, sid, f"2026-11-{1 + number % 20:02}", turns)
        size += (folder / f"{sid}.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows)
        )
    return size


def _session(
    drawn: random.Random, text: str, sid: str, day: str, turns: int
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []

    def said(least: int, most: int) -> str:
        size = drawn.randint(least, most)
        at = drawn.randrange(len(text) - size)
        return text[at : at + size]

    def add(kind: str, content: Any, **message: Any) -> None:
        rows.append({
            "type": kind, "sessionId": sid, "cwd": "/srv/talk", "gitBranch": "main", "isSidechain": False,
            "uuid": f"u{len(rows)}-{sid}", "timestamp": f"{day}T{len(rows) // 3600:02}:{len(rows) // 60 % 60:02}:"
            f"{len(rows) % 60:02}.000Z", "message": {"role": kind, "content": content, **message},
        })  # fmt: skip

    for _ in range(turns):
        add("user", said(60, 1500))
        for step in range(drawn.randint(1, 4), -1, -1):
            use = f"toolu_01{drawn.getrandbits(90):x}"
            of = {"id": f"msg_{use}", "model": "claude-opus-5-5", "stop_reason": "tool_use" if step else "end_turn",
                  "usage": {"input_tokens": 5, "output_tokens": 90, "cache_read_input_tokens": 20_000}}  # fmt: skip
            add("assistant", [{"type": "text", "text": said(100, 2500)}], **of)
            if step:
                given = {"command": said(80, 80), "description": said(40, 40)}
                add(
                    "assistant",
                    [{"type": "tool_use", "id": use, "name": "Bash", "input": given}],
                    **of,
                )
                add(
                    "user",
                    [{"type": "tool_result", "tool_use_id": use, "content": said(100, 4000)}],
                )
    return rows
