"""What bare `journal` says."""

from __future__ import annotations

import json
import re

import pytest

from cli.scope import Scope
from tests.cases.world import OTHER
from tests.cli.conftest import SID
from tests.tools.transcripts import write


def next_of(result) -> str:
    """Return the command that the output names as the next one."""
    (line,) = [line for line in result.out.splitlines() if line.startswith("Next: ")]
    return line.removeprefix("Next: ").partition(" (")[0]


def compactions_in(out):
    """Return the number of compactions that bare `journal` names, 0 for none."""
    found = re.search(r"of it for ([\d,]+) compactions?", " ".join(out.split()))
    return int(found[1].replace(",", "")) if found else 0


def test_without_a_journal(workspace):
    """Without any journal it names setup, with other projects' pasts search; exit 0, no files."""
    result = workspace.journal()
    assert (result.code, next_of(result)) == (0, "journal setup")
    assert f"No journal for {workspace.project} yet." in " ".join(result.out.split())
    assert not workspace.home.exists()
    folder = workspace.top / "claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text("{}\n")
    result = workspace.journal()
    assert next_of(result) == "journal sessions --all"
    (folder / "b.jsonl").write_text("")
    assert "1 past session of other projects" in " ".join(result.out.split())


@pytest.mark.parametrize("is_there", [False, True])
def test_after_setup(workspace, tmp_path, is_there):
    """It names the command that starts Claude Code, if there is one on PATH."""
    workspace.home.mkdir()
    (workspace.home / "install.json").write_text("{}")
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    if is_there:
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    result = workspace.journal(PATH=str(program.parent))
    assert next_of(result) == ("claude" if is_there else "start Claude Code")
    said = " ".join(result.out.split())
    assert ("not on PATH" in said, "the journal records your next" in said) == (
        not is_there,
        is_there,
    )


def test_with_a_journal(played):
    """It shows the last work, its cost, open work, and the most useful command; exit 0."""
    result = played.journal()
    assert (result.code, next_of(result)) == (0, "/journal:compound in Claude Code")
    listed = played.journal("sessions", "--limit", "5").out
    assert result.out.startswith(listed)
    for part in ("Cost: ", "work log", "compound"):
        assert part in result.out, part
    assert result.out.splitlines()[-1] == "All commands: journal help"


def test_sessions_without_work(workspace):
    """Where no session has work, it says so, and names no import that would bring nothing."""
    workspace.hook("SessionStart", SID, source="startup")
    assert workspace.journal().out.startswith("No session with work of its own yet;")
    assert len(workspace.journal("sessions", "--json").data) == 1


def test_a_journal_without_sessions(workspace):
    """A note before the first session is no session, and needs the plugin to become a learning."""
    workspace.journal("note", "hi")
    result = workspace.journal()
    assert result.out.startswith("No session yet.")
    assert next_of(result) == "journal setup"
    (workspace.home / "install.json").write_text("{}")
    assert next_of(workspace.journal(PATH="/none")) == "start Claude Code"


@pytest.mark.parametrize("ended", [False, True])
def test_the_named_session_can_be_shown(workspace, ended):
    """The next command shows a session: the last one that ended, or the open one by its ID."""
    workspace.hook("SessionStart", SID, source="startup")
    workspace.hook("UserPromptSubmit", SID, prompt="Round the totals")
    if ended:
        workspace.hook("SessionEnd", SID, reason="clear")
    command = next_of(workspace.journal())
    assert command == f"journal show {'last' if ended else SID[:8]}"
    assert workspace.journal(*command.split()[1:]).code == 0


def test_the_first_command_at_a_terminal(workspace, monkeypatch):
    """It imports the project's past and lists sessions, how to resume them, and their cost."""
    client = workspace.top / "client"
    write(client, sessions=6, entries=60, projects=1)
    (cwd,) = {
        json.loads(line)["cwd"]
        for path in client.rglob("*.jsonl")
        for line in path.read_text(errors="replace").splitlines()[:3]
        if '"cwd"' in line
    }
    for path in client.rglob("*.jsonl"):
        path.write_text(path.read_text(errors="replace").replace(cwd, str(workspace.project)))
    (folder,) = (client / "projects").iterdir()
    folder.rename(folder.parent / re.sub(r"[^A-Za-z0-9]", "-", str(workspace.project)))
    waiting = workspace.journal(CLAUDE_CONFIG_DIR=str(client))
    assert next_of(waiting) == "journal import"
    assert (waiting.out + waiting.err).count("past sessions of this project") == 1
    workspace.hook("SessionStart", OTHER, source="startup")
    assert workspace.journal(CLAUDE_CONFIG_DIR=str(client)).err.count("past sessions") == 1
    monkeypatch.setattr(Scope, "is_attended", property(lambda _: True))
    result = workspace.journal(CLAUDE_CONFIG_DIR=str(client))
    assert result.code == 0, result.err
    assert "claude --resume" in result.out
    assert re.search(r"Cost: \$[\d.]+ in the last 7 days, \$\d", result.out)
    before = compactions_in(result.out)
    workspace.hook("SessionStart", SID, source="startup")
    workspace.hook("UserPromptSubmit", SID, prompt="Round the totals")
    workspace.hook("PreCompact", SID, trigger="auto", custom_instructions="")
    workspace.hook("PostCompact", SID, trigger="auto", compact_summary="Totals")
    workspace.hook("SessionStart", OTHER, source="startup")
    out = workspace.journal(CLAUDE_CONFIG_DIR=str(client)).out
    assert compactions_in(out) == before + 1, "one that no transcript has yet"
    assert OTHER[:8] not in out.partition("Times are")[0], "a session without work"


def test_damage_comes_first(played):
    """Unrepaired damage gives exit code 1 and the command that shows the place."""
    raw = played.segment.read_bytes()
    played.segment.write_bytes(raw.replace(b"decision.recorded", b"decisiom.recorded", 1))
    result = played.journal()
    assert (result.code, next_of(result)) == (1, "journal verify")
