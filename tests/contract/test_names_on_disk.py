"""Folders of a project named like our packages are never imported, whatever PYTHONPATH is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import ROOT, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PACKAGES = ("cli", "journal", "hooks", "projections", "msgspec", "typer", "pip", "venv")


@pytest.fixture
def hostile(make_world: Callable[..., World]) -> World:
    """Return a world whose project has a package of each name that our programs import."""
    world = make_world()
    for name in PACKAGES:
        (world.project / name).mkdir()
        text = f"open({str(world.project / 'ran')!r}, 'w').close()\nraise SystemExit(7)\n"
        (world.project / name / "__init__.py").write_text(text)
    return world


def _run(world: World, *command: object, given: bytes = b"", path: str = ".") -> bytes:
    env = {**world.env(), "PYTHONPATH": path, "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [str(each) for each in command], cwd=world.project, env=env, input=given,
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(params=["checkout", "wheel"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> list[object]:
    """Return the command `journal` of a checkout, and of a package laid out as in the wheel."""
    if request.param == "checkout":
        return [ROOT / "bin" / "journal"]
    package = tmp_path / "site" / "context_journal"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "bin" / "context_journal.py", package / "__init__.py")
    for name in ("cli", "journal", "hooks", "projections"):
        (package / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "pyproject.toml", package)
    # as pip writes it: a script beside the interpreter, without -I
    script = tmp_path / "journal"
    text = (
        f"import sys\nsys.path.append({str(package.parent)!r})\nfrom context_journal import main\n"
    )
    script.write_text(text + "sys.exit(main())\n")
    return [sys.executable, script]


@pytest.mark.parametrize(
    "path", [".", *(pytest.param(x, marks=pytest.mark.long) for x in ("", "nowhere:."))]
)
def test_the_command_is_ours(hostile: World, journal: list[object], path: str) -> None:
    """In such a project `journal` runs its own code and its own packages."""
    hostile.start()
    assert b"session.started" in _run(hostile, *journal, "events", "--json", path=path)
    assert not (hostile.project / "ran").exists()


def test_the_hook_is_ours(hostile: World, journal: list[object]) -> None:
    """A hook call there, by the plugin's command or `journal hook`, records and runs no other code."""
    call = {"session_id": "s", "cwd": str(hostile.project), "hook_event_name": "SessionStart",
            "source": "startup"}  # fmt: skip
    given = json.dumps(call).encode()
    _run(hostile, sys.executable, "-I", "-S", ROOT / "hooks" / "run.py", given=given)
    _run(hostile, *journal, "hook", given=given.replace(b'"s"', b'"t"'))
    assert {event["sid"] for event in hostile.events("session.started")} == {"s", "t"}
    assert not (hostile.project / "ran").exists()


def test_what_makes_the_environment_asks_no_package_of_the_project(hostile: World) -> None:
    """Looking for a suitable Python never runs the project's `pip` or `venv`."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from cli.install import environment as e; "
        "assert not e._runs([sys.executable, '-c', 'import projections']); "
        "assert e._runs([sys.executable, '-m', 'venv', '--help'])"
    )
    _run(hostile, sys.executable, "-E", "-P", "-c", code, ROOT)
    assert not (hostile.project / "ran").exists()


def test_packages_in_the_journal_home_are_the_persons_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment in the journal home that belongs to another user is not used by a hook."""
    from hooks import packages

    (tmp_path / "venv").mkdir()
    monkeypatch.setenv("JOURNAL_HOME", str(tmp_path))
    here = [path for path in packages.package_directories() if path.startswith(str(tmp_path))]
    assert len(here) == 1
    monkeypatch.setattr("hooks.packages.os.geteuid", lambda: os.getuid() + 1)
    assert not [path for path in packages.package_directories() if path.startswith(str(tmp_path))]
