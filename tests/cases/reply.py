"""What a hook answered, as Claude Code reads it."""

from __future__ import annotations

import json


class Reply:
    """The result of one hook call: its bytes, and how the client would read them."""

    def __init__(self, event: str, out: bytes, err: bytes = b"", code: int = 0) -> None:
        self.event = event
        self.out = out.decode("utf-8")
        self.err = err.decode("utf-8", "replace")
        self.code = code

    @property
    def output(self) -> dict:
        """Parsed stdout; {} for silence or plain text."""
        return json.loads(self.out) if self.out.startswith("{") else {}

    @property
    def context(self) -> str:
        """Text that reaches the model."""
        return self.output.get("hookSpecificOutput", {}).get("additionalContext", "")

    @property
    def message(self) -> str:
        """Text that the person sees."""
        return self.output.get("systemMessage", "")

    @property
    def text(self) -> str:
        """All of its text, for Claude and for the person."""
        return "\n".join(
            filter(None, (self.context, self.message, "" if self.output else self.out))
        )

    def __repr__(self) -> str:
        return f"{self.event}: {self.out or 'silent'}"
