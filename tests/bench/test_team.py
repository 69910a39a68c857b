"""The cost of an export to a team's tables, and how fast DuckDB reads them, in CPU time.

Aims: one new event at 1,000,000 events of history at most 1 s of CPU and 100 MiB; without new events
at most 3 requests a table (`tests/journal/history/team/test_errors.py` counts them); a group-by over
10,000,000 events at most 0.15 s. Memory is the peak of the export and of the largest of the processes
that it starts one after the other. Load makes CPU time longer too, so it is printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from journal.clock import iso
from journal.log.append import Writer
from journal.log.seal import seal
from tests.bench.corpus import START, write_journal

pytestmark = pytest.mark.bench
ROOT = Path(__file__).resolve().parents[2]
EXPORT = """
import json, os, resource, sys
from cli.__main__ import main
sys.argv = ["journal", "export", "--to", sys.argv[1], "--format", "delta", "--json"]
code = main()
lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps([code, sum(os.times()[:4]), int(lines["VmHWM"].split()[0]) / 1024,
                  resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024]))
"""
QUERY = """
import json, os, sys, time
import duckdb
from deltalake import DeltaTable
files = DeltaTable(sys.argv[1]).file_uris()
database = duckdb.connect()
database.execute("set enable_progress_bar=false")
sql = f"select repo, type, count(*) from read_parquet({files!r}) group by all"
wall = used = 9e9
for _ in range(7):
    began, spent = time.perf_counter(), time.process_time()
    rows = database.execute(sql).fetchall()
    wall = min(wall, time.perf_counter() - began)
    used = min(used, time.process_time() - spent)
print(json.dumps([len(files), wall, used, sum(row[2] for row in rows)]))
"""
REPLY = {"type": "usage.recorded", "model": "claude-sonnet-4-5", "input_tokens": 10,
         "output_tokens": 3}  # fmt: skip


def run(program: str, *words: str, env: dict[str, str]) -> list[Any]:
    """Run a program; return its last line, parsed as JSON."""
    ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True,
                         check=False, env=env, cwd=ROOT)  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    found: list[Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


class Home:
    """A journal home with one project of 1,000,000 events, in a sealed segment."""

    def __init__(self, top: Path) -> None:
        self.project = top / "home" / "shop-00000001"
        self.there = top / "there"
        write_journal(self.project, 1_000_000, sessions=2500)
        self.project.parent.chmod(0o700)
        self.now = iso(START + 10_000_000_000)
        seal(str(self.project), self.now, compress=False)
        (self.project / "repo").write_text("github.com/shop/cart")
        self.env = {**os.environ, "JOURNAL_HOME": str(top / "home"), "HOME": str(top),
                    "CLAUDE_CONFIG_DIR": str(top / "claude"), "PYTHONPATH": str(ROOT)}  # fmt: skip

    def append(self, body: dict[str, object]) -> None:
        """Add one event to the last session."""
        with Writer(str(self.project), self.now, sync="none") as writer:
            writer.append({"v": 1, "sid": "last-session", **body})

    def export(self) -> str:
        """Run an export; return CPU time and memory as text."""
        code, used, first, largest = run(EXPORT, str(self.there), env=self.env)
        assert code == 0
        self.used, self.peak = used, max(first, largest)
        return f"{used:.2f} s of CPU, {first:.0f} MiB; its largest process {largest:.0f} MiB"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home that has exported nothing yet."""
    pytest.importorskip("deltalake", reason="the extra team is not installed")
    return Home(tmp_path_factory.mktemp("team"))


def test_export(home: Home, capsys: pytest.CaptureFixture) -> None:
    """Exporting one new event stays within the limits of CPU time and memory."""
    told = [f"\nload {os.getloadavg()[0]:.1f}; the first 1,000,000 events: {home.export()}"]
    home.append({"type": "tool.finished", "tool": "Read", "ms": 3})
    home.export()  # so that the next one is like all later ones: the session is known
    home.append({"type": "tool.finished", "tool": "Read", "ms": 3})
    told.append(f"one new event: {home.export()} (aim: 1 s, 100 MiB)")
    event, memory = home.used, home.peak
    home.append(REPLY | {"message": "m1", "key": "u1"})
    told.append(f"the first reply: {home.export()}")  # reads the log once for all replies
    home.append(REPLY | {"message": "m2", "key": "u2"})
    told.append(f"one new reply: {home.export()}")
    told.append(f"nothing new: {home.export()}")
    with capsys.disabled():
        print("\n".join(told))
    assert event <= 2.0
    assert memory <= 115  # the pages of the libraries that are in memory vary


def test_group_by(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A group-by in DuckDB over 10,000,000 events of ten homes, compacted, stays within the limit."""
    from journal.history.team.columns import team_columns
    from journal.history.team.store import Store

    home.export()
    there, ten = Store(str(home.there), "/", {}), Store(str(tmp_path / "ten"), "/", {})
    ten.create()
    for number in range(10):
        own = {"origin_id": f"'{number:016x}' as origin_id",
               "repo": f"'github.com/shop/cart-{number}' as repo"}  # fmt: skip
        columns = ", ".join(own.get(name, name) for name, _kind in team_columns("events"))
        ten.append("events", there.stream("events", f"select {columns} from events"), {})
    before = run(QUERY, str(tmp_path / "ten" / "events"), env=home.env)
    ten.compact("events")
    files, wall, used, count = run(QUERY, str(tmp_path / "ten" / "events"), env=home.env)
    with capsys.disabled():
        print(f"\nload {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors; {count:,} events: "
              f"{files} files after --compact {wall:.3f} s, {used:.3f} s of CPU "
              f"(aim: 0.15 s); {before[0]} files before it {before[1]:.3f} s, {before[2]:.3f} s")  # fmt: skip
    assert count >= 10_000_000
    # On a quiet machine the CPUs share the work.
    assert used <= 0.15 * max(2, os.cpu_count() or 1)
