"""A home, a project, a transcript and repeatable hook calls for the benches."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from journal.home import project_of

ROOT = Path(__file__).resolve().parents[2]
HOOK = (sys.executable, "-I", "-S", str(ROOT / "hooks" / "run.py"))
FLOOR = (sys.executable, "-I", "-S", "-c", "pass")
NOW = "2026-11-21T20:31:13.000Z"
_numbers = itertools.count()


class Stage:
    """An isolated home with one project."""

    def __init__(self, tmp: Path) -> None:
        self.home = tmp / "home"
        self.project = tmp / "shop"
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.home.mkdir()
        self.transcript = tmp / "transcript.jsonl"
        self.env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "JOURNAL_NOW": NOW,
                    "CLAUDE_PROJECT_DIR": str(self.project)}  # fmt: skip
        name = project_of(str(self.project), self.env).name
        self.journal = self.home / ".claude" / "journal" / name

    def usage(self, tokens: int) -> None:
        """Make the transcript end with a reply of this size."""
        line = {"type": "assistant", "timestamp": NOW, "message": {
            "id": f"m{next(_numbers)}", "role": "assistant", "model": "claude-sonnet-4-6",
            "content": [{"type": "text", "text": "ok"}],
            "usage": {"input_tokens": tokens, "output_tokens": 1}}}  # fmt: skip
        self.transcript.write_text(json.dumps(line) + "\n")

    def payload(self, hook: str, session: str = "warned", **more: object) -> bytes:
        """Return the input of one hook call, different from all before."""
        number = next(_numbers)
        body = {"session_id": session, "transcript_path": str(self.transcript),
                "cwd": str(self.project), "prompt_id": f"p{number}", "hook_event_name": hook,
                **more}  # fmt: skip
        if hook == "PostToolUse":
            body |= {"tool_name": "Bash", "duration_ms": 5,
                     "tool_use_id": f"toolu_01Xy7Qm3kLp9Rs2Tv{number:05}",
                     "tool_input": {"command": "ls -la"}, "tool_response": {"stdout": "x" * 400}}  # fmt: skip
        if hook == "UserPromptSubmit":
            body |= {"prompt": f"please look at it again, number {number}"}
        return json.dumps(body).encode()

    def capture(self) -> bytes:
        """Return the input of a call that is only recorded: the context is nearly empty."""
        self.usage(20_000)
        return self.payload("PostToolUse", session="calm")

    def answer(self) -> bytes:
        """Return the input of a call that is answered: pressure has just crossed the urgent level."""
        self.usage(20_000)
        self.run(self.payload("UserPromptSubmit"))
        self.usage(156_000)
        return self.payload("UserPromptSubmit")

    def run(self, data: bytes, command: tuple[str, ...] = HOOK) -> tuple[float, bytes]:
        """Run one process; return its wall-clock seconds and stdout."""
        began = time.perf_counter()
        done = subprocess.run(command, input=data, env=self.env, capture_output=True, check=True)
        return time.perf_counter() - began, done.stdout

    def instructions(self, data: bytes, command: tuple[str, ...] = HOOK) -> int:
        """Return the instructions of one process as counted by valgrind (independent of other load)."""
        counted = subprocess.run(
            ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command),
            input=data, env=self.env, capture_output=True, check=True,
        )  # fmt: skip
        return int(counted.stderr.split(b"Collected : ")[1].split()[0])
