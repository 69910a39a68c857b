"""Usage by day and model beside `ccusage`, the tool people use for it: same figures, no slower.

ccusage is looked for in CCUSAGE (a path) and on the PATH; without it the figures are still held to
the truth. Both are measured as commands, on the wall, taking turns, the best of several.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.tools.transcripts import write

pytestmark = pytest.mark.bench

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5
SLACK = 1.1  # for the noise of a shared machine
QUERY = """
select strftime(ts, '%Y-%m-%d') as day, model, sum(input_tokens)::bigint as input,
  sum(output_tokens)::bigint as output, sum(cache_creation_input_tokens)::bigint as cache_create,
  sum(cache_read_input_tokens)::bigint as cache_read
from usage group by all order by all
"""
NAMES = {"inputTokens": "input", "outputTokens": "output", "cacheCreationTokens": "cache_create",
         "cacheReadTokens": "cache_read"}  # fmt: skip


def timed(command: list[str], env: dict[str, str]) -> tuple[float, Any]:
    """Run a command; give seconds and what it printed as JSON."""
    began = time.perf_counter()
    out = subprocess.run(command, capture_output=True, check=True, env=env, cwd=ROOT).stdout
    return time.perf_counter() - began, json.loads(out)


def grouped(rows: list[dict[str, Any]], by: str) -> dict[str, dict[str, int]]:
    """Add figures up by day or by model."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        group = found.setdefault(row[by], Counter())
        group.update({name: row[name] for name in NAMES.values()})
    return {name: dict(group) for name, group in found.items()}


def test_beside_ccusage(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """The corpus once imported: totals equal the truth, in no more time than ccusage takes."""
    client = tmp_path / "claude"
    truth = write(client, sessions=200, entries=500)
    env = {**os.environ, "JOURNAL_HOME": str(tmp_path / "journal"), "HOME": str(tmp_path),
           "CLAUDE_CONFIG_DIR": str(client), "TZ": "UTC"}  # fmt: skip
    ours = [sys.executable, "-m", "cli", "sql", "--json", QUERY]
    subprocess.run([sys.executable, "-m", "cli", "import"], env=env, cwd=ROOT, check=True,
                   capture_output=True)  # fmt: skip
    first, rows = timed(ours, env)
    assert grouped(rows, "day") == truth["per_day"]
    assert grouped(rows, "model") == truth["per_model"]
    program = os.environ.get("CCUSAGE") or shutil.which("ccusage")
    if not program:
        pytest.skip("ccusage is not installed (npm i ccusage); the figures equal the truth")
    theirs = [program, "daily", "--json", "--offline"]
    other, told = timed(theirs, env)
    # It may count a reply that a copy cut short otherwise; the truth file decides.
    theirs_by_day = {day.get("date") or day["period"]: {ours: day[name] for name, ours in NAMES.items()}
                     for day in told["daily"]}  # fmt: skip
    alike = sum(theirs_by_day.get(day) == figures for day, figures in truth["per_day"].items())
    again, others = [], [other]
    for _ in range(ROUNDS):
        again.append(timed(ours, env)[0])
        others.append(timed(theirs, env)[0])
    with capsys.disabled():
        print(f"\nusage by day and model of {truth['bytes'] / 1e6:.0f} MB: first {first:.2f} s, then "
              f"{min(again):.2f} s; ccusage {min(others):.2f} s, "
              f"with the true figures for {alike} of {len(truth['per_day'])} days")  # fmt: skip
    assert min(again) <= SLACK * min(others)
