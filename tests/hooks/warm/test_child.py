"""The warm child starts where it is wanted, and ends with Claude Code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.hooks.warm.client import Child
from tests.hooks.warm.events import tool
from tests.support.code import copy_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cases.world import World


def ends_by_closing(child: Child) -> None:
    """Unload the module: nobody reads the child's output any more."""
    assert child.process.stdout is not None
    child.process.stdout.close()


def ends_by_signal(child: Child) -> None:
    """End the child as Claude Code does."""
    child.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [ends_by_closing, ends_by_signal])
def test_it_ends(world: World, end: Callable[[Child], None]) -> None:
    """The child ends with its reader or by a signal, and leaves neither socket nor directory."""
    with Child(world) as child:
        end(child)
        assert child.process.wait(30) == 0
        assert not os.path.exists(child.socket)
        assert not child.folder.exists()  # no event was claimed


_PARENT = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
print(child.pid, child.stdout.readline().decode().strip(), flush=True)
os.kill(os.getpid(), 9)
"""


def test_it_ends_with_a_client_that_is_killed(world: World) -> None:
    """After kill -9 of the client no process is left, and no socket."""
    with Child(world) as child:
        env = {**child.env, "CLAUDE_PID": "1"}
    argv = [sys.executable, "-c", _PARENT, *child.process.args]
    done = subprocess.run(argv, env=env, stdout=subprocess.PIPE, text=True, timeout=30, check=False)
    pid, path = done.stdout.split()
    with suppress(ProcessLookupError, AttributeError):
        ended = os.pidfd_open(int(pid))
        import select

        assert select.select([ended], [], [], 5)[0], "it runs on"
        os.close(ended)
    assert not os.path.exists(path)


def test_it_ends_when_the_code_is_replaced(world: World, tmp_path: Path) -> None:
    """After an update a request is declined, so the command hook of the new code handles it."""
    root = copy_code(tmp_path / "code")
    with Child(world, root) as child:
        assert child.taken(tool(world, 1)) == ""
        path = root / "hooks" / "capture.py"
        path.write_bytes(path.read_bytes())
        assert child.taken(tool(world, 2)) is None
        assert child.process.wait(30) == 0


@pytest.mark.parametrize(
    "more", [{"JOURNAL_OFF": "1"}, {"CLAUDE_PLUGIN_DATA": ""}, {"CLAUDE_PID": "x"}]
)
def test_it_is_not_wanted(world: World, more: dict[str, str]) -> None:
    """Switched off, or without a directory, its exit code asks not to be started again."""
    with Child(world, **more) as child:
        assert child.socket == ""
        assert child.process.wait(30) == 3


def test_the_setting(world: World) -> None:
    """`capture.warm = false` leaves everything to the command hooks."""
    world.journal.mkdir(parents=True)
    (world.journal / "config.toml").write_text("[capture]\nwarm = false\n")
    with Child(world) as child:
        assert child.process.wait(30) == 3


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc")
def test_memory(world: World) -> None:
    """The child uses less than 40 MiB, also after calls."""
    with Child(world) as child:
        for number in range(20):
            child.taken(tool(world, number))
        with open(f"/proc/{child.process.pid}/status", encoding="ascii") as file:
            (size,) = [int(line.split()[1]) for line in file if line.startswith("VmRSS")]
    assert size < 40 * 1024
