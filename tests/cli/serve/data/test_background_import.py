"""Past sessions are imported while the server runs, unless a setting disables it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.scope import Scope
from cli.serve.data.background_import import PastImport
from tests.cli.conftest import Workspace
from tests.cli.import_.test_automatic import write_transcript

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("auto", [True, False])
def test_past_sessions_come_in(tmp_path: Path, auto: bool) -> None:
    """A process of its own imports what Claude Code has stored, unless `import.auto` is off."""
    workspace = Workspace(str(tmp_path))
    workspace.env["HOME"] = str(tmp_path)
    for number in (1, 2):
        write_transcript(workspace, number, workspace.project)
    workspace.home.mkdir(mode=0o700, exist_ok=True)
    (workspace.home / "config.toml").write_text(f"[import]\nauto = {str(auto).lower()}\n")
    past = PastImport()
    assert not past.is_running
    past.start(Scope(workspace.env, cwd=str(workspace.project)))
    assert past._process is not None
    past._process.join(60)
    assert not past.is_running
    stored = [path for path in workspace.home.rglob("active.jsonl") if path.stat().st_size]
    assert bool(stored) is auto


def test_it_ends_with_the_server(workspace: Workspace) -> None:
    """Stopping the server ends the import; stopping before it began does nothing."""
    past = PastImport()
    past.stop()
    past.start(Scope(workspace.env, cwd=str(workspace.project)))
    past.stop()
    assert past._process is not None
    past._process.join(60)
    assert not past.is_running
