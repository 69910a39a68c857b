"""How fast a search among 10,000 past sessions and an update of the index are, and how large it is.

Limits on a quiet machine: a search at most 50 ms in process (median) and 300 ms as a command, an
update after one new session at most 1 s, the index at most 40 % of the journals. Each runs in one
thread on files in memory, so its CPU time is what it takes on a quiet machine. CPU time is asserted,
and wall-clock time is printed with it. A shared CPU is slower in itself, so the limits also allow a
multiple of the time of `journal --version` in the same run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from tests.bench.corpus import START
from tests.bench.sessions import write_sessions

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
SESSIONS, PROJECTS = 10_000, 20
QUERIES = ("parse cache", "slow retry queue when upload", "検索", "로그인 화면", "token_cache.py",
           "fix the login of an order", "invoicereport", "TimeoutError in the worker")  # fmt: skip
PROGRAM = """
import json, os, sys, time
sys.path.insert(0, {root!r})
from journal.history.search.index import Index
index = Index({home!r}, env={{}})
began = time.perf_counter()
changed = index.update()
built = time.perf_counter() - began
took, busy = [], []
for _ in range({rounds}):
    for query in {queries!r}:
        began, worked = time.perf_counter(), time.process_time()
        hits = index.search(query)
        took.append(time.perf_counter() - began)
        busy.append(time.process_time() - worked)
        assert hits, query
index.close()
print(json.dumps([changed, built, sorted(took)[len(took) // 2], sorted(busy)[len(busy) // 2]]))
"""


def python(code: str) -> str:
    """Run a program in a process of its own; return its stdout."""
    ran = subprocess.run(
        (sys.executable, "-c", code), capture_output=True, text=True, check=True, cwd=ROOT
    )
    return ran.stdout


def timed(act: Callable[[], object], rounds: int = 9) -> tuple[float, float]:
    """Return median seconds: wall-clock, and CPU with all child processes."""
    took, busy = [], []
    for _ in range(rounds):
        began, worked = perf_counter(), sum(os.times()[:4])
        act()
        took.append(perf_counter() - began)
        busy.append(sum(os.times()[:4]) - worked)
    return median(took), median(busy)


def size_of(top: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in top.rglob("*") if path.is_file())


@pytest.mark.bench
def test_ten_thousand_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """10,000 sessions of 20 projects are indexed, searched and updated within the limits."""
    home = tmp_path / "journal"
    directories = write_sessions(home, SESSIONS, PROJECTS)
    journals = size_of(home)
    program = PROGRAM.format(root=str(ROOT), home=str(home), queries=QUERIES, rounds=5)
    changed, built, search, busy = json.loads(python(program))
    index = (home / "cache" / "sessions.sqlite").stat().st_size

    from journal.clock import iso
    from journal.history.search.index import Index
    from journal.log.append import Writer

    def one_more() -> None:
        sid = f"new-{perf_counter()}"
        with Writer(str(directories[0]), iso(START * 2), sync="none") as writer:
            writer.append(
                {"type": "session.started", "v": 1, "sid": sid},
                {"type": "prompt.submitted", "v": 1, "sid": sid, "text": "zebra crossing"},
                {"type": "session.ended", "v": 1, "sid": sid},
            )
        assert Index(str(home), env={}).update() == 1

    update = timed(one_more)
    env = {**os.environ, "JOURNAL_HOME": str(home), "CLAUDE_CONFIG_DIR": str(tmp_path)}

    def command() -> None:
        words = (sys.executable, "-m", "cli", "search", "slow retry queue", "--json")
        ran = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, check=True)
        assert len(json.loads(ran.stdout)) == 10

    as_command = timed(command)
    start = timed(
        lambda: python(
            "import sys; sys.argv[1:] = ['--version']; import cli.__main__ as m; m.main()"
        )
    )
    with capsys.disabled():
        print(f"\nsearch of {changed:,} sessions: {1000 * search:.1f} ms in process, busy for "
              f"{1000 * busy:.1f} ms; as a command {1000 * as_command[0]:.0f} ms, busy "
              f"{1000 * as_command[1]:.0f} ms (`--version` {1000 * start[0]:.0f}, "
              f"{1000 * start[1]:.0f} ms); built in {built:.1f} s; one session more "
              f"{1000 * update[0]:.0f} ms, busy {1000 * update[1]:.0f} ms; index "
              f"{index / 1e6:.1f} MB of {journals / 1e6:.1f} MB ({index / journals:.0%})")  # fmt: skip
    assert changed == SESSIONS
    assert index <= 0.4 * journals + 4 * 1024 * 1024
    assert busy <= 0.050
    assert as_command[1] <= max(0.300, 3 * start[1])
    assert update[1] <= max(1.0, 5 * start[1])
