"""The guard before the command hooks passes every event on, unless the child has it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.hooks.warm.client import GUARD, HOOK
from tests.hooks.warm.events import tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cases.world import World

ECHO = ["sh", "-c", "echo ran; cat"]


def guarded(base: Path, given: bytes, *command: str) -> bytes:
    """Run the guard before a command."""
    env = {"PATH": os.environ["PATH"], "CLAUDE_PLUGIN_DATA": str(base), "CLAUDE_PID": "7"}
    return subprocess.run(
        ["sh", GUARD, *command], input=given, env=env, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("child", ["none", "short events", "long events"])
@pytest.mark.parametrize("given", [
    b'{"session_id":"' + b"\xc3\xa9" * 60_000 + b'"}\n', b"", b"\n", b'{"a":1}', b"{}\n\n",
    b'{"journal":17,"x":"' + b"y" * 60 + b'"}\n', b'{"journal":"1x","x":"' + b"y" * 60 + b'"}\n',
    b'{"journal":"../x","x":"' + b"y" * 60 + b'"}\n', b'{"a":" \\n"}\n \n',
])  # fmt: skip
def test_the_guard_passes_everything_on(tmp_path: Path, given: bytes, child: str) -> None:
    """An event without the module's mark reaches the hook byte for byte, child or no child."""
    folder_of(tmp_path, child)
    # With `head` the shell drops the last line ends of an input shorter than 40 bytes.
    is_cut = child == "long events" and len(given) < 40
    wanted = given.rstrip(b"\n") if is_cut else given
    assert guarded(tmp_path, given, *ECHO) == b"ran\n" + wanted


@pytest.mark.parametrize("size", [100, 100_000])
@pytest.mark.parametrize("child", ["short events", "long events"])
def test_the_guard_ends(tmp_path: Path, child: str, size: int) -> None:
    """For a recorded event the guard starts nothing and prints the answer, if there is one."""
    (folder_of(tmp_path, child) / "17").write_text('{"systemMessage":"é"}')
    rest = b',"x":"' + b"y" * size + b'"}\n'
    assert guarded(tmp_path, b'{"journal":""' + rest, *ECHO) == b""
    assert guarded(tmp_path, b'{"journal":"17"' + rest, *ECHO).decode() == '{"systemMessage":"é"}'


def folder_of(base: Path, child: str) -> Path:
    """Create what a child leaves for the guard; return the directory of its answers."""
    folder = base / "warm" / "7"
    if child != "none":
        folder.mkdir(parents=True)
    if child != "none":
        (base / "warm" / "7.short").write_text("1" if child == "short events" else "")
    return folder


def test_a_mark_reaches_no_hook(world: World) -> None:
    """If a marked event reaches the hook all the same, the hook leaves it to the module."""
    given = b'{"journal":"",' + tool(world, 1)[1:]
    subprocess.run(HOOK, input=given, env=world.env(), check=True)
    assert not list(world.journal.glob("*/active.jsonl"))


@pytest.mark.parametrize("left", ["nothing", "directory", "pipe"])
def test_an_answer_that_is_gone(world: World, left: str) -> None:
    """Whatever is in the answer's place, the guard ends with 0, says nothing and waits for nobody."""
    folder = world.base / "data" / "warm" / "1"
    folder.mkdir(parents=True)
    if left == "directory":
        (folder / "17").mkdir()
    elif left == "pipe":
        os.mkfifo(folder / "17")
    env = {**world.env(), "CLAUDE_PLUGIN_DATA": str(world.base / "data"), "CLAUDE_PID": "1"}
    done = subprocess.run(
        ["sh", GUARD, *HOOK], input=b'{"journal":"17",' + tool(world, 1)[1:], env=env,
        capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
