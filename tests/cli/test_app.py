"""The application: help, completion, exit codes, loaded modules, and the manual."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.app import run
from cli.stats import NAMES
from journal.history.forget.collect import CLASSES
from journal.text import _GROUPS, width
from projections.stage import STAGES
from tests.cli.test_damage import damage
from tests.support.command import all_commands
from tests.support.examples import third

ROOT = Path(__file__).parents[2]
COMMANDS = {name: found for _, name, found in all_commands()}
_LOADED = "import sys; from cli.app import run; run({}); print('\\n'.join(sys.modules))"


def loaded(*words: str) -> set[str]:
    """Return the modules a fresh interpreter has loaded after a command line."""
    code = _LOADED.format(list(words))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("name", [*_GROUPS, ""])
def test_help_cuts_no_summary(name, workspace):
    """The help of a group shows the whole summary of each command, in 80 columns."""
    shown = workspace.journal(*name.split(), "--help").out
    assert shown.count("\n") > 5
    assert not re.search(r"\w\.\.\.$", shown, re.MULTILINE)
    assert max(map(width, shown.splitlines())) <= 80


def test_groups_of_commands():
    """The names that a wrapped text keeps with what follows are those of the groups."""
    assert set(_GROUPS) == {name.split()[0] for name in COMMANDS if " " in name}


@pytest.mark.parametrize(
    "words",
    [
        ("events", "--help"),
        ("nonsense",),
        *(pytest.param(words, marks=pytest.mark.long) for words in (("--help",), ("--version",))),
    ],
)
def test_start_is_light(words):
    """Neither help nor a wrong call loads the typed library, a database or a renderer."""
    assert not loaded(*words) & {"duckdb", "msgspec", "pydantic", "rich", "journal.events"}


@pytest.mark.parametrize("words, behind", [
    ("--version", "read"), ("usage --help", "explain"), ("stage start --help", "maintain"),
])  # fmt: skip
def test_a_command_loads_no_others(words, behind):
    """The modules of commands behind the one that is asked for are not loaded."""
    assert f"cli.commands.{behind}" not in loaded(*words.split())


def test_events_does_load_what_it_needs(workspace, monkeypatch):
    """Sibling: a command that reads events does load the reader."""
    monkeypatch.setenv("JOURNAL_HOME", str(workspace.home))
    assert "journal.log.read" in loaded("events")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(name, capsys):
    """Each command and each of its options has a help text that fits 80 columns."""
    assert run([*name.split(), "--help"]) == 0
    out = capsys.readouterr().out
    assert COMMANDS[name].help.split()[0] in out
    assert all(param.help for param in COMMANDS[name].params)
    assert all(width(line) <= 80 for line in out.splitlines())


def test_help_names_no_type_of_the_language(capsys):
    """An argument is shown by its name, optional ones in one pair of brackets."""
    assert run(["get", "--help"]) == 0
    out = capsys.readouterr().out
    assert "[OPTIONS] [SELECTOR]" in out
    assert "list[" not in out
    assert "[[" not in out


def test_version(capsys):
    """--version prints the version of the plugin manifest."""
    assert run(["--version"]) == 0
    manifest = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())
    assert capsys.readouterr().out == f"journal {manifest['version']}\n"


@pytest.mark.parametrize(
    "ending", ["0<&-", pytest.param(">&-", marks=pytest.mark.long), ">&- 2>&-", "| read line"]
)
def test_streams_that_the_caller_closes(ending, played):
    """A closed stdin is empty, and no error arises where nobody reads the output."""
    line = f'set -o pipefail; "{sys.executable}" -m cli events --project {played.project} {ending}'
    env = {**os.environ, **played.env, "PYTHONUNBUFFERED": "1"}
    shell = ["bash", "-c", line]
    done = subprocess.run(shell, capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# Completes each line in a process forked for it, as a shell does in one started for it.
COMPLETE = """
import os, sys
from cli.__main__ import main
for line in sys.argv[1:]:
    if pid := os.fork():
        assert os.waitpid(pid, 0)[1] == 0
        print(end=";", flush=True)
        import cli.app  # as the first did itself; the others need not read it again
        continue
    os.environ.update(COMP_WORDS=line, COMP_CWORD=str(line.count(" ")))
    try:
        main()
    finally:
        print(*sys.modules, file=sys.stderr)
"""
COMPLETIONS = {
    "journal s": {"status", "sql", "schema", "stats", "sessions", "search", "summarize", "serve",
                  "stage", "seal", "setup", "show", "statusline"},
    "journal stage ": {"start", "finish", "stop", "resume", "abandon", "status"},
    "journal view p": {"pressure", "progress", "past"},
    "journal schema st": {"stages"},
    "journal config set serve.": {"serve.port"},
    "journal sessions --status ": {"completed", "open"},
    "journal events --ty": {"--type"},
    "journal stage start ": {*STAGES},
    "journal gc --class ": {*CLASSES},
    "journal stats comp": {"compactions"},
    "journal help rep": {"replay", "repair"},
    "journal team --at . ": {*NAMES},
}  # fmt: skip


def test_completion():
    """A shell gets commands, subcommands, views, options and their values, without the library."""
    lines = third(COMPLETIONS)
    done = subprocess.run([sys.executable, "-c", COMPLETE, *lines], capture_output=True, text=True,
                          check=True, cwd=ROOT, env={**os.environ, "_JOURNAL_COMPLETE": "complete_bash"})  # fmt: skip
    assert [{*text.split()} for text in done.stdout.split(";")[:-1]] == [
        COMPLETIONS[line] for line in lines
    ]
    names = done.stderr.split()
    assert "cli.app" in names
    assert not {*names} & {"duckdb", "msgspec", "pydantic", "rich"}


def test_completion_script(capsys, monkeypatch):
    """The script for bash calls `journal` itself."""
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash")
    with pytest.raises(SystemExit) as ended:
        run(["--show-completion"])
    assert not ended.value.code
    assert "_JOURNAL_COMPLETE=complete_bash" in capsys.readouterr().out


@pytest.mark.parametrize("words", [
    ["nonsense"], ["events", "--nonsense"], ["events", "--limit", "x"], ["events", "--limit", "-1"],
    ["events", "--since", "yesterday-ish"], ["view"], ["view", "nonsense"], ["note"], ["note", " "],
    ["verify", "--strict", "--salvage"], ["replay", "--view", "nonsense"], ["learning", "nonsense"],
    ["learning", "add", "--topic", "x"], ["setup", "--scope", "world"],
    ["learning", "add", "--topic", "../x", "--title", "y"], ["learning"],
    ["learning", "list", "--topic", "../x"],
], ids=lambda words: " ".join(words) or "nothing")  # fmt: skip
def test_usage_is_two(words, played):
    """A wrong call exits with 2, and names the help or the correct form."""
    result = played.journal(*words)
    assert result.code == 2
    assert result.err.startswith("journal: error: ") or "Usage" in result.out + result.err


@pytest.mark.parametrize("words", [
    ["status"], ["view", "pressure"], ["events"], ["replay"], ["verify"], ["repair"], ["seal"],
    ["rebuild"], ["view", "sessions", "--session", "x"],
], ids=" ".join)  # fmt: skip
def test_missing_journal_is_three(words, workspace):
    """Without a journal reading commands say so, create nothing, and exit with 3."""
    result = workspace.journal(*words)
    assert (result.code, result.out) == (3, "")
    assert "no journal for" in result.err
    assert not workspace.home.exists()


def test_an_empty_journal_is_no_error(workspace):
    """A journal with only its first record reads as empty."""
    assert workspace.journal("note", "x").code == 0
    workspace.segment.unlink()
    (workspace.directory / "snapshot").unlink()  # it would show its records
    for words in (
        ["status"],
        ["events"],
        ["view", "sessions"],
        ["replay", "--answers"],
        ["verify"],
    ):
        result = workspace.journal(*words)
        assert (result.code, result.err) == (0, ""), words
    assert workspace.journal("events", "--json").data == []
    assert "unknown: no session yet" in workspace.journal("status").out


def test_broken_pipe_is_quiet(played):
    """If the reader closes the pipe early the command ends silently."""
    code = f"{sys.executable} -m cli events | head -2"
    done = subprocess.run(["sh", "-c", code], capture_output=True, text=True, check=False, cwd=ROOT,
                          env={**played.env, "JOURNAL_PROJECT": str(played.project)})  # fmt: skip
    assert done.stderr == ""
    assert "segment.opened" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device is always full")
@pytest.mark.parametrize(
    ("command", "code"),
    [("events >/dev/full", 3), ("nothing 2>/dev/full", 2), ("events >/dev/full 2>&1", 3),
     *(pytest.param(*case, marks=pytest.mark.long) for case in (
         ("sql 'from events' >/dev/full", 3), ("status >/dev/full", 3), ("--version >/dev/full", 3), ("status", 0),
         ("view nothing 2>/dev/full", 2)))],
)  # fmt: skip
def test_an_output_that_is_full(played, command, code):
    """If the output cannot be written, the exit code is one of the contract, with one error."""
    done = subprocess.run(["sh", "-c", f"{sys.executable} -m cli {command}"], cwd=ROOT, text=True,
                          capture_output=True, check=False,
                          env={**played.env, "JOURNAL_PROJECT": str(played.project)})  # fmt: skip
    assert done.returncode == code, done.stderr
    full = "journal: error: no space left on device\n  free some space, then try again\n"
    assert done.stderr == (full if code == 3 and "2>" not in command else "")


def test_json_stands_alone(played):
    """With --json stdout is JSON alone, whatever goes to stderr."""
    damage(played, "flipped")
    result = played.journal("events", "--json")
    assert isinstance(result.data, list)
    assert "warning" in result.err


BASH = """
source <(journal --show-completion)
while read -r -a COMP_WORDS; do
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _journal_completion journal </dev/null
  echo "${COMPREPLY[@]}"
done
"""
COMPLETED = {
    "journal us": "usage", "journal usage --by mo": "month model",
}  # fmt: skip


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
def test_bash_completes(tmp_path):
    """The script that `--show-completion` prints completes in bash."""
    program = tmp_path / "journal"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m cli "$@"\n')
    program.chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path), "SHELL": "/bin/bash"}
    done = subprocess.run(["bash", "-c", BASH], input="\n".join(COMPLETED) + "\n",
                          capture_output=True, text=True, env=env, check=True)  # fmt: skip
    found = [{*line.split()} for line in done.stdout.splitlines()]
    assert found == [{*wanted.split()} for wanted in COMPLETED.values()]


@pytest.mark.parametrize("shell", ["zsh", pytest.param("fish", marks=pytest.mark.long)])
def test_other_shells_get_candidates(shell, tmp_path):
    """The candidates for zsh and fish are commands with their summaries."""
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "_JOURNAL_COMPLETE": f"complete_{shell}",
           "_TYPER_COMPLETE_ARGS": "journal us", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "cli"], capture_output=True, text=True, env=env,
                          check=True, cwd=ROOT)  # fmt: skip
    assert "usage" in done.stdout
    assert "Show tokens and cost" in done.stdout


@pytest.mark.parametrize(("terminal", "most"), [("40", 40), ("200", 80)])
def test_help_fits_the_terminal(terminal: str, most: int) -> None:
    """Help is as wide as a narrow terminal, and at most 80 columns in a wide one."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", "usage", "--help"],
        env={**os.environ, "COLUMNS": terminal}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert most - 15 < max(map(len, done.stdout.splitlines())) <= most
