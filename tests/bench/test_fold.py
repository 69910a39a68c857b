"""How fast history is read and folded, and in how much memory.

Design limit: 1.3 M events a second with checksum and typed fold on a quiet core, at most 32 MiB.
A loaded machine is slower, so the speed is compared with reading and checking alone in the same
run.
"""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.bench.corpus import write_journal

pytestmark = pytest.mark.bench

EVENTS = 300_000
ROOT = Path(__file__).resolve().parents[2]
# Each is measured in a process of its own, with its own CPU clock and peak memory.
PROGRAM = """
import sys, time
sys.path.insert(0, {root!r})
from journal.log.read import Reader
from projections.fold import Fold
from projections.views import HOOK_PROJECTIONS
from journal.events.registry import KINDS, class_of
import projections.views
for kind in KINDS:
    class_of(kind)
chosen = [item for item in HOOK_PROJECTIONS if {names!r} == "all" or item.name in {names!r}]
began, at = time.process_time(), time.perf_counter()
fold = Fold(chosen)
count = 0
for batch in Reader({journal!r}).batches():
    count += len(batch)
    if chosen:
        fold.feed(batch)
spent, took = time.process_time() - began, time.perf_counter() - at
# Not ru_maxrss: that one remembers the size of the process this one was forked from.
peak = next(int(row.split()[1]) for row in open("/proc/self/status") if row.startswith("VmHWM"))
print(count, spent, peak / 1024, took)
"""
FLOOR = """
import time, zlib
began = time.process_time()
count = 0
for line in open({journal!r} + "/active.jsonl", "rb"):
    count += line[-11:] == b'%08x"}}\\n' % zlib.crc32(line[:-19])
print(count, time.process_time() - began)
"""


def run(program: str) -> list[float]:
    """Run one measuring program; return the numbers it prints."""
    out = subprocess.run(
        (sys.executable, "-c", program), capture_output=True, check=True, text=True
    )
    return [float(word) for word in out.stdout.split()]


def measured(names: str, journal: str) -> list[float]:
    """Return events, CPU seconds, MiB and wall-clock seconds of folding these views."""
    return run(PROGRAM.format(root=str(ROOT), names=names, journal=journal))


def test_fold_with_checksum(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Folding a view costs little more than reading and checking the records."""
    journal = str(write_journal(tmp_path / "journal", EVENTS))
    assert zlib.crc32(b"") == 0
    best: dict[str, tuple[float, float]] = {}
    walls: dict[str, float] = {}
    floor = 1e9
    for _ in range(3):
        floor = min(floor, run(FLOOR.format(journal=journal))[1])
        for names in ("", "lineage", "pressure", "all"):
            count, spent, peak, took = measured(names, journal)
            assert count == EVENTS
            best[names] = min(best.get(names, (1e9, 0)), (spent, peak))
            walls[names] = min(walls.get(names, 1e9), took)
    with capsys.disabled():
        print(f"\nread+checksum floor {EVENTS / floor / 1e6:.2f} M events/s")
        for names, (spent, peak) in best.items():
            print(f"fold of {names or 'nothing (reader alone)'}: {EVENTS / spent / 1e6:.2f} M "
                  f"events/s, {spent / floor:.2f} x the floor, peak {peak:.0f} MiB")  # fmt: skip
    assert best[""][0] <= 2.0 * floor
    assert best["pressure"][0] <= 4.5 * floor
    assert max(peak for _, peak in best.values()) <= 32 + 24  # 24: the interpreter, msgspec
