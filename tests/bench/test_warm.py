"""How long a tool call waits in the real client: no hooks, /bin/true, the command hook, the module.

Times depend on other load, so sessions of the four kinds alternate, quartiles are printed beside
medians, and only the number of calls is asserted.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.api import Api, call
from tests.e2e.client import REPO, Client, find_client, new_id

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.wire import Reply

pytestmark = pytest.mark.bench

CALLS = int(os.environ.get("JOURNAL_BENCH_CALLS", "200"))
PER_SESSION = 25
KINDS = ("no hooks", "/bin/true", "command hook", "module")


class TimedApi(Api):
    """The API stand-in, with the time of each request of a conversation."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def take(self, body: dict[str, Any]) -> Reply:
        """Note the time and answer."""
        if body.get("tools"):
            self.times.append(time.monotonic())
        return super().take(body)


def client_of(kind: str, base: Path, url: str, executable: Path) -> Client:
    """Return a client of one kind, in a home of its own."""
    true = base / "true-plugin"
    (true / ".claude-plugin").mkdir(parents=True)
    (true / "hooks").mkdir()
    (true / ".claude-plugin" / "plugin.json").write_text('{"name": "true", "version": "1.0.0"}')
    handler = {"type": "command", "command": "/bin/true", "args": []}
    (true / "hooks" / "hooks.json").write_text(
        json.dumps({"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [handler]}]}})
    )
    plugins = {"no hooks": (), "/bin/true": (true,)}.get(kind, (REPO,))
    return Client(base / "machine", url, executable, plugins=plugins, mods=kind == "module")


def session(client: Client, api: TimedApi) -> tuple[float, list[float]]:
    """Run one session; return seconds to the first request, and milliseconds of each tool call."""
    for _ in range(PER_SESSION):
        api.script(call("Read", file_path="notes.txt"))
    api.times.clear()
    began = time.monotonic()
    client.say("read", new_id())
    gaps = [1000 * (b - a) for a, b in zip(api.times, api.times[1:], strict=False)]
    return api.times[0] - began, gaps


def test_warm(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Print what each kind adds to a tool call and to the first request."""
    executable, why = find_client()
    if executable is None:
        pytest.skip(why)
    gaps: dict[str, list[float]] = {kind: [] for kind in KINDS}
    firsts: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with TimedApi() as api:
        clients = {
            kind: client_of(kind, tmp_path / str(at), api.url, executable)
            for at, kind in enumerate(KINDS)
        }
        for _ in range(max(1, CALLS // PER_SESSION)):
            for kind in KINDS:
                first, found = session(clients[kind], api)
                firsts[kind].append(1000 * first)
                gaps[kind] += found
    base = statistics.quantiles(gaps["no hooks"], n=4)
    with capsys.disabled():
        print(f"\n{'':14}{'calls':>6}{'p25':>8}{'median':>8}{'p75':>8}{'p25 +':>8}{'median +':>10}"
              f"{'first request':>15}")  # fmt: skip
        for kind in KINDS:
            low, middle, high = statistics.quantiles(gaps[kind], n=4)
            print(f"{kind:14}{len(gaps[kind]):6}{low:8.1f}{middle:8.1f}{high:8.1f}"
                  f"{low - base[0]:+8.1f}{middle - base[1]:+10.1f}"
                  f"{statistics.median(firsts[kind]):12.0f} ms")  # fmt: skip
    assert len({len(found) for found in gaps.values()}) == 1
