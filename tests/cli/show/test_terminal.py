"""A conversation at a terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cli.show.terminal import resume_lines
from journal.history.conversations.model import Resume
from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.journal.history.conversations.lines import SID

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def test_it_reads_as_a_conversation(imported: Workspace) -> None:
    """It shows speakers, calls, compactions with what they dropped, and how to resume."""
    out = imported.journal("show", SID[:8]).out
    for part in (
        "You  10:00\n    fix the total", "Claude  10:00\n    I look at it.",
        "• Bash pytest -q (failed: assert 3 == 4)", "• Edit cart.py",
        "Compaction (automatic): 167k → 12k tokens", "5 entries above left the context",
        "Changed files it does not mention: cart.py", "2 prompts, 2 tool calls (1 failed), 1 compaction",
        f"Resume: cd {imported.project} && claude --resume {SID}", "Read from the transcript",
    ):  # fmt: skip
        assert part in out, part
    assert "assert 3 == 4\n" not in out
    assert "assert 3 == 4" in imported.journal("show", SID, "--tools").out


def test_a_pager_gets_it_at_a_terminal(imported: Workspace) -> None:
    """PAGER runs if stdout is a terminal, never in a pipe; a long call is folded there."""
    import pty
    import subprocess
    import sys

    from tests.cases.world import ROOT

    pager = imported.top / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {imported.top}/paged\n")
    pager.chmod(0o700)
    env = {**imported.env, "PAGER": str(pager), "TERM": "xterm", "COLUMNS": "40",
           "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}  # fmt: skip
    command = [sys.executable, "-m", "cli", "show", SID]
    main, side = pty.openpty()
    subprocess.run(
        command, cwd=imported.project, env=env, stdout=side, stdin=side, check=True, timeout=60
    )
    os.close(side)
    os.close(main)
    paged = (imported.top / "paged").read_text(encoding="utf-8")
    assert "I look at it." in paged
    assert "  • Bash pytest -q (failed: assert 3 ==\n    4)\n" in paged
    (imported.top / "paged").unlink()
    subprocess.run(
        command, cwd=imported.project, env=env, capture_output=True, check=True, timeout=60
    )
    assert not (imported.top / "paged").exists()


def test_a_reason_of_several_sessions_is_one_line() -> None:
    """Commands and single reasons have a line each; a shared reason is counted once for all."""
    gone = [Resume(why=f'its directory is gone: "/{name}"') for name in "ab"]
    command, other = Resume(command="cd /c && claude"), Resume(why="its transcript does not exist")
    lines, shared = resume_lines([gone[0], command, gone[1], other])
    assert lines == [
        "", "Resume: cd /c && claude", "", "Cannot be resumed: its transcript does not exist",
    ]  # fmt: skip
    assert shared == "Cannot be resumed: its directory is gone (2 sessions)"
    assert resume_lines([command, gone[0], other])[1] == ""
