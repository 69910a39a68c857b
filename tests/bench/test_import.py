"""How fast transcripts are imported, and in how much memory.

Design limits: 40 MB/s and 100 MB on a quiet machine, where Python's json alone reads 150 MB/s. A
loaded machine is slower, so the CPU time of all processes together is compared with that reading in
the same run; the wall-clock time is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bench import prose, talk
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.bench

ROOT = Path(__file__).resolve().parents[2]
RATIO = 9.5  # 6.3 measured, half of it stores conversations; other load slows the longer one more
TALK_RATIO = 60  # 36 measured
PROSE_RATIO = 60  # 37 measured
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
import contextlib, io, os, resource, sys, time
sys.path.insert(0, sys.argv[2])
if sys.argv[3] == "alone":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from cli.app import run
began, wall = time.process_time(), time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    code = run(["import", sys.argv[1]])
spent, wall = time.process_time() - began, time.perf_counter() - wall
times = os.times()
# Not ru_maxrss: that one remembers the size of the process this one was forked from.
peak = next(int(row.split()[1]) for row in open("/proc/self/status") if row.startswith("VmHWM"))
others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(spent + times.children_user + times.children_system, wall, peak / 1024, others / 1024)
"""


def measured(program: str, client: Path, home: Path, how: str = "all") -> list[float]:
    """Run a measuring program in a home of its own; return the numbers it prints."""
    env = {
        **os.environ,
        "JOURNAL_HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(client),
        "HOME": str(client),
    }
    out = subprocess.run(
        (sys.executable, "-c", program, str(client), str(ROOT), how),
        capture_output=True,
        check=True,
        text=True,
        env=env,
    )
    return [float(word) for word in out.stdout.split()]


def test_import(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """The first import costs a few times as much as reading the JSON; the next one almost nothing."""
    client = tmp_path / "claude"
    truth = write(client, sessions=200, entries=500)
    size = truth["bytes"] / 1e6
    floor = min(measured(FLOOR, client, tmp_path)[0] for _ in range(2))
    firsts = [measured(PROGRAM, client, tmp_path / f"journal-{number}") for number in range(2)]
    alone = [measured(PROGRAM, client, tmp_path / f"alone-{n}", "alone") for n in range(2)]
    spent, wall = (min(item[at] for item in firsts) for at in (0, 1))
    single = min(item[0] for item in alone)
    peak = max(max(item[2:]) for item in firsts + alone)
    again = min(measured(PROGRAM, client, tmp_path / "journal-0")[0] for _ in range(3))
    with capsys.disabled():
        print(f"\njson alone {size / floor:.0f} MB/s; first import of {size:.0f} MB: {wall:.2f} s on the wall "
              f"({size / wall:.0f} MB/s), {spent:.2f} s CPU in all; in one process {size / single:.0f} MB/s, "
              f"{single / floor:.1f} x json alone; peak of a process {peak:.0f} MiB; "
              f"nothing new {again:.2f} s CPU")  # fmt: skip
    assert single <= RATIO * floor
    assert spent <= RATIO * floor
    assert peak <= 60  # for each of at most three processes
    assert again <= floor / 2


CONVERSATIONS = {
    "documents": (talk.write, 20, 50, TALK_RATIO),
    "three languages": (prose.write, 30, 40, PROSE_RATIO),
}


@pytest.mark.parametrize(
    ("write_corpus", "sessions", "turns", "ratio"),
    CONVERSATIONS.values(),
    ids=CONVERSATIONS,
)
def test_conversations(
    tmp_path: Path,
    capsys: pytest.CaptureFixture,
    write_corpus: Callable[..., int],
    sessions: int,
    turns: int,
    ratio: float,
) -> None:
    """Conversations cost more than tool calls: texts are searched for secrets, and answers are read."""
    client = tmp_path / "claude"
    size = write_corpus(client, sessions=sessions, turns=turns) / 1e6
    floor = min(measured(FLOOR, client, tmp_path)[0] for _ in range(2))
    single = min(measured(PROGRAM, client, tmp_path / f"alone-{n}", "alone")[0] for n in range(2))
    with capsys.disabled():
        print(f"\n{size:.0f} MB of conversations: {single:.2f} s CPU, {size / single:.1f} MB/s in one process, "
              f"{single / floor:.0f} x json alone")  # fmt: skip
    assert single <= ratio * floor
