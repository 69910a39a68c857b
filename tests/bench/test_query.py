"""How fast a query answers at first and from the cache, with how much memory and disk.

Limits on a quiet machine: a group-by over 1,000,000 events of 50 projects at most 0.05 s once they
are stored, over 10,000,000 at most 1 s; at most 300 MiB; the cache at most 40 % of the log. A loaded
machine is slower, so the time is compared with DuckDB's own for the same files in the same run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from journal.log.seal import seal
from tests.bench.corpus import write_journal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import json, os, sys, time
sys.path.insert(0, {root!r})
from journal.history.tables.database import History
home = {home!r}
query = "select project, type, count(*) n from events group by all"
turns = "select project, outcome, count(*) from turns group by all"

def asked(text):
    began, used = time.perf_counter(), time.process_time()
    for result in history.query(text):
        rows = result.all()
    return time.perf_counter() - began, time.process_time() - used, rows

history = History(home)
first = asked(query)[1], asked(turns)[1]
history.close()
history = History(home)
again = asked(query)[0], asked(turns)[0]
best = min(asked(query)[0] for _ in range({rounds}))
rows = asked(query)[2]
# Not ru_maxrss: that one remembers the size of the process this one was forked from.
peak = next(int(row.split()[1]) for row in open("/proc/self/status") if row.startswith("VmHWM"))
import duckdb
made = duckdb.connect()
made.execute("set enable_progress_bar=false")  # it would go to stdout
files = [path for log in history.logs for path in log.extracts["events"].paths]
floor = 9e9
for _ in range({rounds}):
    began = time.perf_counter()
    made.execute(f"select type, count(*) n from read_parquet({{files!r}}) group by all").fetchall()
    floor = min(floor, time.perf_counter() - began)
stored = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(home + "/cache")
             for name in names)
log = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(home)
          for name in names) - stored
print(json.dumps([*first, *again, best, floor, peak / 1024, stored / log, sum(r[2] for r in rows)]))
"""


def measure(home: Path, *, rounds: int = 5) -> list[float]:
    """Return the nine figures that PROGRAM prints (`told` names them)."""
    program = PROGRAM.format(root=str(ROOT), home=str(home), rounds=rounds)
    ran = subprocess.run(
        (sys.executable, "-c", program), capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


def told(found: list[float]) -> str:
    """Return the figures as a line of text."""
    events, turns, again, turns_again, best, floor, peak, stored, count = found
    return (f"\n{count:,.0f} events: first query {events:.2f} s of CPU, first over turns {turns:.2f} s; "
            f"then {again:.3f} s and {turns_again:.3f} s; group-by {best:.3f} s (DuckDB alone "
            f"{floor:.3f} s); peak {peak:.0f} MiB; stored {stored:.1%} of the log")  # fmt: skip


@pytest.mark.bench
def test_a_million_events(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """50 projects of 20,000 events are queried within the limits, at first and again."""
    for number in range(50):
        write_journal(tmp_path / f"p{number:02d}-00000000", 20_000, sessions=20, seed=number)
    found = measure(tmp_path)
    with capsys.disabled():
        print(told(found))
    assert found[8] == 1_000_000
    assert max(found[2], found[3]) <= 1.0
    assert found[4] <= max(0.05, 4 * found[5])
    assert found[6] <= 300
    assert found[7] <= 0.4


@pytest.mark.long
@pytest.mark.bench
def test_ten_million_events(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A group-by over ten sealed projects of a million events each stays interactive."""
    first = write_journal(tmp_path / "p00-00000000", 1_000_000, sessions=500)
    seal(str(first), "2026-11-21T12:00:00.000Z", compress=False)
    for number in range(1, 10):
        shutil.copytree(first, tmp_path / f"p{number:02d}-00000000")
    found = measure(tmp_path)
    with capsys.disabled():
        print(told(found))
    assert found[8] == 10_000_010
    assert found[4] <= max(1.0, 3 * found[5])
    assert found[6] <= 300
