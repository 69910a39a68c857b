"""How fast history answers: from the log's lines, from the mirrors, first and later times; memory.

Limits on a quiet machine: a group-by over 1,000,000 events of 50 projects at most 0.5 s from JSONL
and 0.05 s from the mirrors, 10,000,000 at most 1 s; at most 300 MiB, also for a table that is folded
out of all events (turns). A loaded machine is slower:
held against it is DuckDB's own time for the same files in the same run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from journal.log.repair import seal
from tests.bench.corpus import write_journal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import json, sys, time
sys.path.insert(0, {root!r})
from journal.history.tables.database import History
from journal.history.tables.base import files_of
home = {home!r}
query = "select project, type, count(*) n from events group by all"
began = time.perf_counter()
first = History(home)
opened = time.perf_counter() - began
first.close()
began = time.perf_counter()
history = History(home)
again = time.perf_counter() - began
best = 9e9
for _ in range({rounds}):
    began = time.perf_counter()
    for result in history.ask(query):
        rows = result.all()
    best = min(best, time.perf_counter() - began)
if {turns!r}:
    for result in history.ask("select project, outcome, count(*) from turns group by all"):
        result.all()
# Not ru_maxrss: that one remembers the size of the process this one was forked from.
peak = next(int(row.split()[1]) for row in open("/proc/self/status") if row.startswith("VmHWM"))
peak /= 1024
import duckdb
made = duckdb.connect()
made.execute("set enable_progress_bar=false")  # it would go to stdout
files = [s.parquet or s.lines for s in files_of(history.logs) if {sealed!r} == bool(s.parquet)]
if {sealed!r}:
    source = f"read_parquet({{files!r}})"
else:
    source = f"read_json({{files!r}},columns={{{{seq:'BIGINT',type:'VARCHAR'}}}},"
    source += "format='newline_delimited',ignore_errors=true)"
floor = 9e9
for _ in range({rounds}):
    began = time.perf_counter()
    made.execute(f"select type, count(*) n from {{source}} group by all").fetchall()
    floor = min(floor, time.perf_counter() - began)
print(json.dumps([opened, again, best, floor, peak, sum(row[2] for row in rows)]))
"""


def measure(home: Path, *, sealed: bool, rounds: int = 5, turns: bool = False) -> list[float]:
    """Give seconds of the first opening, of the next, of a query, of DuckDB alone; MiB; events."""
    program = PROGRAM.format(root=str(ROOT), home=str(home), sealed=sealed, rounds=rounds,
                             turns=turns)  # fmt: skip
    ran = subprocess.run(
        (sys.executable, "-c", program), capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


def told(name: str, found: list[float]) -> str:
    """Give the figures as a line."""
    opened, again, best, floor, peak, events = found
    return (f"\n{name}: {events:,.0f} events; opened first {opened:.2f} s, again {again:.3f} s; "
            f"group-by {best:.3f} s (DuckDB alone {floor:.3f} s); peak {peak:.0f} MiB")  # fmt: skip


@pytest.mark.bench
def test_a_million_events(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """50 projects of 20,000 events: from the lines, then sealed and from the mirrors."""
    for number in range(50):
        write_journal(tmp_path / f"p{number:02d}-00000000", 20_000, sessions=20, seed=number)
    lines = measure(tmp_path, sealed=False, turns=True)
    for number in range(50):
        seal(str(tmp_path / f"p{number:02d}-00000000"), "2026-11-21T12:00:00.000Z", compress=False)
    mirrored = measure(tmp_path, sealed=True, turns=True)
    with capsys.disabled():
        print(told("lines", lines) + told("mirrors", mirrored))
    assert (lines[5], mirrored[5]) == (1_000_000, 1_000_050)
    assert lines[2] <= max(0.5, 1.3 * lines[3])
    assert mirrored[2] <= max(0.05, 4 * mirrored[3])
    assert mirrored[2] <= lines[2] / 3
    assert max(lines[4], mirrored[4]) <= 300


@pytest.mark.long
@pytest.mark.bench
def test_ten_million_events(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Ten projects of a million, sealed: a group-by stays interactive."""
    first = write_journal(tmp_path / "p00-00000000", 1_000_000, sessions=500)
    seal(str(first), "2026-11-21T12:00:00.000Z", compress=False)
    for number in range(1, 10):
        shutil.copytree(first, tmp_path / f"p{number:02d}-00000000")
    found = measure(tmp_path, sealed=True)
    with capsys.disabled():
        print(told("mirrors", found))
    assert found[5] == 10_000_010
    assert found[2] <= max(1.0, 3 * found[3])
    assert found[4] <= 300
