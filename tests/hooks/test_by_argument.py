"""The handlers that an argument names, each as the process that Claude Code or a hook starts."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


def run(
    world: World, *arguments: str, given: dict[str, object]
) -> subprocess.CompletedProcess[str]:
    """Run the hook program with arguments."""
    return subprocess.run([*world.python, str(world.program), *arguments], env=world.env(),
                          input=json.dumps(given), capture_output=True, text=True, timeout=60,
                          check=False)  # fmt: skip


def test_permit_answers(make_world: Callable[..., World]) -> None:
    """A permission request for one of the journal's own commands is granted on stdout."""
    given = {"hook_event_name": "PermissionRequest", "tool_name": "Bash",
             "tool_input": {"command": "journal status"}}  # fmt: skip
    ran = run(make_world(), "permit", given=given)
    output = json.loads(ran.stdout)["hookSpecificOutput"]
    assert (ran.returncode, output["decision"]) == (0, {"behavior": "allow"})


def test_background_prints_nothing(make_world: Callable[..., World]) -> None:
    """The background handler works in silence."""
    world = make_world()
    world.start()
    given = {"hook_event_name": "SessionStart", "source": "startup", "session_id": world.sid,
             "cwd": str(world.project)}  # fmt: skip
    ran = run(world, "background", given=given)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [(("backup",), "ValueError"), (("backup", "/no", "/no", "s", "now", "many"), "Error"),
     (("written-files", "x"), "Error"), (("no such job",), "TypeError")],
)  # fmt: skip
def test_a_job_that_fails_is_noted(
    make_world: Callable[..., World], arguments: tuple[str, ...], error: str
) -> None:
    """Nobody waits for a job: it exits 0 in silence, and the error log names it."""
    world = make_world()
    ran = run(world, *arguments, given={})
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    line = (world.journal / "hook-errors.log").read_text()
    assert f" {arguments[0]} " in line
    assert error in line
