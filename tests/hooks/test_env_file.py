"""What a session's shell commands are told about it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks.env_file import export
from tests.support.examples import examples

if TYPE_CHECKING:
    from pathlib import Path

SHOWN = 'printf "%s\\n%s" "$JOURNAL_SESSION" "$JOURNAL_PROJECT"'


@pytest.fixture(scope="module")
def env_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of an env file that does not exist yet."""
    return tmp_path_factory.mktemp("env") / "sessionstart-hook-1.sh"


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\n"), min_size=1, max_size=40))
@examples(20)
def test_a_shell_reads_the_names_as_they_are(env_file: Path, root: str) -> None:
    """Whatever a folder is called, the shell gets that name and runs nothing of it."""
    env_file.unlink(missing_ok=True)
    export({"CLAUDE_ENV_FILE": str(env_file)}, root, "an-id")
    ran = subprocess.run(["/bin/sh", "-c", f'. "$1"; {SHOWN}', "sh", str(env_file)], check=True,
                         env={}, capture_output=True)  # fmt: skip
    assert ran.stdout.decode() == f"an-id\n{root}"
    assert os.stat(env_file).st_mode & 0o777 == 0o600


def test_lines_are_added(tmp_path: Path) -> None:
    """What other plugins exported stays; without a project only the session is exported."""
    path = tmp_path / "env.sh"
    path.write_text("export OTHER=1\n")
    export({"CLAUDE_ENV_FILE": str(path)}, "", "an-id")
    assert path.read_text() == "export OTHER=1\nexport JOURNAL_SESSION='an-id'\n"


@pytest.mark.parametrize("case", ["no variable", "relative", "no session", "a link", "no folder"])
def test_nothing_is_written_elsewhere(tmp_path: Path, case: str) -> None:
    """Without an absolute path, an id or a plain file, nothing is written and nothing raised."""
    target, path = tmp_path / "target", tmp_path / "env.sh"
    path.symlink_to(target)
    given = {"no variable": {}, "relative": {"CLAUDE_ENV_FILE": "env.sh"},
             "no folder": {"CLAUDE_ENV_FILE": str(tmp_path / "no" / "env.sh")}}.get(
                 case, {"CLAUDE_ENV_FILE": str(path)})  # fmt: skip
    export(given, "/shop", "" if case == "no session" else "an-id")
    assert not target.exists()
    assert not os.path.lexists("env.sh")


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe that nobody reads costs the lines, and no time."""
    os.mkfifo(tmp_path / "env.sh")
    export({"CLAUDE_ENV_FILE": str(tmp_path / "env.sh")}, "/shop", "an-id")
