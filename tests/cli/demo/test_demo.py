"""`journal demo`: what it prints, and that it leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_demo_leaves_nothing(workspace):
    """The demo works in its own directory, which is gone afterwards; no journal changes."""
    temporary = workspace.top / "tmp"
    temporary.mkdir()
    done = subprocess.run([sys.executable, "-m", "cli", "demo", "--recorded"], capture_output=True, text=True,
                          check=True, cwd=ROOT, env={**workspace.env, "TMPDIR": str(temporary)})  # fmt: skip
    assert done.stderr == ""
    assert list(temporary.iterdir()) == []
    assert not workspace.home.exists()
    assert "to Claude:" in done.stdout
    assert tempfile.gettempdir() not in done.stdout.replace("a temporary directory", "")


def test_demo_is_the_same_every_time(workspace):
    """Under JOURNAL_NOW the demo prints the same text, wherever it is called from."""
    first = workspace.journal("demo", "--recorded")
    assert (
        first.out
        == workspace.journal(
            "demo", "--recorded", CLAUDE_CODE_SESSION_ID="x", JOURNAL_SESSION="y"
        ).out
    )


def test_demo_tells_the_whole_story(workspace):
    """The demo crosses both levels, compacts automatically, recovers, and repeats nothing."""
    out = workspace.journal("demo", "--recorded").out
    for part in ("Context at the info level", "Context at the urgent", "compact.started    auto",
                 "Journal of this session", "\nNext\n"):  # fmt: skip
        assert out.count(part) == 1, part
