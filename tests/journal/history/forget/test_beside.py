"""`journal redact` while another process is between reading the log and storing what it read."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.forget.redact import redact_home
from journal.history.forget.replace import Secret
from tests.journal.history.forget.conftest import SECRET, holding
from tests.support.examples import part

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Workspace

NOW = "2026-11-22T10:00:00.000Z"
WRITES = ("os.rename", "os.link", "os.remove", "sqlite3.connect")


def _stopped(workspace: Workspace, words: list[str], at: int) -> int:
    """Run a command in a process that stops before its write number `at` below the home."""
    pid = os.fork()
    if pid:
        return pid
    count = 0

    def stop(event: str, args: tuple[Any, ...]) -> None:
        nonlocal count
        opens = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        if (opens or event in WRITES) and str(workspace.home) in str(args):
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGSTOP)

    try:
        sys.addaudithook(stop)
        workspace.journal(*words)
    finally:
        os._exit(0)


def _left(workspace: Workspace, words: list[str], at: int) -> list[str] | None:
    """Redact while a command is stopped; return what holds the secret, None if it did not stop."""
    pid = _stopped(workspace, words, at)
    if not os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1]):
        return None
    try:
        failed = redact_home(str(workspace.home), [], NOW, Secret(SECRET), dry=False).failed
    finally:
        os.kill(pid, signal.SIGCONT)
        os.waitpid(pid, 0)
    assert not failed
    return holding(workspace.home)


@pytest.mark.parametrize(
    "words",
    [["sql", "from turns"], pytest.param(["stats"], marks=pytest.mark.long), ["search", "qzWx9k"]],
    ids=str,
)
def test_nobody_stores_what_was_read_before(
    full: Workspace, tmp_path: Path, words: list[str]
) -> None:
    """A reader that stops before any of its writes stores nothing of the old records afterwards."""
    shutil.rmtree(full.top / "claude")  # else an import reads the transcript again
    shutil.rmtree(full.home / "cache")
    kept = tmp_path / "kept"
    shutil.copytree(full.home, kept)
    stops = 0
    for at in part(range(3, 19), 6):
        left = _left(full, words, at)
        if left is None:
            break
        assert left == [], at
        stops += 1
        shutil.rmtree(full.home)
        shutil.copytree(kept, full.home)
    assert stops > 0
