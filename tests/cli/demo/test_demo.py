"""`journal demo`: what it prints, and that it leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import Workspace

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Run the demo once; return its output and the world it ran in."""
    workspace = Workspace(str(tmp_path_factory.mktemp("demo")))
    (workspace.top / "tmp").mkdir()
    done = subprocess.run([sys.executable, "-m", "cli", "demo", "--recorded"], capture_output=True, text=True, check=True,
                          cwd=ROOT, env={**workspace.env, "TMPDIR": str(workspace.top / "tmp")})  # fmt: skip
    return done, workspace


def test_demo_leaves_nothing(shown):
    """The demo works in its own directory, which is gone afterwards; no journal changes."""
    done, workspace = shown
    assert done.stderr == ""
    assert list((workspace.top / "tmp").iterdir()) == []
    assert not workspace.home.exists()
    assert "to Claude:" in done.stdout
    assert tempfile.gettempdir() not in done.stdout.replace("a temporary directory", "")


@pytest.mark.long  # the golden file is its text, too
def test_demo_is_the_same_every_time(shown, workspace):
    """Under JOURNAL_NOW the demo prints the same text, wherever it is called from.

    Without transcripts it plays the recorded session by itself, and says so.
    """
    again = workspace.journal("demo", CLAUDE_CONFIG_DIR=str(workspace.top / "none"),
                              CLAUDE_CODE_SESSION_ID="x", JOURNAL_SESSION="y")  # fmt: skip
    said, _, text = again.out.partition("\n\n")
    assert said.startswith("No Claude Code sessions on this machine")
    assert text == shown[0].stdout


def test_demo_tells_the_whole_story(shown):
    """The demo crosses both levels, compacts automatically, recovers, and repeats nothing."""
    for part in ("Context at the info level", "Context at the urgent", "compact.started    auto",
                 "Journal of this session", "\nNext\n"):  # fmt: skip
        assert shown[0].stdout.count(part) == 1, part
