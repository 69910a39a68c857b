"""Drives an interactive session of the client in its own terminal multiplexer.

Invariant: the server listens on a socket inside the test's folder, and only that server is ended.
"""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from .client import KEY, PATIENCE, VERSION, faults_in, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from .client import Client

PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
"""The character before the input box."""


def is_running(pid: str) -> bool:
    """Return whether a process runs: one that has ended has no command line, or no directory."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return False


class Terminal:
    """An interactive session: `with Terminal(client) as terminal`, then type and read."""

    def __init__(self, client: Client, *args: str, settings: dict[str, Any] | None = None) -> None:
        self.client = client
        self._debug = client.root / "debug-terminal.txt"
        self._args = ("--debug-file", str(self._debug), *args)
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "lastOnboardingVersion": VERSION,
            "customApiKeyResponses": {"approved": [KEY], "rejected": []},
            "projects": {str(client.project): {"hasTrustDialogAccepted": True}},
        }
        (client.home / ".claude.json").write_text(json.dumps(state), encoding="utf-8")
        if settings is not None:
            folder = client.home / ".claude"
            folder.mkdir(exist_ok=True)
            (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")

    def __enter__(self) -> Self:
        argv = [str(self.client.executable)]
        for plugin in self.client.plugins:
            argv += ["--plugin-dir", str(plugin)]
        size = ("-x", "160", "-y", "50")
        self._tmux("-f", "/dev/null", "new-session", "-d", "-s", "t", *size, *argv, *self._args)
        try:
            self.wait_for(PROMPT)
        except AssertionError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        pid = self._tmux("display-message", "-p", "-t", "t", "#{pane_pid}", check=False).strip()
        self._tmux("kill-server", check=False)
        if pid:
            wait_for(lambda: not is_running(pid), "the client's end")
        faults = faults_in(self._debug)
        assert not faults, "\n".join(faults)

    @property
    def screen(self) -> str:
        """The text on the screen now."""
        return self._tmux("capture-pane", "-p", "-t", "t", check=False)

    def wait_for(self, text: str, seconds: float = PATIENCE) -> str:
        """Wait until the text is on the screen; return the screen, or raise AssertionError."""
        return self.wait_until(lambda: text in self.screen, text, seconds)

    def wait_until(self, ready: Callable[[], bool], what: str, seconds: float = PATIENCE) -> str:
        """Wait until `ready` holds; return the screen, or raise AssertionError naming `what`."""
        wait_for(ready, what, seconds, lambda: f":\n{self.screen}")
        return self.screen

    @property
    def box(self) -> str:
        """The first line of the input box, which has a rule above it; "" where a dialog is open."""
        lines = self.screen.splitlines()
        found = [
            line[len(PROMPT) :].strip()
            for above, line in pairwise(lines)
            if above.startswith("\N{BOX DRAWINGS LIGHT HORIZONTAL}") and line.startswith(PROMPT)
        ]
        return found[-1] if found else ""

    def enter(self, line: str) -> None:
        """Type a line, send it once the input box shows it, and wait until the client has taken it."""
        self._tmux("send-keys", "-t", "t", "-l", line)
        self.wait_until(lambda: self.box == line, f"{line} in the input box")
        if line.startswith("/"):  # Enter takes the first entry of the list of commands
            self.wait_for(f"  {PROMPT} {line} ")
        self.press_until(lambda: self.box != line, ("Enter",))

    def paste(self, text: str) -> None:
        """Type the first words of a text, up to a colon, and paste the rest."""
        typed, _, pasted = text.partition(": ")
        path = self.client.root / "pasted.txt"
        path.write_text(pasted, encoding="utf-8")
        self._tmux("send-keys", "-t", "t", "-l", f"{typed}: ")
        self._tmux("load-buffer", str(path))
        self._tmux("paste-buffer", "-p", "-t", "t")

    def press(self, *keys: str) -> None:
        """Press keys, by the names tmux has for them."""
        self._tmux("send-keys", "-t", "t", *keys)

    def press_until(self, ready: Callable[[], bool], *chords: tuple[str, ...]) -> None:
        """Press keys until `ready` holds: a dialog may take one key and drop the next."""
        for left in reversed(range(10)):
            for keys in chords:
                self.press(*keys)
            # A loaded machine needs seconds for a key, and a key too many may do harm.
            with suppress(*((AssertionError,) if left else ())):
                self.wait_until(ready, f"the effect of {chords}", PATIENCE / 10)
                return

    def _tmux(self, *args: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self.client.root / "tmux"), *args],
            cwd=self.client.project,
            env=self.client.environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert not check or done.returncode == 0, f"tmux {args[0]}: {done.stderr}"
        return done.stdout
