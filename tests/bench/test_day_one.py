"""The first command of a user who has 400 transcripts (50 MB) and no journal.

It needs a terminal: without one, a command imports nothing before it answers.
"""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tools.transcripts import write

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 10
CORES = 2


def in_terminal(argv: list[str], env: dict[str, str], cwd: Path) -> tuple[str, float, float]:
    """Run a command in a terminal; return its output, wall-clock seconds and CPU seconds."""
    ours, theirs = pty.openpty()
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=cwd)
    os.close(theirs)
    shown = bytearray()
    while True:
        try:
            block = os.read(ours, 65_536)
        except OSError:  # on Linux the read fails once the other end is closed
            break
        if not block:
            break
        shown += block
    code = process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.perf_counter() - began
    os.close(ours)
    assert code == 0, shown[-2000:].decode(errors="replace")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return shown.decode(), wall, used


@pytest.mark.bench
@pytest.mark.parametrize(("sessions", "entries"), [pytest.param(400, 80, id="400 sessions")])
def test_one_command_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sessions: int, entries: int
) -> None:
    """`journal usage` in an empty HOME imports all, answers exactly, in at most 20 CPU seconds.

    That is 10 s on two cores; CPU time does not depend on what else the machine does.
    """
    client = tmp_path / ".claude"
    truth = write(client, sessions=sessions, entries=entries)
    size = sum(path.stat().st_size for path in client.rglob("*.jsonl"))
    work = tmp_path / "work"
    work.mkdir()
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    env |= {"TERM": "xterm", "COLUMNS": "100"}
    argv = [sys.executable, "-m", "cli", "usage"]
    shown, wall, used = in_terminal(argv, env, work)
    again = subprocess.run([*argv, "--json"], capture_output=True, check=True, env=env, cwd=work)
    rows = json.loads(again.stdout)["rows"]
    with capsys.disabled():
        print(
            f"\nday one: {sessions} transcripts, {size / 1e6:.0f} MB: {wall:.1f} s on the wall, "
            f"{used:.1f} s of processor time (limit {SECONDS * CORES})"
        )
    assert sum(row["output_tokens"] for row in rows) == truth["totals"]["output"]
    assert re.search(r"total +", shown)
    assert used <= SECONDS * CORES
