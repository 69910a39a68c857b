"""`journal events --follow`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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
