"""The text of every command at 80 columns, as readable files."""

from __future__ import annotations

import itertools

import pytest

from journal.text import width
from tests.support.command import all_commands
from tests.support.examples import third

COMMANDS: dict[str, tuple[str, ...]] = {
    "status": ("status",),
    "status-session": ("status", "--session", "c00f"),
    "view-pressure": ("view", "pressure", "--session", "c00f089c"),
    "view-compound": ("view", "compound"),
    "view-recovery": ("view", "recovery", "--session", "c00f"),
    "view-lineage": ("view", "lineage"),
    "view-sessions": ("view", "sessions"),
    "view-learnings": ("view", "learnings"),
    "events": ("events",),
    "events-type": ("events", "--type", "compact.", "--type", "advice.given"),
    "replay": ("replay", "--until", "9"),
    "replay-diff": ("replay", "--until", "9", "--diff"),
    "replay-answers": ("replay", "--answers"),
    "replay-view": ("replay", "--view", "pressure"),
    "verify": ("verify",),
    "repair": ("repair",),
    "seal": ("seal",),
    "rebuild": ("rebuild",),
    "note": ("note", "carts", "are", "rounded"),
    "decide": ("decide", "codes are upper case"),
    "compound": ("compound", "--promoted", "2"),
    "learning-add": ("learning", "add", "--topic", "cart", "--title", "Round once", "--body", "x"),
    "learning-list": ("learning", "list"),
    "config": ("config",),
    "config-set": ("config", "set", "pressure.info", "0.65"),
    "config-check": ("config", "check"),
    "version-help": ("--help",),
}  # fmt: skip
ELSEWHERE = {
    "demo": "tests/cli/demo",
    "team": "tests/cli/test_team.py",
"mcp": "tests/cli/mcp",
    "help": "tests/cli/test_app.py",
    "import": "tests/cli/import_", "explain": "tests/cli/test_explain.py", "tune": "tests/cli/test_tune.py",
    "stats": "tests/cli/stats", "usage": "tests/cli/test_usage.py",
    "config show": "tests/cli/test_config.py",
    "sql": "tests/cli/sql", "schema": "tests/cli/sql",
    "export": "tests/journal/history/export",
    "redact": "tests/cli/test_forget.py", "gc": "tests/cli/test_forget.py",
    "sessions": "tests/cli/past", "get": "tests/cli/past", "export-session": "tests/cli/past",
    "show": "tests/cli/show", "pack make": "tests/cli/past", "pack list": "tests/cli/past",
    "pack send": "tests/cli/past", "summarize": "tests/cli/past", "search": "tests/cli/past", "serve": "tests/cli/serve",
    "setup": "tests/cli/install", "uninstall": "tests/cli/install",
    "doctor": "tests/cli/install", "hook": "tests/cli/test_client.py",
    "statusline": "tests/cli/test_client.py", "learning confirm": "tests/cli/test_writing.py",
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_text(name, played, golden):
    """A command's text equals its golden file and fits 80 columns."""
    result = played.journal(*COMMANDS[name])
    assert result.code == 0, result.err
    assert name.startswith("view") or all(width(line) <= 80 for line in result.out.splitlines())
    golden(
        name, played.plain(result.out + "".join(f"[stderr] {x}\n" for x in result.err.splitlines()))
    )


@pytest.mark.parametrize(("name", "columns"), third(itertools.product(
    ("status", "events", "replay-answers", "learning-list", "config", "verify"), (20, 40, 60, 200))))  # fmt: skip
def test_any_width(name, columns, played):
    """No line is wider than COLUMNS, from 20 up, except for a path alone, which can be copied."""
    played.journal("learning", "add", "--topic", "cart", "--title", "端数処理は一度だけ行う" * 8)
    result = played.journal(*COMMANDS[name], COLUMNS=str(columns))
    assert result.code == 0
    path = f"journal     {played.directory}"
    wide = {line for line in result.out.splitlines() if width(line) > columns}
    assert wide == ({path} if name == "status" and width(path) > columns else set())


def test_every_command_is_here():
    """Each command has a golden file, or a test named here."""
    seen = {" ".join(words) for words in COMMANDS.values()}
    for panel, name, _ in all_commands():
        if panel == "Work in progress":
            continue  # commands with their own tests
        assert name in ELSEWHERE or any(
            text == name or text.startswith(name + " ") for text in seen
        ), name
