"""A plain command line is read without the library, and as the library reads it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cli import app, quick
from cli import command as commands

if TYPE_CHECKING:
    from cli.table import Command

ROOT = Path(__file__).resolve().parents[2]

WORDS = {"text": ["alpha", "", "beta gamma", "一二", "a=b"], "texts": ["one", "two"],
         "count": ["7", "0", "-1", "x", "٣"], "word": ["", "nonsense"]}  # fmt: skip


def needed_by(row: Command) -> list[str]:
    """Words a command cannot do without."""
    found: list[str] = []
    for param in row.params:
        if param.required:
            value = "7" if param.kind == "count" else "v"
            found += [*param.flags[:1], param.words[0] if param.words else value]
    return found


def lines() -> list[list[str]]:
    """Command lines for every command: each option in each form, alone and with the others."""
    found = []
    for row in commands.rows():
        name = row.name.split()
        needed = needed_by(row)
        found += [name, [*name, *needed], [*name, *needed, "--help"], [*name, *needed, "--nope"]]
        found += [[*name, *needed, "extra", "more"], [*name, "--", *needed], [*name, "-x", *needed]]
        for param in row.params:
            for value in [*param.words, *WORDS.get(param.kind, [])]:
                for flag in param.flags:
                    found += [[*name, *needed, flag, value], [*name, f"{flag}={value}", *needed]]
                    found.append([*name, *needed, flag, value, flag, value])
                if not param.flags:
                    found.append([*name, *needed, value])
            for flag in param.flags:
                found += [[*name, *needed, flag], [*name, flag, *needed]]
        flags = [param.flags[0] for param in row.params if param.kind == "flag"]
        found.append([*name, *flags, *needed])
    return found


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any, Any]]:
    """What `cli.app` would have called."""
    made: list[tuple[str, Any, Any]] = []

    class Scope:
        def __init__(self, _env: object, **scoped: object) -> None:
            self.scoped = scoped

    def function_of(row: Command) -> Any:
        def function(scope: Scope, **given: object) -> int:
            made.append((row.name, given, scope.scoped))
            return 0

        return function

    built = app.build()
    monkeypatch.setattr(app, "build", lambda: built)
    monkeypatch.setattr(app, "function_of", function_of)
    monkeypatch.setattr("cli.scope.Scope", Scope)
    return made


@pytest.mark.parametrize("most", [120, pytest.param(100_000, marks=pytest.mark.long)])
def test_it_reads_as_the_library_does(
    most: int, calls: list[tuple[str, Any, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is read here, the library reads into the same call; what it refuses is not read."""
    read = [(line, call) for line in lines() if (call := quick.plain(line))]
    assert len(read) > 1000
    for line, call in random.Random(1).sample(read, min(most, len(read))):
        calls.clear()
        assert app.run(line, {}) == 0, (line, capsys.readouterr().err)
        assert calls == [(call.row.name, call.given, call.scoped)], line
    capsys.readouterr()


def test_every_command_is_read_here_in_its_plain_form() -> None:
    """The sibling: no command takes the slow way when it is called as it is meant to be."""
    for row in commands.rows():
        assert quick.plain([*row.name.split(), *needed_by(row)]) is not None, row.name


@pytest.mark.parametrize("line", [[], ["--help"], ["--version"], ["nonsense"], ["stage"],
                         ["search", "x", "--limit", "ten"], ["search", "--json"],
                         ["search", "x", "-h"], ["search", "x", "--status", "over"]])  # fmt: skip
def test_the_rest_goes_to_the_library(line: list[str]) -> None:
    """Help, mistakes and what is unusual are not for here."""
    assert quick.plain(line) is None


def run(*words: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the program as it is installed."""
    code = "import sys; from cli.__main__ import main; c = main(); print('typer' in sys.modules, file=sys.stderr); sys.exit(c)"
    return subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True,
                          text=True, env={**os.environ, **env}, check=False)  # fmt: skip


def test_a_plain_line_loads_no_library(tmp_path: Path) -> None:
    """Neither does one that fails; help does."""
    env = {"JOURNAL_HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path)}
    good = run("schema", "--json", env=env)
    assert (good.returncode, good.stderr.strip()) == (0, "False")
    bad = run("search", "!!!", env=env)
    assert bad.returncode == 2
    assert "no word" in bad.stderr
    assert bad.stderr.strip().endswith("False")
    assert run("--help", env=env).stderr.strip().endswith("True")
