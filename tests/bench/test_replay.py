"""The cost of `replay --until`, `explain`, `view` near the end of a long history, at first and later.

Design limit: 1.5 s near the end of 1,000,000 events on a quiet machine. A loaded machine is slower,
so the later runs are compared with reading and checking the same log once, in CPU time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from journal.home import Project
from tests.bench.corpus import write_journal
from tests.bench.test_fold import FLOOR, run

pytestmark = pytest.mark.bench

EVENTS = 1_000_000
NEAR = str(EVENTS - 10)
ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "replay --until, one view": ("replay", "--until", NEAR, "--view", "pressure", "--last", "20"),
    "explain": ("explain", NEAR),
    "view": ("view", "lineage", "--until", NEAR),
    "replay --until, all views": ("replay", "--until", NEAR, "--last", "20"),
    "replay --until, as it is": ("replay", "--until", NEAR, "--json"),
    "status": ("status",),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Return a project with a long journal, and the environment for its commands."""
    top = tmp_path_factory.mktemp("long")
    project = top / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    write_journal(top / "journal" / Project(os.path.realpath(project)).name, EVENTS)
    env = {"PATH": os.environ["PATH"], "HOME": str(top), "JOURNAL_HOME": str(top / "journal"),
           "JOURNAL_NOW": "2027-02-01T00:00:00Z", "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}  # fmt: skip
    return project, env


def spent(place: tuple[Path, dict[str, str]], words: tuple[str, ...]) -> tuple[float, bytes]:
    """Return the CPU seconds of a command, and what it printed."""
    before = os.times()
    done = subprocess.run((sys.executable, "-m", "cli", *words), cwd=place[0], env=place[1],
                          stdout=subprocess.PIPE, check=True)  # fmt: skip
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system, done.stdout


def test_near_the_end(
    place: tuple[Path, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The second time a command reads only the end of the log, and prints the same."""
    project, env = place
    journal = os.path.join(env["JOURNAL_HOME"], Project(os.path.realpath(project)).name)
    floor = min(run(FLOOR.format(journal=journal))[1] for _ in range(2))
    start = min(spent(place, ("--version",))[0] for _ in range(3))
    rows = {}
    for name, words in COMMANDS.items():
        first, said = spent(place, words)
        times = [spent(place, words) for _ in range(2)]
        assert {out for _, out in times} == {said}, name
        rows[name] = (first, min(used for used, _ in times))
    with capsys.disabled():
        print(f"\n{EVENTS:,} events: reading and checking {floor:.2f} s of processor time; "
              f"starting the command {start:.2f} s")  # fmt: skip
        for name, (first, again) in rows.items():
            print(f"{name:28} first {first:6.2f} s, again {again:5.2f} s")
    for name, (_, again) in rows.items():
        assert again <= floor + 3 * start, name


def test_reports_read_a_log_once(
    place: tuple[Path, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The second report prints the same and reads nothing of the log again."""
    first, said = spent(place, ("stats", "compactions"))
    again, repeated = spent(place, ("stats", "compactions"))
    with capsys.disabled():
        print(f"\nstats: first {first:.2f} s of processor time, again {again:.2f} s")
    assert said == repeated
    assert 3 * again <= first
