"""How long a tool call waits in the real client: no hooks, /bin/true, the command hook, the module.

An empty module beside /bin/true shows what Claude Code itself takes to load one.
Times depend on other load, so sessions of these kinds alternate, each round in another order,
quartiles are printed beside medians, and only the number of calls is asserted. A session is as long
as the median of real ones, because the command hook has the calls before the child runs. CPU time of
the guard is printed beside that of /bin/true, since load hardly changes it.
The stand-in replies after `REPLY` seconds, less than any model takes: what Claude Code does meanwhile
delays nobody. With none, everything behind a call competes with the next request.
Aims: within 5 ms of no hooks on a quiet machine, within 5 ms of /bin/true on a busy one; the first
request at most 100 ms later than with command hooks.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.api import Api, call
from tests.e2e.client import REPO, Client, find_client, new_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.wire import Reply

pytestmark = pytest.mark.bench

CALLS = int(os.environ.get("JOURNAL_BENCH_CALLS", "200"))
REPLY = float(os.environ.get("JOURNAL_BENCH_REPLY", "0.3"))
PER_SESSION = 69
BUSY = 3  # processes per processor that a busy machine runs beside the client
LONGEST = 900  # seconds after which they end by themselves
KINDS = ("no hooks", "/bin/true", "empty module", "command hook", "module")


class TimedApi(Api):
    """The API stand-in, with the time of each request of a conversation."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def take(self, body: dict[str, Any]) -> Reply:
        """Note the time and answer, as late as a fast model."""
        if body.get("tools"):
            self.times.append(time.monotonic())
        reply = super().take(body)
        time.sleep(REPLY)
        return reply


def client_of(kind: str, base: Path, url: str, executable: Path) -> Client:
    """Return a client of one kind, in a home of its own."""
    true = base / "true-plugin"
    (true / ".claude-plugin").mkdir(parents=True)
    (true / "hooks").mkdir()
    (true / ".claude-plugin" / "plugin.json").write_text('{"name": "true", "version": "1.0.0"}')
    handler = {"type": "command", "command": "/bin/true", "args": []}
    hooks: dict[str, Any] = {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [handler]}]}}
    if kind == "empty module":
        hooks["modules"] = ["./register.js"]
        (true / "hooks" / "register.js").write_text("export const register = on => {}\n")
    (true / "hooks" / "hooks.json").write_text(json.dumps(hooks))
    plugins = {"no hooks": ()}.get(kind, (REPO,) if kind in KINDS[-2:] else (true,))
    return Client(base / "machine", url, executable, plugins=plugins, mods="module" in kind)


def session(client: Client, api: TimedApi) -> tuple[float, list[float]]:
    """Run one session; return seconds to the first request, and milliseconds of each tool call."""
    for _ in range(PER_SESSION):
        api.script(call("Read", file_path="notes.txt"))
    api.times.clear()
    began = time.monotonic()
    client.say("read", new_id())
    gaps = [1000 * (b - a) for a, b in zip(api.times, api.times[1:], strict=False)]
    return api.times[0] - began, gaps


def _spin() -> None:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        pass


@contextmanager
def load(count: int) -> Iterator[None]:
    """Keep the processors busy with `count` processes."""
    spinning = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(count)]
    for process in spinning:
        process.start()
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.join()


@pytest.mark.parametrize("per_processor", [0, BUSY], ids=["as_it_is", "busy"])
def test_warm(tmp_path: Path, per_processor: int, capsys: pytest.CaptureFixture) -> None:
    """Print what each kind adds to a tool call and to the first request."""
    executable, why = find_client()
    if executable is None:
        pytest.skip(why)
    gaps: dict[str, list[float]] = {kind: [] for kind in KINDS}
    firsts: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with TimedApi() as api, load(per_processor * (os.cpu_count() or 1)):
        clients = {
            kind: client_of(kind, tmp_path / str(at), api.url, executable)
            for at, kind in enumerate(KINDS)
        }
        for number in range(max(1, round(CALLS / PER_SESSION))):
            for kind in KINDS[number % len(KINDS) :] + KINDS[: number % len(KINDS)]:
                first, found = session(clients[kind], api)
                firsts[kind].append(1000 * first)
                gaps[kind] += found
        busy = os.getloadavg()[0]
    none, true = (statistics.quantiles(gaps[kind], n=4) for kind in KINDS[:2])
    with capsys.disabled():
        print(f"\nload {busy:.1f}, {os.cpu_count()} processors; ms; p25 and median above no hooks | "
              f"above /bin/true; first request\n{'':13}{'calls':>5}{'p25':>7}{'median':>8}{'p75':>7}")  # fmt: skip
        for kind in KINDS:
            low, middle, high = statistics.quantiles(gaps[kind], n=4)
            print(f"{kind:13}{len(gaps[kind]):5}{low:7.1f}{middle:8.1f}{high:7.1f}"
                  f"{low - none[0]:+8.1f}{middle - none[1]:+7.1f} |{low - true[0]:+7.1f}"
                  f"{middle - true[1]:+7.1f}{statistics.median(firsts[kind]):8.0f}")  # fmt: skip
    assert len({len(found) for found in gaps.values()}) == 1


def test_guard(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Print the CPU time of the guard for a recorded event, beside that of /bin/true."""
    (tmp_path / "warm" / "1").mkdir(parents=True)
    (tmp_path / "warm" / "1.short").write_text("1")
    env = {"CLAUDE_PLUGIN_DATA": str(tmp_path), "CLAUDE_PID": "1", "PATH": os.environ["PATH"]}
    guard = ["/bin/sh", str(REPO / "hooks" / "guard.sh"), "false"]
    runs = {"/bin/true": (["/bin/true"], 500), "the guard, 500 bytes": (guard, 500),
            "the guard, 4,000 bytes": (guard, 4000)}  # fmt: skip
    used: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(5):
        for name, (argv, size) in runs.items():
            event = json.dumps({"journal": "", "tool_name": "Read", "x": "x" * (size - 50)}) + "\n"
            event = event.replace(": ", ":").replace(", ", ",")
            began = _children()
            for _ in range(100):
                subprocess.run(argv, input=event.encode(), env=env, check=True)
            used[name].append(10 * (_children() - began))
    with capsys.disabled():
        print(*(f"\n{name}: {min(ms):.2f} ms of CPU" for name, ms in used.items()))


def _children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
