"""A journal home to damage, the readers to ask, and the ways to damage one of its files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import journal.history.importer.reader  # noqa: F401 (before a hook loads a part of msgspec)
from tests.cli.conftest import SID, play
from tests.support.command import run_command

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Workspace

IMPORTED_SID = "11111111-2222-4333-8444-555555555555"

READERS: dict[str, list[str]] = {
    "bare": [],
    "status": ["status"],
    "view": ["view", "sessions"],
    "view of pressure": ["view", "pressure"],
    "events": ["events"],
    "events as JSON": ["events", "--json"],
    "sql": ["sql", "select count(*) from events"],
    "sql of sessions": ["sql", "from sessions"],
    "stats": ["stats"],
    "usage": ["usage"],
    "sessions": ["sessions"],
    "search": ["search", "discount"],
    "get": ["get", "last"],
    "show": ["show", "last"],
    "tune": ["tune"],
    "summarize": ["summarize"],
    "export": ["export", "--to", "out"],
    "export of a session": ["export-session", "--session", SID],
    "packs": ["pack", "list"],
    "replay": ["replay"],
    "replay of answers": ["replay", "--answers"],
    "explain": ["explain", "3"],
    "stage": ["stage", "status"],
    "unit": ["unit", "list"],
    "verify": ["verify"],
}


def cut(path: Path) -> None:
    """Cut a file in half."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def delete(path: Path) -> None:
    """Delete a file."""
    path.unlink()


def directory(path: Path) -> None:
    """Put a directory in the place of a file."""
    path.unlink()
    path.mkdir(mode=0o700)


def build(workspace: Workspace) -> Workspace:
    """Make a journal with a log of three segments, and an imported one."""
    play(workspace)
    assert workspace.journal("seal").code == 0
    workspace.hook("UserPromptSubmit", prompt="the second discount")
    assert workspace.journal("seal", "--no-compress").code == 0
    workspace.hook("UserPromptSubmit", prompt="the third discount")
    workspace.hook("SessionEnd", reason="exit")
    _import(workspace)
    return workspace


def run(workspace: Workspace, words: list[str]) -> tuple[int, str, str]:
    """Run a command in this process: exit code, stdout, stderr."""
    result = run_command(words, workspace.env, workspace.project)
    return result.code, result.out, result.err


def _import(workspace: Workspace) -> None:
    folder = workspace.top / "claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    rows = [
        {"type": "user", "uuid": f"u{number}", "sessionId": IMPORTED_SID, "cwd": str(workspace.project),
         "timestamp": f"2026-11-20T08:0{number}:00.000Z", "version": "2.1.330",
         "message": {"role": "user", "content": f"an old discount {number}"}}
        for number in range(4)
    ]  # fmt: skip
    folder.joinpath(f"{IMPORTED_SID}.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows)
    )
    result = workspace.journal("import")
    assert result.code == 0, result.err
    assert (workspace.directory / "imported" / "active.jsonl").exists()
