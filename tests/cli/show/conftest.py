"""An imported session whose texts are hostile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journal.history.conversations.lines import (
    SID,
    compacted,
    got,
    prompt_line,
    reply_line,
    use,
    written,
)
from tests.journal.history.conversations.test_resume import slug

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

HOSTILE = "\x1b[31mred\x1b]0;x\x07 \u202e <script>alert(1)</script> ![x](http://evil/p.png)"
SECRET = "ghp_" + "Ab3dEf6hIj" * 4


@pytest.fixture
def imported(workspace: Workspace) -> Workspace:
    """An imported transcript of the project."""
    workspace.env["TZ"] = "UTC"
    here = str(workspace.project)
    lines = [
        prompt_line(1, f"fix the total {HOSTILE}", cwd=here),
        reply_line(2, "I look at it.", use("Bash", "t1", command="pytest -q"), cwd=here),
        got(3, "t1", "Exit code 1\nassert 3 == 4", error=True, cwd=here),
        reply_line(4, use("Edit", "t2", file_path=f"{here}/cart.py"), cwd=here),
        got(5, "t2", "ok", cwd=here),
        reply_line(6, f"The sum ignored tax. The key was {SECRET}.\n```\ntotal <b>\n```", cwd=here),
        *compacted(7, "we fixed the total"),
        prompt_line(8, "and <private>the salary list</private> now?", cwd=here),
        reply_line(9, "Done.", cwd=here),
    ]
    folder = workspace.top / "claude/projects" / slug(workspace.project)
    written(folder / f"{SID}.jsonl", *lines)
    assert workspace.journal("import").code == 0
    return workspace
