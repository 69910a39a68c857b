"""Bare `journal`, `journal help`, the man page, completion, and refused typing errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.scope import Scope
from journal.bound import parse_bound
from journal.text import width
from tests.cases.world import OTHER
from tests.cli.conftest import SID
from tests.support.command import all_commands
from tests.tools.transcripts import write

ROOT = Path(__file__).resolve().parents[2]


def next_of(result) -> str:
    """Return the command that the output names as the next one."""
    (line,) = [line for line in result.out.splitlines() if line.startswith("Next: ")]
    return line.removeprefix("Next: ").partition(" (")[0]


def compactions_in(out):
    """Return the number of compactions that bare `journal` names, 0 for none."""
    found = re.search(r"([\d,]+) compactions?, which cost", " ".join(out.split()))
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
    assert "1 past session of other projects" in " ".join(result.out.split())


def test_with_a_journal(played):
    """It shows the last work, its cost, open work, and the most useful command; exit 0."""
    result = played.journal()
    assert (result.code, next_of(result)) == (0, "/journal:compound in Claude Code")
    listed = played.journal("sessions", "--limit", "5").out
    assert result.out.startswith(listed)
    for part in ("Cost: ", "work log", "compound"):
        assert part in result.out, part
    assert result.out.splitlines()[-1] == "All commands: journal help"


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


@pytest.mark.parametrize("words", [["status"], ["learning", "add"], ["usage"]], ids=" ".join)
def test_help_is_the_help(words, workspace):
    """`journal help CMD` prints what `journal CMD --help` prints."""
    assert workspace.journal("help", *words).out == workspace.journal(*words, "--help").out


def test_help_alone_lists_all(workspace):
    """Without a command, help lists every command."""
    out = workspace.journal("help").out
    assert all(f"  {name.partition(' ')[0]} " in out for _, name, _ in all_commands())


def test_help_of_a_slip(workspace):
    """A misspelled command is refused with the command that was meant."""
    result = workspace.journal("help", "usgae")
    assert (result.code, "did you mean usage?" in result.err) == (2, True)


def test_the_man_page(workspace):
    """It has every command and option, and `man` reads it without a warning."""
    page = workspace.journal("help", "--man").out
    plain = page.replace("\\-", "-")
    for _, name, found in all_commands():
        assert f".SS journal {name}" in plain
        assert all(param.opts[0] in plain for param in found.params if param.opts[0][0] == "-")
    if program := shutil.which("groff"):
        words = [program, "-man", "-Tutf8", "-ww"]
        done = subprocess.run(words, input=page, capture_output=True, text=True, check=True)
        assert done.stderr == ""


BASH = """
source <(journal --show-completion)
COMP_WORDS=({words} "{last}"); COMP_CWORD={at}; COMPREPLY=(); _journal_completion journal
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
@pytest.mark.parametrize("words,last,wanted", [
    ("journal", "us", "usage"), ("journal usage --by", "mo", "month model"),
    ("journal stats", "comp", "compactions"), ("journal help", "rep", "replay repair"),
])  # fmt: skip
def test_bash_completes(words, last, wanted, tmp_path):
    """The script that `--show-completion` prints completes in bash."""
    program = tmp_path / "journal"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m cli "$@"\n')
    program.chmod(0o755)
    script = BASH.format(words=words, last=last, at=len(words.split()))
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path), "SHELL": "/bin/bash"}
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=env, check=True
    )
    assert sorted(done.stdout.split()) == sorted(wanted.split())


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_candidates(shell, tmp_path):
    """The candidates for zsh and fish are commands with their summaries."""
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "_JOURNAL_COMPLETE": f"complete_{shell}",
           "_TYPER_COMPLETE_ARGS": "journal us", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "cli"], capture_output=True, text=True, env=env,
                          check=True, cwd=ROOT)  # fmt: skip
    assert "usage" in done.stdout
    assert "Show tokens and cost" in done.stdout


@pytest.mark.parametrize("words", [("status",), ("note", "x"), ("usage",), ("sql", "select 1")],
                         ids=" ".join)  # fmt: skip
def test_a_slip_in_project_is_refused(words, played):
    """A missing directory is an error: nothing is read or created; a similar name is suggested."""
    before = sorted(played.home.iterdir())
    result = played.journal(*words, "--project", "shpo")
    assert (result.code, result.out) == (2, "")
    assert "--project shpo: no such directory" in result.err
    assert "did you mean shop?" in result.err
    assert sorted(played.home.iterdir()) == before


def test_an_unlike_name_is_not_suggested(played):
    """A name that shares two letters with a journal is no misspelling of it."""
    result = played.journal("status", "--project", "nope")
    assert (result.code, "did you mean" in result.err) == (2, False)
    assert "journal sessions --all lists the projects" in " ".join(result.err.split())


def test_a_project_is_named_as_reports_show_it(played):
    """A journal's name is valid with its digest, and without it where no other has that name; else all are named."""
    other, own = played.top / "other", played.directory
    other.mkdir()
    found = [played.journal("status", "--json", "--project", name, cwd=other).data["journal"]
             for name in (own.name, "shop")]  # fmt: skip
    assert found == [str(own)] * 2
    (played.home / "shop-00000000").mkdir()
    shutil.copy(own / "active.jsonl", played.home / "shop-00000000")
    refused = played.journal("status", "--project", "shop", cwd=other)
    assert refused.code == 2
    assert f"did you mean shop-00000000 or {own.name}?" in refused.err


def test_a_directory_that_is_gone_keeps_its_journal(played):
    """The journal of a deleted checkout can still be named by its path."""
    shutil.move(played.project, played.top / "elsewhere")
    (played.top / "other").mkdir()
    result = played.journal("status", "--project", str(played.project), cwd=played.top / "other")
    assert result.code == 0, result.err


@pytest.mark.parametrize("words", [("events",), ("sessions",), ("status",), ("stats", "sessions")],
                         ids=" ".join)  # fmt: skip
def test_times_are_local_and_the_zone_is_named_once(words, played, in_zone):
    """A person sees local time; JSON stays UTC."""
    in_zone("Asia/Kathmandu")
    out = played.journal(*words, TZ="Asia/Kathmandu").out
    assert "14:4" in out or words == ("sessions",)
    assert len(re.findall(r"\bUTC", out)) <= 1
    assert "T14:4" not in played.journal(*words, "--json", TZ="Asia/Kathmandu").out


@pytest.mark.parametrize("words", [("events",), ("sessions",), ("status",), ("stats",), ("config",)],
                         ids=" ".join)  # fmt: skip
def test_a_pipe_is_never_cut(words, played):
    """Without a terminal the journal shortens no text with an ellipsis."""
    long = "a long decision that goes on and on " * 6
    played.journal("decide", long)
    result = played.journal(*words, COLUMNS="")
    assert result.code == 0
    assert max(map(width, result.out.splitlines())) > 80 or words != ("events",)
    if words == ("events",):
        assert long.strip() in result.out


@pytest.mark.parametrize("text,end,wanted", [
    ("2026-11-21", False, "2026-11-20T23:00:00.000Z"), ("2026-11-21", True, "2026-11-21T22:59:59.999Z"),
    ("2026-10-25", True, "2026-10-25T22:59:59.999Z"), ("2026-11-21T09:30", False, "2026-11-21T08:30:00.000Z"),
    ("2026-11-21T09:30:00Z", False, "2026-11-21T09:30:00.000Z"),
    ("2026-11-21T09:30:00+05:45", False, "2026-11-21T03:45:00.000Z"),
])  # fmt: skip
def test_a_date_is_a_local_day(text, end, wanted, in_zone):
    """A date is a local day of 23 to 25 hours, unless it names a zone."""
    in_zone("Europe/Berlin")
    assert parse_bound(text, 0, end=end) == wanted
