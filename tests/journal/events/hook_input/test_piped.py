"""Whether the output of a piped command shows that it failed."""

from __future__ import annotations

import pytest

from journal.events.hook_input.piped import shows_error
from tests.journal.events.hook_input.made import event_of


@pytest.mark.parametrize(
    ("command", "output", "fails"),
    [
        ("cargo build 2>&1 | tail -5", "error: could not compile `codec`", True),
        ("CI=1 npx tsc | head", "src/a.ts(3,5): error TS2322: Type", True),
        ("make all | tail", "make: *** [all] Error 2", True),
        ("./gradlew assemble | tail", "BUILD FAILED in 21s", True),
        ("cd x && cargo build | tail", "warning: unused import", False),
        ("cd x && grep error: log | head", "error: x", False),
        ("docker logs web 2>&1 | tail", "fatal: x", False),
        ("git log -p 2>&1 | head", "error: x", False),
        ("git push 2>&1 | tail -3", "fatal: unable to access", True),
        ("ninja -C out || true", "ninja: build stopped: subcommand failed.", True),
        ("cmake -B out; echo $?", "1", True),
        ("cd x; python run.py; true", "Traceback (most recent call last):", True),
        ("python run.py;true", "Traceback (most recent call last):", True),
        ("cat log; true", "Traceback (most recent call last):", False),
        ("make; echo $?", "made\n0", False),
        ("make; echo $?", "127", True),
        ("make; echo $?", "took 1200", False),
        ("ruff check . | tail -1", "Found 3 errors.", True),
        ("npx eslint . | tail", "✖ 3 problems (3 errors, 0 warnings)", True),
        ("dotnet build | tail", "    0 Error(s)", False),
        ("terraform plan | tail", "│ Error: Invalid reference", True),
        ("nosuch | tail", "bash: nosuch: command not found", True),
    ],
)
def test_a_pipe_hides_a_failure(command: str, output: str, *, fails: bool) -> None:
    """A command before a pipe failed if its output says so, unless it shows that of others."""
    assert shows_error(command, output) is fails


SHOWING = (
    "grep egrep rg ag cat bat ls find fd head tail sed awk jq yq less echo printf ps docker kubectl gh "
    "glab curl journalctl strings diff sort wc tee rm mv which true xxd od"
).split()
SHOWING_OF_GIT = "log show diff grep blame cat-file fsck ls-files ls-tree".split()


@pytest.mark.parametrize("command", [*SHOWING, *(f"git {name}" for name in SHOWING_OF_GIT)])
def test_an_error_that_is_shown_is_not_ones_own(command: str) -> None:
    """A program that shows what is there does not fail because that has an error in it."""
    assert not shows_error(f"{command} x | tail", "error: x")


@pytest.mark.parametrize(
    ("command", "error"), [("make | tail", "fatal: x"), ("make; true", "fatal: x"), ("make", "")]
)
def test_its_error_is_recorded(command: str, error: str) -> None:
    """The event has the error; without a pipe the client's own status counts."""
    event = event_of("PostToolUse", tool_name="Bash", tool_input={"command": command},
                     tool_response={"stdout": "fatal: x"}, tool_use_id="t1")  # fmt: skip
    assert event.get("error", "") == error
