"""The application: help, completion, exit codes, loaded modules, and the manual."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.app import command, run
from cli.manual import man_page
from journal.text import _GROUPS, width
from tests.support.command import all_commands
from tests.tools.cli_page import page

ROOT = Path(__file__).parents[2]
COMMANDS = {name: found for _, name, found in all_commands()}
_LOADED = "import sys; from cli.app import run; run({}); print('\\n'.join(sys.modules))"


def options(found) -> set[str]:
    """Return the options of a command, as they are typed."""
    return {option for parameter in found.params for option in parameter.opts}


def loaded(*words: str) -> set[str]:
    """Return the modules a fresh interpreter has loaded after a command line."""
    code = _LOADED.format(list(words))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


WITH_ALL = [name for name, found in COMMANDS.items() if "--all" in options(found)]


@pytest.mark.parametrize("name", WITH_ALL)
@pytest.mark.parametrize("turned", [False, True])
def test_all_projects_and_one(name, turned, workspace):
    """No command takes --all beside --project, in either order: it says so and does nothing."""
    both = ["--project", "x"], ["--all"]
    words = both[1] + both[0] if turned else both[0] + both[1]
    said = workspace.journal(*name.split(), *words)
    assert (said.code, said.out) == (2, "")
    assert "--all and --project cannot be combined" in said.err


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
    assert len(WITH_ALL) > 5


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("events", "--help"), ("nonsense",)]
)
def test_start_is_light(words):
    """Neither help nor a wrong call loads the typed library, a database or a renderer."""
    assert not loaded(*words) & {"duckdb", "msgspec", "pydantic", "rich", "journal.events"}


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


@pytest.mark.parametrize(("words", "what"), [
    (["events", "--limit", "x"], "not a whole number"),
    (["events", "--limit", "-1"], "must be greater than or equal to 0"),
    (["sessions", "--status", "x"], "'x' is not one of 'completed', 'open'"),
    (["status", "--project", ""], "is empty: leave the option out, or give a value"),
    (["usage", "--project", ""], "is empty"),
    (["view", "--session", ""], "is empty"),
    (["sessions", "--since", ""], "is empty"),
    (["events", "--until", ""], "is empty"),
], ids=str)  # fmt: skip
def test_wrong_value(words, what, capsys):
    """The error names the option and what it takes in plain words."""
    assert run(words) == 2
    error = capsys.readouterr().err
    assert f"'{words[1]}': " in error
    assert what in error


def test_an_option_without_its_value(capsys):
    """The error names the help of the command."""
    assert run(["show", "--html"]) == 2
    assert "see: journal show --help" in capsys.readouterr().err


def test_version(capsys):
    """--version prints the version of the plugin manifest."""
    assert run(["--version"]) == 0
    manifest = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())
    assert capsys.readouterr().out == f"journal {manifest['version']}\n"


@pytest.mark.parametrize(
    ("name", "write"),
    [("docs/cli.md", page), ("cli/journal.1", lambda: man_page(command()))],
    ids=["page", "man"],
)
def test_manual_is_current(name, write):
    """Page and man page are the output of `tests.tools.cli_page` and `journal help --man`."""
    path = ROOT / name
    if os.environ.get("GOLDEN") == "write":
        path.write_text(write(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == write()


def completed(**env: str) -> str:
    """Run the program as a shell does for completion; stdout, and what it loaded on stderr."""
    code = (
        "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
        "from cli.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd=ROOT, env={**os.environ, **env})  # fmt: skip
    assert not set(done.stderr.split()) & {"duckdb", "msgspec", "pydantic", "rich"}
    return done.stdout


@pytest.mark.parametrize("line, expected", [
    ("journal s", {"status", "sql", "schema", "stats", "sessions", "search", "summarize", "serve",
                   "stage", "seal", "setup", "show", "statusline"}),
    ("journal stage ", {"start", "finish", "stop", "resume", "abandon", "status"}),
    ("journal view p", {"pressure", "progress", "past"}),
    ("journal sessions --status ", {"completed", "open"}),
    ("journal events --ty", {"--type"}),
])  # fmt: skip
def test_completion(line, expected):
    """A shell gets commands, subcommands, views, options and their values, without the library."""
    words = {"_JOURNAL_COMPLETE": "complete_bash", "COMP_WORDS": line,
             "COMP_CWORD": str(line.count(" "))}  # fmt: skip
    assert set(completed(**words).split()) == expected


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


def damage(workspace, how: str) -> None:
    """Damage the journal of the recorded session."""
    lines = workspace.segment.read_bytes().split(b"\n")
    if how == "flipped":
        lines[4] = lines[4].replace(b"prompt", b"promqt", 1)
    elif how == "lost":
        del lines[4]
    else:
        lines[-1] = b'{"seq":34,"ts":"2026'
    workspace.segment.write_bytes(b"\n".join(lines))


@pytest.mark.parametrize("how, code", [("flipped", 1), ("lost", 1), ("torn", 0)])
@pytest.mark.parametrize("words", [["status"], ["view", "pressure"], ["events"], ["replay"],
                                   ["verify"]], ids=" ".join)  # fmt: skip
def test_findings_are_one(words, how, code, played):
    """A damaged or missing record gives exit code 1; a torn end loses nothing."""
    damage(played, how)
    result = played.journal(*words)
    assert result.code == code
    assert result.out
    said = result.out + result.err
    assert ("not complete" in said or "not in order" in said) == bool(code)


def test_complete_is_false_over_findings(played):
    """A view itself says whether the whole journal could be read."""
    assert played.journal("view", "compound").data["complete"] is True
    damage(played, "flipped")
    assert played.journal("view", "compound").data["complete"] is False
    assert played.journal("status", "--json").data["complete"] is False


def test_after_a_repair_reading_is_in_order_again(played):
    """A gap named by a repair is mentioned in the view, and is no longer a finding."""
    damage(played, "flipped")
    assert played.journal("repair").code == 0
    result = played.journal("view", "compound")
    assert result.code == 0
    assert result.err.count("\n") == 1
    assert "known losses" in result.err
    assert "1 event lost before a repair (seq 5)" in result.err
    assert result.data["complete"] is False


def test_broken_pipe_is_quiet(played):
    """If the reader closes the pipe early the command ends silently."""
    code = f"{sys.executable} -m cli events | head -2"
    done = subprocess.run(["sh", "-c", code], capture_output=True, text=True, check=False, cwd=ROOT,
                          env={**played.env, "JOURNAL_PROJECT": str(played.project)})  # fmt: skip
    assert done.stderr == ""
    assert "segment.opened" in done.stdout


def test_json_stands_alone(played):
    """With --json stdout is JSON alone, whatever goes to stderr."""
    damage(played, "flipped")
    result = played.journal("events", "--json")
    assert isinstance(result.data, list)
    assert "warning" in result.err
