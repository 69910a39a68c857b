"""`journal config`: show, set and check the settings."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def test_show_is_what_config_alone_prints(workspace: Workspace) -> None:
    """`journal config show` and `journal config` are the same, as text and as JSON."""
    for more in ((), ("--json",)):
        shown, alone = (
            workspace.journal("config", "show", *more),
            workspace.journal("config", *more),
        )
        assert (shown.code, shown.out) == (alone.code, alone.out)
        assert shown.code == 0


def test_a_value_that_was_set_is_shown_with_its_file(workspace: Workspace) -> None:
    """What `set` wrote is in effect and comes from the person's own file."""
    done = workspace.journal("config", "set", "compound.suggest", "off", "--json")
    path = str(workspace.home / "config.toml")
    assert json.loads(done.out) == {
        "key": "compound.suggest",
        "value": False,
        "path": path,
        "in_effect": False,
    }
    shown = json.loads(workspace.journal("config", "show", "--json").out)
    assert shown["settings"]["compound.suggest"]["value"] is False
    assert shown["settings"]["compound.suggest"]["origin"] == "home"
    assert shown["files"]["home"] == path
    lines = [line.split() for line in workspace.journal("config").out.splitlines()]
    assert ["compound.suggest", "off", "user"] in lines
    assert ["user:", path] in lines


def test_a_negative_number_is_a_value(workspace: Workspace) -> None:
    """A value that begins with a hyphen is not taken for an option."""
    result = workspace.journal("config", "set", "stage.thresholds_long.sprint", "-1")
    assert result.out.startswith("stage.thresholds_long.sprint = -1"), result.err


def test_a_project_that_says_otherwise_is_named(workspace: Workspace) -> None:
    """If the project's own file overrides the value, exit code and text say so."""
    folder = workspace.project / ".claude"
    folder.mkdir(exist_ok=True)
    (folder / "journal.toml").write_text("[pressure]\ninfo = 0.4\n")
    done = workspace.journal("config", "set", "pressure.info", "0.5")
    assert done.code == 1
    assert ".claude/journal.toml sets 0.4" in " ".join(done.out.split())
    assert (folder / "journal.toml").read_text() == "[pressure]\ninfo = 0.4\n"


@pytest.mark.parametrize(
    "words", [("pressure.inf", "1"), ("pressure.info", "72"), ("capture.level", "ful")]
)
def test_a_value_that_is_not_taken_is_a_usage_error(
    workspace: Workspace, words: tuple[str, str]
) -> None:
    """An unknown key or wrong value exits with 2, names what is valid, and writes nothing."""
    done = workspace.journal("config", "set", *words)
    assert done.code == 2
    assert "did you mean" in done.err or "the default is" in done.err
    assert not (workspace.home / "config.toml").exists()


@pytest.mark.parametrize("key", ["info", "pressure.inof", "capture.enabled"])
def test_set_and_check_guess_alike(workspace: Workspace, key: str) -> None:
    """For the same unknown key, `set` and `check` suggest the same setting, or none."""
    done = workspace.journal("config", "set", key, "0.5")
    workspace.home.mkdir(parents=True, exist_ok=True)
    (workspace.home / "config.toml").write_text(f"{key} = 0.5\n")
    (problem,) = json.loads(workspace.journal("config", "check", "--json").out)
    guesses = [re.findall(r"did you mean (\S+)\?", text) for text in (done.err, problem["remedy"])]
    assert guesses == [["pressure.info"] if key != "capture.enabled" else []] * 2


def test_check_names_file_line_and_what_to_write(workspace: Workspace) -> None:
    """Each problem has its file, line and column, and what to write; the exit code is 1."""
    path = workspace.home / "config.toml"
    workspace.home.mkdir(parents=True, exist_ok=True)
    path.write_text('[capture]\nlevel = "ful"\n')
    done = workspace.journal("config", "check")
    assert done.code == 1
    assert f"{path}:2: capture.level takes" in done.err
    assert 'did you mean "full"?' in done.err
    (problem,) = json.loads(workspace.journal("config", "check", "--json").out)
    assert (problem["path"], problem["line"], problem["column"]) == (str(path), 2, 9)
    assert problem["remedy"] == 'did you mean "full"?'


def test_check_without_problems(workspace: Workspace) -> None:
    """Valid files, and no files at all, are not a problem."""
    assert workspace.journal("config", "check").code == 0
    workspace.journal("config", "set", "pressure.info", "0.5")
    done = workspace.journal("config", "check")
    assert done.code == 0
    assert "no problem" in done.out
