"""`journal usage` compared with `ccusage`, a widely used tool: same tokens, same cost, no slower.

ccusage is found by CCUSAGE (a path) or on the PATH, or else installed by npm. Without it the figures
are still compared with the truth. Both run as commands by turns, first without a journal, then after
an import, whose time is not included; the least processor time of several runs counts.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from journal.clock import iso, millis
from tests.journal.history.usage.test_periods import reference
from tests.tools.transcripts import MODELS, write

pytestmark = pytest.mark.bench

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "ccusage@20.0.24"
ROUNDS = 5
SLACK = 1.3  # for the noise of a shared machine
MOST = 1.7  # times as much as ccusage, where files that were read again are counted, too
THEIRS = {"input_tokens": "inputTokens", "output_tokens": "outputTokens",
          "cache_creation_input_tokens": "cacheCreationTokens",
          "cache_read_input_tokens": "cacheReadTokens"}  # fmt: skip
OURS = {"input_tokens": "input", "output_tokens": "output",
        "cache_creation_input_tokens": "cache_create", "cache_read_input_tokens": "cache_read"}  # fmt: skip
PRICES = {"input": 3.5, "output": 17, "cache_write": 4.25, "cache_read": 0.375}  # made up
THEIR_PRICES = {"input": "inputCostPerToken", "output": "outputCostPerToken",
                "cache_write": "cacheCreationInputTokenCost",
                "cache_read": "cacheReadInputTokenCost"}  # fmt: skip


class Times(NamedTuple):
    """Seconds of a run: wall-clock time, and processor time of all its processes."""

    wall: float
    cpu: float


def timed(command: list[str], env: dict[str, str]) -> tuple[Times, Any]:
    """Run a command; return its times and its output, parsed as JSON."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    out = subprocess.run(command, capture_output=True, check=True, env=env, cwd=ROOT).stdout
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Times(wall, cpu), json.loads(out)


def least(times: list[Times]) -> Times:
    """Return the least wall-clock time and the least processor time."""
    return Times(*map(min, zip(*times, strict=True)))


class Corpus(NamedTuple):
    """A journal of transcripts. `truth`: their totals; `config`: options for ccusage."""

    top: Path
    env: dict[str, str]
    truth: dict[str, Any]
    config: list[str]


class Reply(NamedTuple):
    """A reply in the transcripts: the times of its first and last line, and its usage."""

    first: str
    last: str
    model: str
    usage: dict[str, Any]


def grouped(rows: list[dict[str, Any]], by: str) -> dict[str, dict[str, int]]:
    """Add up figures by day or by model."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        group = found.setdefault(row[by], Counter())
        group.update({name: row[ours] for ours, name in OURS.items()})
    return {name: dict(group) for name, group in found.items()}


def ccusage(top: Path) -> str:
    """Return the path of ccusage, or skip."""
    found = os.environ.get("CCUSAGE") or shutil.which("ccusage")
    if found:
        return found
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("neither ccusage nor npm is here; the figures equal the truth")
    words = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(top / "npm"), PACKAGE]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    program = top / "npm" / "node_modules" / ".bin" / "ccusage"
    if done.returncode or not program.exists():
        pytest.skip(f"npm cannot install {PACKAGE}: {done.stderr[-200:]}")
    return str(program)


SIZES = {
    "175 MB, all compacted": {"sessions": 200, "entries": 500, "subagents": 1},
    "50 MB": {"sessions": 400, "entries": 80},
}


@pytest.fixture(scope="module", params=SIZES.values(), ids=SIZES)
def corpus(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Corpus:
    """Write transcripts and one price list for both programs."""
    top = tmp_path_factory.mktemp("usage")
    client, home = top / "claude", top / "journal"
    truth = write(client, **request.param)
    env = {**os.environ, "JOURNAL_HOME": str(home), "HOME": str(top),
           "CLAUDE_CONFIG_DIR": str(client), "TZ": "UTC"}  # fmt: skip
    home.mkdir()
    models = {model: {kind: price * (at + 1) for kind, price in PRICES.items()}
              for at, (model, _) in enumerate(MODELS)}  # fmt: skip
    (home / "prices.json").write_text(json.dumps({"models": models}))
    theirs = {
        model: {THEIR_PRICES[kind]: price / 1e6 for kind, price in prices.items()}
        for model, prices in models.items()
    }
    config = top / "ccusage.json"
    config.write_text(json.dumps({"defaults": {"pricingOverrides": theirs, "offline": True}}))
    return Corpus(top, env, truth, ["--config", str(config), "--json", "--offline"])


def usage(corpus: Corpus, by: str) -> tuple[Times, Any]:
    """Run our command; return its times and the report."""
    words = [sys.executable, "-m", "cli", "usage", "--all", "--by", by, "--json"]
    return timed(words, corpus.env)


def replies(corpus: Corpus) -> list[Reply]:
    """Read when each reply began and ended: ccusage counts it at the first time, we at the second."""
    found: dict[str, Reply] = {}
    for path in sorted((corpus.top / "claude").rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            if b'"type":"assistant"' not in line:
                continue
            try:
                value = json.loads(line)
            except ValueError:  # cut off
                continue
            if value.get("isApiErrorMessage"):
                continue
            message, at = value["message"], value["timestamp"]
            reply = found.get(message["id"])
            first, last = (min(reply.first, at), max(reply.last, at)) if reply else (at, at)
            found[message["id"]] = Reply(first, last, message["model"], message["usage"])
    return list(found.values())


def test_tokens_and_cost(corpus: Corpus, capsys: pytest.CaptureFixture) -> None:
    """Tokens equal the truth; tokens and cost per day and model equal ccusage's; it is no slower."""
    report = usage(corpus, "day,model")[1]
    rows, truth = report["rows"], corpus.truth
    assert grouped(rows, "day") == truth["per_day"]
    assert grouped(rows, "model") == truth["per_model"]
    theirs = [ccusage(corpus.top), "claude", "daily", "--breakdown", *corpus.config]
    found = timed(theirs, corpus.env)[1]
    assert round(report["total"]["cost_usd"], 4) == round(found["totals"]["totalCost"], 4)
    ours = {(row["day"], row["model"]): [row[name] for name in OURS] for row in rows}
    # A reply across midnight belongs to the day it ended on for us, and to the day it began on for
    # ccusage. Once those are moved, the two must agree on every token.
    apart = [reply for reply in replies(corpus) if reply.first[:10] != reply.last[:10]]
    for reply in apart:
        for day, sign in ((reply.first[:10], 1), (reply.last[:10], -1)):
            group = ours.setdefault((day, reply.model), [0] * len(OURS))
            group[:] = [a + sign * reply.usage[name] for a, name in zip(group, OURS, strict=True)]
    assert {key: group for key, group in ours.items() if any(group)} == {
        (day.get("date") or day["period"], model["modelName"]): [model[THEIRS[n]] for n in OURS]
        for day in found["daily"] for model in day["modelBreakdowns"]
    }  # fmt: skip
    first, theirs_first = by_turns(corpus, theirs)
    subprocess.run([sys.executable, "-m", "cli", "import"], env=corpus.env, cwd=ROOT, check=True,
                   capture_output=True)  # fmt: skip
    assert usage(corpus, "day,model")[1] == report
    again, theirs_again = by_turns(corpus, theirs)
    with capsys.disabled():
        print(f"\nusage by day and model of {truth['bytes'] / 1e6:.0f} MB, CPU and wall seconds:")
        for name, ours_, other in (("nothing imported", first, theirs_first),
                                   ("imported", again, theirs_again)):  # fmt: skip
            print(f"  {name}: {ours_.cpu:.2f} and {ours_.wall:.2f}; "
                  f"ccusage {other.cpu:.2f} and {other.wall:.2f}")  # fmt: skip
        print(f"  {len(apart)} replies on both sides of midnight")
    assert first.cpu <= MOST * theirs_first.cpu
    assert again.cpu <= SLACK * theirs_again.cpu


def by_turns(corpus: Corpus, theirs: list[str]) -> tuple[Times, Times]:
    """Run both programs in turns; return the least times of each."""
    pairs = [(usage(corpus, "day,model")[0], timed(theirs, corpus.env)[0]) for _ in range(ROUNDS)]
    ours, others = zip(*pairs, strict=True)
    return least(list(ours)), least(list(others))


def test_blocks(corpus: Corpus) -> None:
    """Blocks of five hours begin where those of ccusage do, and have as many replies."""
    program = ccusage(corpus.top)
    _, found = timed([program, "blocks", *corpus.config], corpus.env)
    theirs = {b["startTime"]: b["entries"] for b in found["blocks"] if not b["isGap"]}
    ours = {row["start"]: row["replies"] for row in usage(corpus, "block")[1]["rows"]}
    all_replies = replies(corpus)
    assert theirs == starts([reply.first for reply in all_replies])
    assert ours == starts([reply.last for reply in all_replies])
    assert len(theirs.keys() ^ ours.keys()) <= len(ours) // 20


def starts(times: list[str]) -> dict[str, int]:
    """Return the replies of each block, found reply by reply."""
    return dict(Counter(map(iso, reference(sorted(millis(at) or 0 for at in times)))))
