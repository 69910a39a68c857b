"""How fast transcripts are imported, and in how much memory.

Limits of the design: 40 MB/s and 100 MB on a quiet core, where Python's json alone reads 210 MB/s.
A loaded machine is slower, so the speed is held against that reading in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.transcripts import write

pytestmark = pytest.mark.bench

ROOT = Path(__file__).resolve().parents[2]
RATIO = 9.0  # 5.2 on a quiet core (40 MB/s); a busy neighbour slows the longer process more
FLOOR = """
import json, pathlib, sys, time
began = time.process_time()
for path in pathlib.Path(sys.argv[1]).rglob("*.jsonl"):
    for line in open(path, "rb"):
        try:
            json.loads(line)
        except ValueError:
            pass
print(time.process_time() - began)
"""
PROGRAM = """
import contextlib, io, sys, time
sys.path.insert(0, sys.argv[2])
from cli.app import run
began = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    code = run(["import", sys.argv[1]])
spent = time.process_time() - began
# Not ru_maxrss: that one remembers the size of the process this one was forked from.
peak = next(int(row.split()[1]) for row in open("/proc/self/status") if row.startswith("VmHWM"))
print(spent, peak / 1024, code)
"""


def measured(program: str, client: Path, home: Path) -> list[float]:
    """Run a measuring program in a home of its own; give the numbers it prints."""
    env = {
        **os.environ,
        "JOURNAL_HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(client),
        "HOME": str(client),
    }
    out = subprocess.run(
        (sys.executable, "-c", program, str(client), str(ROOT)),
        capture_output=True,
        check=True,
        text=True,
        env=env,
    )
    return [float(word) for word in out.stdout.split()]


def test_import(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """The first import costs a few times what reading JSON costs; another one next to nothing."""
    client = tmp_path / "claude"
    truth = write(client, sessions=200, entries=500)
    size = truth["bytes"] / 1e6
    floor = min(measured(FLOOR, client, tmp_path)[0] for _ in range(2))
    firsts = [measured(PROGRAM, client, tmp_path / f"journal-{number}") for number in range(2)]
    spent, peak = min(item[0] for item in firsts), firsts[0][1]
    again = min(measured(PROGRAM, client, tmp_path / "journal-0")[0] for _ in range(3))
    with capsys.disabled():
        print(f"\njson alone {size / floor:.0f} MB/s; first import of {size:.0f} MB {size / spent:.0f} MB/s, "
              f"{spent / floor:.1f} x json alone, peak {peak:.0f} MiB; nothing new {again:.2f} s CPU")  # fmt: skip
    assert spent <= RATIO * floor
    assert peak <= 100
    assert again <= floor / 2
