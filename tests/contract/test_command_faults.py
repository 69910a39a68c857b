"""Each system call of a maintenance command fails once: nothing is lost, and it can be run again."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from journal.log.read import Reader
from journal.log.record import unframe
from journal.log.verify import verify
from tests.cases.world import ROOT, World
from tests.journal.log.faults import FAULTS, SHORT, shim
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["shim"]

SECRET = "a-secret-found-later"
COMMANDS: dict[str, list[str]] = {
    "redact": ["redact", "--yes", "--from", "secret"],
    "gc": ["gc", "--class", "prompts", "--class", "quarantine", "--older-than", "1", "--yes"],
    "seal": ["seal"],
    "repair": ["repair"],
    "rebuild": ["rebuild"],
}
STEPS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)  # a command makes several hundred calls
ALWAYS = ("open", "flock", "write")  # calls that every command makes, `rebuild` aside:
WITHOUT = {("rebuild", "write")}  # what it stores does not go through write()
SAMPLE = {
    ("redact", "rename", errno.EIO),
    ("gc", "write", errno.ENOSPC),
    ("repair", "write", SHORT),
}


def _cases(names: Any, sample: set[Any]) -> list[Any]:
    """Return cases of name, fault and failing calls: by default a sample, in the long run all."""
    whole = [
        pytest.param(name, call, code, STEPS if call in ALWAYS else STEPS[:8], marks=pytest.mark.long,
                     id=f"{name}-{call}-{errno.errorcode.get(code, 'short')}-all")
        for name in names
        for call, code in FAULTS
    ]  # fmt: skip
    return [
        pytest.param(*each, part((2, 13), 2), id="-".join(map(str, each)))
        for each in sorted(sample)
    ] + whole


def _fill(world: World) -> None:
    """Make a log with a sealed segment, old prompts, a secret and a damaged line."""
    world.start()
    for number in range(3):
        world.prompt(f"prompt {number}: the word is {SECRET}")
        world.tool()
    assert world.run("seal").code == 0
    world.prompt(f"again {SECRET}")
    with (world.directory / "active.jsonl").open("ab") as file:
        file.write(f"rubbish {SECRET}\n".encode())
    world.prompt("and on")
    (world.project / "secret").write_text(SECRET)
    world.after(days=3)


def _records(directory: Path) -> dict[int, tuple[str, str]]:
    """Return seq → type and text of every record."""
    found = {seq: unframe(line) for seq, line in Reader(str(directory))}
    return {seq: (event["type"], str(event.get("text", ""))) for seq, event in found.items()}


def _fault(world: World, shim: Path, call: str, nth: int, code: int) -> dict[str, str]:
    """Return the environment in which a call of a process fails at its nth time."""
    return {"LD_PRELOAD": str(shim), "FAULT": f"{call}:{nth}:{code}",
            "FAULT_HOME": str(world.journal)}  # fmt: skip


def _run(world: World, words: list[str], fault: dict[str, str]) -> subprocess.CompletedProcess[str]:
    env = {**world.env(), "PYTHONPATH": str(ROOT), **fault}
    return subprocess.run([sys.executable, "-m", "cli", *words], cwd=world.project, env=env,
                          capture_output=True, text=True, check=False, timeout=120)  # fmt: skip


@pytest.mark.parametrize(("name", "call", "code", "steps"), _cases(COMMANDS, SAMPLE))
def test_a_failing_call_never_harms_a_command(
    make_world: Callable[..., World],
    shim: Path,
    name: str,
    call: str,
    code: int,
    steps: tuple[int, ...],
) -> None:
    """The command exits 0, 1 or 3, no record is lost, and running it again does its work."""
    for nth in steps:
        world = make_world(inline=True)
        _fill(world)
        directory = world.directory  # a failed seal leaves no active segment to find it by
        before = _records(directory)
        ran = _run(world, COMMANDS[name], _fault(world, shim, call, nth, code))
        struck = "struck" in ran.stderr
        assert ran.returncode in (0, 1, 3), ran.stderr
        assert "Traceback" not in ran.stderr
        after = _records(directory)
        assert {seq: kind for seq, (kind, _) in after.items() if seq in before} == {
            seq: kind for seq, (kind, _) in before.items()
        }
        again = world.run(*COMMANDS[name])
        assert again.code in (0, 1), again.err
        assert world.run("repair").code == 0
        assert verify(str(directory)).exit_code == 0
        after = _records(directory)
        if name == "redact":
            left = [path for path in directory.rglob("*") if path.is_file()]
            assert [path for path in left if SECRET.encode() in path.read_bytes()] == []
        elif name == "gc":
            assert not any(text for kind, text in after.values() if kind == "prompt.submitted")
        else:
            assert all(after[seq] == before[seq] for seq in before)
        if not struck:
            missed = call in ALWAYS and (name, call) not in WITHOUT
            assert nth > steps[0] or not missed, "the fault never struck"
            return


HANDLERS = {
    "permit": {"hook_event_name": "PermissionRequest", "tool_name": "Bash",
               "tool_input": {"command": "journal status"}},
    "background": {"hook_event_name": "SessionStart", "source": "startup"},
}  # fmt: skip
ALLOWED = {"hookSpecificOutput": {"hookEventName": "PermissionRequest",
                                  "decision": {"behavior": "allow"}}}  # fmt: skip
HANDLER_SAMPLE = {("permit", "open", errno.EIO), ("background", "write", errno.ENOSPC)}


@pytest.mark.parametrize(("name", "call", "code", "steps"), _cases(HANDLERS, HANDLER_SAMPLE))
def test_a_failing_call_never_harms_a_handler(
    make_world: Callable[..., World],
    shim: Path,
    name: str,
    call: str,
    code: int,
    steps: tuple[int, ...],
) -> None:
    """The permission and background handlers exit 0, print an answer or nothing, and lose nothing."""
    world = make_world(inline=True)
    _fill(world)
    assert world.run("repair").code == 0
    directory = world.directory
    before = _records(directory)
    given = {"session_id": world.sid, "cwd": str(world.project), **HANDLERS[name]}
    for nth in steps:
        env = {**world.env(), **_fault(world, shim, call, nth, code)}
        ran = subprocess.run([*world.python, str(ROOT / "hooks" / "run.py"), name], env=env,
                             input=json.dumps(given).encode(), capture_output=True, check=False,
                             cwd=world.project, timeout=120)  # fmt: skip
        assert ran.returncode == 0
        assert ran.stderr in (b"", b"struck\n")
        answer = json.loads(ran.stdout) if ran.stdout else ALLOWED
        assert answer == ALLOWED
        assert name == "permit" or not ran.stdout
        assert verify(str(directory)).exit_code == 0
        after = _records(directory)
        assert {seq: after[seq] for seq in before} == before
        if not ran.stderr:
            return
