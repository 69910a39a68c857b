"""Run the status line that the user had before setup, with the same input.

`journal setup` stored this command of the user's settings in `<home>/statusline.json`.
Invariant: it takes at most TIMEOUT and never calls itself through ours; its output is printed
unchanged, up to LIMIT.
"""

from __future__ import annotations

import os

from journal.codec import loads
from journal.files import read_regular
from journal.home import STATUS_LINE, check_directory, journal_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen
    from typing import Any

TIMEOUT = 2.0  # seconds
LIMIT = 64 * 1024  # bytes of its output
NESTED = "JOURNAL_STATUSLINE"
_OURS = "hooks/statusline.py"
_SIZE = 256 * 1024


def start(env: Mapping[str, str]) -> Popen[bytes] | None:
    """Start the stored command, so that it runs while the journal is written; None without one."""
    try:
        command = _command(env)
        if not command:
            return None
        from subprocess import DEVNULL, PIPE, Popen

        # Claude Code runs it by a shell, too. It gets a process group, so that all of it can be
        # killed.
        return Popen(  # noqa: S603 (the user's own command)
            ["/bin/sh", "-c", command],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={**env, NESTED: "1"},
            start_new_session=True,
        )
    except Exception:  # noqa: BLE001 (ours is shown without it)
        return None


def output_of(process: Popen[bytes], raw: bytes) -> str:
    """Return the command's output for the input `raw`; "" if there is none or it fails."""
    try:
        return _finished(process, raw)[:LIMIT].decode("utf-8", "replace").rstrip("\n")
    except Exception:  # noqa: BLE001 (as above)
        return ""


def _command(env: Mapping[str, str]) -> str:
    """Return the stored command, "" for none. Raise OSError, ValueError or JournalOffError."""
    if env.get(NESTED):
        return ""
    home = journal_home(env)
    check_directory(home)  # the command is run: nobody else may have written it
    stored: Any = loads(read_regular(os.path.join(home, STATUS_LINE), _SIZE))
    previous = stored.get("previous") if isinstance(stored, dict) else None
    command = previous.get("command") if isinstance(previous, dict) else None
    if not isinstance(command, str) or _OURS in command or "\0" in command:
        return ""
    return command


def _finished(process: Popen[bytes], raw: bytes) -> bytes:
    from subprocess import TimeoutExpired

    try:
        return process.communicate(raw, timeout=TIMEOUT)[0]
    except TimeoutExpired as late:
        from signal import SIGKILL

        os.killpg(process.pid, SIGKILL)
        try:
            return process.communicate(timeout=0.2)[0]
        except TimeoutExpired:  # a child of it that left the group still holds the pipe
            return late.output or b""
