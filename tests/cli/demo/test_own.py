"""`journal demo` on the person's own transcripts."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from cli.past import search
from tests.tools.transcripts import write


def files(top):
    """Map each file below a directory to its bytes."""
    return {path: path.read_bytes() for path in top.rglob("*") if path.is_file()}


def test_one_s_own_history_in_one_command(workspace):
    """With transcripts on disk one command shows one's own history and stores nothing."""
    client = workspace.top / "client"
    write(client, sessions=8, entries=60, projects=2)
    before = files(workspace.top)
    result = workspace.journal("demo", CLAUDE_CONFIG_DIR=str(client))
    assert result.code == 0, result.err
    assert files(workspace.top) == before
    for part in ("Your last sessions", "Where context ran out", "What it cost", "be resumed"):
        assert result.out.count(part) >= 1, part
    assert re.search(r"\$\s?\d", result.out)
    assert "recorded:" not in result.out
    assert "`journal setup` records" in result.out
    workspace.home.mkdir(exist_ok=True)
    (workspace.home / "install.json").write_text("{}", encoding="utf-8")
    result = workspace.journal("demo", CLAUDE_CONFIG_DIR=str(client))
    assert ("The journal is set up" in result.out, "journal setup" in result.out) == (True, False)


def test_nothing_is_announced_as_kept(workspace, monkeypatch):
    """At a terminal the demo does not say that an index, which it deletes, is built once."""
    client = workspace.top / "client"
    write(client, sessions=2, entries=20, projects=1)
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(search, "sys", SimpleNamespace(stderr=terminal))
    result = workspace.journal("demo", CLAUDE_CONFIG_DIR=str(client))
    assert ("Your last sessions" in result.out, result.err) == (True, "")


def test_restored_transcripts_count(workspace):
    """Files restored from a backup are newer than their contents; they are read all the same."""
    client = workspace.top / "client"
    write(client, sessions=4, entries=60, projects=1)
    for path in client.rglob("*.jsonl"):
        path.touch()
    result = workspace.journal("demo", CLAUDE_CONFIG_DIR=str(client))
    assert "be resumed" in result.out
    assert re.search(r"\$\s?\d", result.out)


@pytest.mark.parametrize("days,period", [(40, "week"), (720, "month")])
def test_cost_fits_a_screen(workspace, days, period):
    """Years of history cost by month, not in a hundred rows by week."""
    client = workspace.top / "client"
    write(client, sessions=30, entries=10, projects=1, days=days)
    out = workspace.journal("demo", CLAUDE_CONFIG_DIR=str(client)).out
    assert f"Tokens and cost of all projects, by {period}" in out
    assert len(re.findall(r"^20\d\d-.*\$", out, re.MULTILINE)) <= 26
