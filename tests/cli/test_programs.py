"""`journal hook`, `journal statusline`, and `journal demo`: the programs, run for what they print."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import SID
from tests.support.examples import part

ROOT = Path(__file__).parents[2]


def program(workspace, *words: str, stdin: str) -> tuple[int, str, str]:
    """Run `journal` as a process: `hook` and `statusline` start the hooks' own program."""
    done = subprocess.run([sys.executable, "-m", "cli", *words], cwd=ROOT, env=workspace.env,
                          input=stdin.encode("utf-8", "surrogateescape"), capture_output=True,
                          check=False)  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_hook_is_the_hook(workspace):
    """`journal hook` appends and answers like the lean entry."""
    call = {"session_id": SID, "cwd": str(workspace.project), "hook_event_name": "UserPromptSubmit",
            "prompt": "x"}  # fmt: skip
    assert program(workspace, "hook", stdin=json.dumps(call)) == (0, "", "")
    assert workspace.journal("events", "--json", "--limit", "1").data[0]["text"] == "x"


@pytest.mark.parametrize(
    "stdin", part(["", "nonsense", "[]", "\udcff\udcfe", '{"hook_event_name":3}'], 2)
)
def test_hook_never_fails(stdin, workspace):
    """Whatever the input: exit 0, and nothing on stdout or stderr."""
    assert program(workspace, "hook", stdin=stdin) == (0, "", "")


def test_statusline_is_the_line(played):
    """`journal statusline` prints what the lean entry prints."""
    line = (ROOT / "tests/fixtures/payloads/statusline.jsonl").read_text().splitlines()[1]
    code, out, err = program(played, "statusline", stdin=line)
    assert (code, err) == (0, "")
    assert out.startswith("context 96% left until compaction (42k of 967k)")


@pytest.mark.parametrize("name", ["hook", "statusline"])
def test_the_program_starts_before_typer_loads(name):
    """The programs Claude Code waits for start with the standard library alone."""
    code = ("import os, sys; os.execv = lambda *call: print(call[1][1:3], 'typer' in sys.modules);"
            f"sys.argv = ['journal', {name!r}]; from cli.__main__ import main; main()")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True,
                          check=True)  # fmt: skip
    assert done.stdout == "['-I', '-S'] False\n"
