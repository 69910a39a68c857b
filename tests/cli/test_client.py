"""`journal hook`, `journal statusline`, and `journal demo`: the programs, run for what they print."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import SID

ROOT = Path(__file__).parents[2]


def program(place, *words: str, stdin: str) -> tuple[int, str, str]:
    """Run `journal` as a process: `hook` and `statusline` become the program of the hooks."""
    done = subprocess.run([sys.executable, "-m", "cli", *words], cwd=ROOT, env=place.env,
                          input=stdin.encode("utf-8", "surrogateescape"), capture_output=True,
                          check=False)  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_hook_is_the_hook(place):
    """`journal hook` appends and answers like the lean entry."""
    call = {"session_id": SID, "cwd": str(place.project), "hook_event_name": "UserPromptSubmit",
            "prompt": "x"}  # fmt: skip
    assert program(place, "hook", stdin=json.dumps(call)) == (0, "", "")
    assert place.journal("events", "--json", "--limit", "1").data[0]["text"] == "x"


@pytest.mark.parametrize("stdin", ["", "nonsense", "[]", "\udcff\udcfe", '{"hook_event_name":3}'])
def test_hook_never_fails(stdin, place):
    """Whatever comes in: exit 0, and nothing on stdout or stderr."""
    assert program(place, "hook", stdin=stdin) == (0, "", "")


def test_statusline_is_the_line(told):
    """`journal statusline` prints what the lean entry prints."""
    line = (ROOT / "tests/fixtures/payloads/statusline.jsonl").read_text().splitlines()[1]
    code, out, err = program(told, "statusline", stdin=line)
    assert (code, err) == (0, "")
    assert out.startswith("context 4% (42k of 967k)")


@pytest.mark.parametrize("name", ["hook", "statusline"])
def test_the_program_starts_before_typer_loads(name):
    """What Claude Code waits for is started with the standard library alone."""
    code = ("import os, sys; os.execv = lambda *call: print(call[1][1:3], 'typer' in sys.modules);"
            f"sys.argv = ['journal', {name!r}]; from cli.__main__ import main; main()")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True,
                          check=True)  # fmt: skip
    assert done.stdout == "['-I', '-S'] False\n"


def test_demo_leaves_nothing(place):
    """The demo works in a directory of its own that is gone afterwards; no journal is touched."""
    temporary = place.top / "tmp"
    temporary.mkdir()
    done = subprocess.run([sys.executable, "-m", "cli", "demo"], capture_output=True, text=True,
                          check=True, cwd=ROOT, env={**place.env, "TMPDIR": str(temporary)})  # fmt: skip
    assert done.stderr == ""
    assert list(temporary.iterdir()) == []
    assert not place.home.exists()
    assert "Claude is told:" in done.stdout
    assert tempfile.gettempdir() not in done.stdout.replace("a temporary directory", "")


def test_demo_is_the_same_every_time(place):
    """Under JOURNAL_NOW the demo is the same text, whatever it is called from."""
    first = place.journal("demo")
    assert first.out == place.journal("demo", CLAUDE_CODE_SESSION_ID="x", JOURNAL_SESSION="y").out


def test_demo_tells_the_whole_story(place):
    """The story crosses both levels, compacts by itself, recovers, and repeats nothing."""
    out = place.journal("demo").out
    for part in ("reached the info level", "reached the urgent", "compact.started    auto",
                 "Journal of this session", "Where to go next"):  # fmt: skip
        assert out.count(part) == 1, part


@pytest.mark.parametrize("words", [[], ["--json"]], ids=["lines", "json"])
def test_follow_shows_what_comes(words, told):
    """`events --follow` prints what is there and then each event as it is appended, once."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "events", "--follow", "--limit", "1", *words], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
        env={**told.env, "JOURNAL_PROJECT": str(told.project)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert "tool.finished" in first
        for text in ("alpha", "beta"):
            told.journal("note", text)
            line = process.stdout.readline()
            assert "flow.noted" in line
            assert text in line
            assert not words or json.loads(line)["text"] == text
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (out, err) == ("", "")
    assert process.returncode == 130
