"""A compiled module that a full disk cut short costs no event, and is compiled anew."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.code import HOOK_PARTS, copy_code

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the code, as compiled by this interpreter."""
    return copy_code(tmp_path_factory.mktemp("code"), *HOOK_PARTS, "cli")


@pytest.fixture
def run(code: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs a file of the copy with arguments and an input."""
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    env = {"HOME": str(tmp_path), "CLAUDE_PROJECT_DIR": str(tmp_path / "shop"), "PATH": "/bin"}

    def run(name: str, *arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
        flags = ["-I", "-S"] if name.startswith("hooks") else ["-E", "-P"]
        data = {"session_id": "s", "cwd": str(tmp_path / "shop"), **given}
        command = [sys.executable, *flags, str(code / name), *arguments]
        return subprocess.run(
            command, input=json.dumps(data), env=env, cwd=tmp_path / "shop", timeout=60,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def _cut(code: Path, name: str) -> Path:
    """Cut a compiled module of the copy short; compile it first if it is not."""
    source = code / name
    compiled = Path(importlib.util.cache_from_source(str(source)))
    if not compiled.exists():
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(source)], check=True)
    os.truncate(compiled, compiled.stat().st_size // 2)
    return compiled


@pytest.mark.parametrize(
    "name",
    [
        "journal/redaction/rules.py",
        pytest.param("hooks/errors.py", marks=pytest.mark.long),
        pytest.param("journal/bytecode.py", marks=pytest.mark.long),
    ],
)
def test_a_hook_loses_nothing(name: str, code: Path, run: Callable[..., object]) -> None:
    """The call is in the log after the next one, whatever is cut, and nothing stays cut."""
    cut = {_cut(code, part) for part in (name, "hooks/capture.py")}
    sizes = {path: path.stat().st_size for path in cut}
    for prompt in ("password: hunter2-hunter3", "go on"):
        ran = run("hooks/run.py", hook_event_name="UserPromptSubmit", prompt=prompt)
        assert (ran.returncode, ran.stderr) == (0, "")
    ran = run("cli/install/launch.py", "events", "--json", "--type", "prompt.submitted")
    assert len(json.loads(ran.stdout)) == 2, ran
    for path, size in sizes.items():
        assert not path.exists() or path.stat().st_size > size, path


@pytest.mark.parametrize(
    "name", ["cli/app.py", pytest.param("cli/config.py", marks=pytest.mark.long)]
)
def test_a_command_says_so_or_runs(name: str, code: Path, run: Callable[..., object]) -> None:
    """A command runs, or names the cause; the next one runs."""
    _cut(code, name)
    ran = run("cli/install/launch.py", "config")
    assert ran.returncode == 0 or ran.stderr.endswith("it is removed\n  try again\n"), ran
    assert run("cli/install/launch.py", "config").returncode == 0


def test_the_status_line_returns(code: Path, run: Callable[..., object]) -> None:
    """The status line names the error once."""
    _cut(code, "hooks/status_line/line.py")
    lines = [run("hooks/statusline.py").stdout for _ in range(2)]
    assert lines[0] == "journal off: EOFError\n"
    assert "EOFError" not in lines[1]
