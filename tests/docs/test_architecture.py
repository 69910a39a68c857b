"""docs/architecture.md: the worked example works as written, and the files it names exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import ROOT
from tests.support.code import copy_code

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n# ([^\n]+)\n(.*?)```", PAGE, re.DOTALL)


def _apply(top: Path) -> None:
    """Apply the page's edits to a copy of the code."""
    for where, code in BLOCKS:
        if where.startswith("new file "):
            (top / where.removeprefix("new file ")).write_text(code, encoding="utf-8")
        elif where.startswith("at the end of "):
            path = top / where.removeprefix("at the end of ")
            path.write_text(path.read_text(encoding="utf-8") + "\n\n" + code, encoding="utf-8")
        else:
            name, _, anchor = where.removeprefix("in ").partition(", after: ")
            path = top / name
            text = path.read_text(encoding="utf-8")
            assert text.count(f"{anchor}\n") == 1, (name, anchor)
            path.write_text(text.replace(f"{anchor}\n", f"{anchor}\n{code}"), encoding="utf-8")


def test_the_worked_example_works(tmp_path: Path) -> None:
    """The example on the page adds an event, a view, a message and a command that work."""
    assert len(BLOCKS) == 10
    top = tmp_path / "code"
    copy_code(top, "journal", "projections", "hooks", "cli")
    _apply(top)
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "PYTHONPATH": str(top)}
    command = [sys.executable, "-m", "cli", "risk", "The", "importer", "may", "run", "twice"]
    noted = subprocess.run(
        command, check=False, env=env, cwd=project, capture_output=True, text=True
    )
    assert noted.returncode == 0, noted.stderr
    call = {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup",
            "cwd": str(project)}  # fmt: skip
    hook = [sys.executable, "-I", "-S", str(top / "hooks" / "run.py")]
    ran = subprocess.run(hook, input=json.dumps(call).encode(), env=env, cwd=project, check=True,
                         capture_output=True)  # fmt: skip
    text = json.loads(ran.stdout)["hookSpecificOutput"]["additionalContext"]
    assert 'Newest risk in the journal: "The importer may run twice".' in text


@pytest.mark.parametrize("page", ["architecture.md"])
def test_files_that_the_page_names_exist(page: str) -> None:
    """Every path on the page that looks like one of ours exists."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = set(
        re.findall(r"\b((?:journal|projections|hooks|cli|tests)/[\w./]+\w(?:\.py|/))", text)
    )
    made = {where.removeprefix("new file ") for where, _ in BLOCKS} | {
        "projections/messages/NAME.py"
    }
    missing = [name for name in sorted(named - made) if not (ROOT / name).exists()]
    assert len(named) > 20
    assert missing == []
