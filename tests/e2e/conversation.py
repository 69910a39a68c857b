"""Runs several turns of a session in one process of the client, as the Agent SDK does.

Invariant: a prompt is sent when the turn before it has its result.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Self

from .client import PATIENCE, TOOLS, Run, decoded, faults_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .client import Client


class Conversation:
    """A running session: `with Conversation(client, sid) as session`, then say prompts.

    What the client writes to the transcript is complete when the conversation has ended.
    """

    def __init__(
        self,
        client: Client,
        sid: str,
        *args: str,
        fork_of: str | None = None,
        allowed: Sequence[str] = TOOLS,
        check: bool = True,
    ) -> None:
        self.client = client
        self._check = check
        self._debug = client.debug_file()
        self._errors = self._debug.with_suffix(".stderr")
        argv = client.command(sid, "-p", "--debug-file", str(self._debug), fork_of=fork_of)
        self._argv = [*argv, "--input-format", "stream-json", *args, "--allowedTools", *allowed]

    def __enter__(self) -> Self:
        with self._errors.open("w", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                self._argv,
                cwd=self.client.project,
                env=self.client.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        return self

    def say(self, prompt: str | list[dict[str, Any]]) -> Run:
        """Send a prompt, as text or as content blocks; return what the client prints until the turn has its result."""
        assert self._process.stdin
        assert self._process.stdout
        message = {"role": "user", "content": prompt}
        printed = []
        guard = threading.Timer(PATIENCE, self._kill)
        guard.start()
        try:
            self._process.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
            self._process.stdin.flush()
            for line in self._process.stdout:
                printed += decoded([line])
                if printed and printed[-1].get("type") == "result":
                    return Run(0, printed, "", [])
        finally:
            guard.cancel()
        raise AssertionError(f"{prompt!r} got no result: {printed} {self._errors.read_text()}")

    def __exit__(self, raised: object, *_: object) -> None:
        if raised:
            self._kill()
        try:
            self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.communicate()
        if self._check and raised is None:
            code, faults = self._process.returncode, faults_in(self._debug)
            assert code == 0, f"claude -p ended with {code}: {self._errors.read_text()}"
            assert not faults, "\n".join(faults)

    def _kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)


def converse(client: Client, sid: str, *prompts: str | list[dict[str, Any]]) -> list[Run]:
    """Run turns with these prompts in one process."""
    with Conversation(client, sid) as session:
        return [session.say(prompt) for prompt in prompts]
