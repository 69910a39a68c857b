"""`journal demo`: what it prints, and that it leaves nothing behind."""

from __future__ import annotations

import shutil
import tempfile
from unittest.mock import patch

import pytest

from tests.cli.conftest import AFTER, Workspace
from tests.support.copied import short_folder

GIVEN = {"JOURNAL_NOW": AFTER, "CLAUDE_CODE_SESSION_ID": "x", "JOURNAL_SESSION": "y"}


@pytest.fixture(scope="module")
def shown():
    """Run the demo once; return its output and the world it ran in."""
    workspace = Workspace(str(short_folder()))
    (workspace.top / "tmp").mkdir()
    with patch.object(tempfile, "tempdir", str(workspace.top / "tmp")):
        done = workspace.journal("demo", **GIVEN)
    assert done.code == 0, done.err
    yield done, workspace
    shutil.rmtree(workspace.top)


def test_demo_leaves_nothing(shown):
    """The demo works in its own directory, which is gone afterwards; no journal changes."""
    done, workspace = shown
    assert done.err == ""
    assert list((workspace.top / "tmp").iterdir()) == []
    assert not workspace.home.exists()
    assert "to Claude:" in done.out
    assert str(workspace.top) not in done.out.replace("a temporary directory", "")


def test_the_text(shown, golden):
    """The demo's text equals its golden file; without transcripts it plays the recorded session."""
    done, workspace = shown
    assert done.out.startswith("No Claude Code sessions on this machine")
    golden("demo", workspace.plain(done.out))


@pytest.mark.long  # the golden file is its text, too
def test_demo_is_the_same_every_time(shown, workspace):
    """Under JOURNAL_NOW the demo prints the same text, wherever it is called from."""
    again = workspace.journal("demo", "--recorded", **GIVEN)
    assert shown[0].out.partition("\n\n")[2] == again.out


def test_demo_tells_the_whole_story(shown):
    """The demo crosses both levels, compacts automatically, recovers, and repeats nothing."""
    for part in ("Context at the info level", "Context at the urgent", "compact.started    auto",
                 "Journal of this session", "\nNext\n"):  # fmt: skip
        assert shown[0].out.count(part) == 1, part
