"""Start a warm child as the client's module does, and act as the module and the guard."""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from hooks.warm.call import answer
from hooks.warm.folder import Folder

if TYPE_CHECKING:
    from tests.cases.world import World

ROOT = Path(__file__).parents[3]
GUARD = ROOT / "hooks" / "guard.sh"
HOOK = [sys.executable, "-I", "-S", str(ROOT / "hooks" / "run.py")]
FOREVER = 60_000  # ms: a test on a slow machine is not late


class Child:
    """One child, whose client is this process. root: directory of the code it runs."""

    def __init__(self, world: World, root: Path = ROOT, **more: str) -> None:
        self.world = world
        self.numbers = itertools.count(1)
        self.silence = ""  # what the last reply said of tool calls to come
        data = world.base / "data"
        self.env = {
            **world.env(), "CLAUDE_PLUGIN_DATA": str(data), "CLAUDE_PID": str(os.getpid()), **more
        }  # fmt: skip
        self.folder = data / "warm" / str(os.getpid())
        self.start(root)

    def start(self, root: Path) -> None:
        """Start the process, and wait until it listens."""
        argv = [sys.executable, "-I", "-S", str(root / "hooks" / "warm" / "child.py")]
        self.process = subprocess.Popen(argv, env=self.env, stdout=subprocess.PIPE, cwd=root)
        assert self.process.stdout is not None
        self.socket = self.process.stdout.readline().decode().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()

    def ask(self, line: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
        """Send one request; return status and text, or (0, "") if nobody answered."""
        fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"{line} HTTP/1.1\r\n{fields}Content-Length: {len(body)}\r\n\r\n"
        received = self.exchange(head.encode() + body)
        if not received:
            return 0, ""
        head, _, text = received.decode().partition("\r\n\r\n")
        self.silence = head.partition("\r\nSilence: ")[2]
        return int(head.split()[1]), text

    def exchange(self, sent: bytes) -> bytes:
        """Send these bytes; return what was answered, nothing if nobody did."""
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(self.socket)
                connection.sendall(sent)
                return b"".join(iter(lambda: connection.recv(65536), b""))
            except OSError:
                return b""

    def post(
        self,
        raw: bytes,
        ahead: int = FOREVER,
        measured: str = "",
        number: str = "",
        toasts: str = "",
        answers: str = "",
    ) -> tuple[int, str]:
        """Send an event to the child as if it had been sent `ahead` ms from now."""
        sent = str(time.time_ns() // 1_000_000 + ahead)
        number = number or str(next(self.numbers))
        headers = {"sent": sent, "measured": measured, "toasts": toasts, "answers": answers}
        return self.ask(f"POST /{number}", raw, **headers)

    def taken(self, raw: bytes, measured: str = "") -> str | None:
        """Return the number of the answer, "" for none, None if the event is not recorded."""
        status, text = self.post(raw, measured=measured)
        return text if status == 200 else None

    def guard(self, raw: bytes, answer: str | None) -> bytes:
        """Run the command hook on an event, marked by the module or (None) not."""
        if answer is not None:
            raw = b'{"journal":"%s",' % answer.encode() + raw[1:]
        done = subprocess.run(
            ["sh", GUARD, *HOOK], input=raw, env=self.env, capture_output=True, check=True
        )
        assert not done.stderr
        return done.stdout

    def feed(self, raw: bytes) -> bytes:
        """Handle an event as the client does: first the module, then the command hook."""
        return self.guard(raw, self.taken(raw))


class Inline(Child):
    """The same answers in this process, for tests of what is answered."""

    def start(self, root: Path) -> None:
        """Make the folder of the answers."""
        self.answers = Folder(str(self.folder.parents[1]), os.getpid())

    def exchange(self, sent: bytes) -> bytes:
        """Answer as a call's fork does."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.sendall(sent)
            answer(theirs, self.answers, self.env)
            return b"".join(iter(lambda: ours.recv(65536), b""))

    def __exit__(self, *_: object) -> None:
        """Remove the folder; there is no process to end."""
        self.answers.close()
