"""Files that the commands of a turn wrote, as git sees them."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from hooks.written_files import _WALKED, _is_repository, changed_since, record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cases.world import World


def git(folder: Path, *arguments: str) -> None:
    """Run git with a fixed name and without the machine's configuration."""
    given = ("-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *given, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(make_world: Callable[..., World]) -> World:
    """A project that is a real repository with one commit, and a session with a turn."""
    world = make_world(inline=True, git=False)
    git(world.project, "init", "-q")
    for name in ("old.py", "edited.py"):
        (world.project / name).write_text("x")
        os.utime(world.project / name, (1, 1))
    git(world.project, "add", ".")
    git(world.project, "commit", "-qm", "one")
    world.start()
    world.prompt("make the files")
    return world


def turn(world: World) -> list[list[str]]:
    """Check the files after the turn; return the paths of the events."""
    record(str(world.directory), str(world.project), str(world.project), world.sid, "p",
           world.iso)  # fmt: skip
    return [event["paths"] for event in world.events("files.changed")]


def write(world: World, name: str) -> Path:
    """Write a file of the project."""
    path = world.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("y")
    return path


def test_what_a_command_wrote_is_recorded(repository: World) -> None:
    """New, changed and just committed files are recorded; files Edit changed are not repeated."""
    world = repository
    late = world.now.timestamp() + 60
    for name in ("made.py", "committed.py", "edited.py"):
        (world.project / name).write_text("y")
        os.utime(world.project / name, (late, late))
    git(world.project, "add", "committed.py")
    git(world.project, "commit", "-qm", "two")
    world.tool("Edit", file_path=str(world.project / "edited.py"), old_string="x", new_string="y")
    found = turn(world)
    assert [sorted(paths) for paths in found] == [["committed.py", "made.py"]]
    trail = world.views()["recovery"]["sessions"][world.sid]
    assert {"made.py", "edited.py"} <= set(trail["files"])


def test_a_new_folder_is_named_by_its_files(repository: World) -> None:
    """Git names a new folder as a whole: its files are recorded, without those of tools."""
    world = repository
    late = world.now.timestamp() + 60
    for name in ("money/round.py", "money/deep/tax.py", "money/old.py",
                 "money/__pycache__/round.pyc", "__pycache__/edited.pyc"):  # fmt: skip
        path = write(world, name)
        os.utime(path, (1, 1) if name == "money/old.py" else (late, late))
    assert [sorted(paths) for paths in turn(world)] == [["money/deep/tax.py", "money/round.py"]]


def test_a_large_new_folder_is_named_as_one(repository: World) -> None:
    """Of a new folder with very many files its own name is recorded."""
    for at in range(_WALKED + 1):
        write(repository, f"data/{at}.csv")
    assert turn(repository) == [["data"]]


def test_what_was_changed_before_the_turn_is_not(repository: World) -> None:
    """A file that already differed when the turn began is not recorded as this turn's work."""
    world = repository
    (world.project / "old.py").write_text("other")
    os.utime(world.project / "old.py", (1, 1))
    assert turn(world) == []


def test_no_repository_no_look(tmp_path: Path) -> None:
    """Without a repository nothing is found and no process is started."""
    assert not _is_repository(str(tmp_path))
    assert changed_since(str(tmp_path), 0) == []


def test_a_monitor_of_the_repository_is_not_started(repository: World) -> None:
    """A file system monitor configured by the repository is not started."""
    world = repository
    mark = world.base / "ran"
    script = world.base / "monitor.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    git(world.project, "config", "core.fsmonitor", str(script))
    turn(world)
    assert not mark.exists()
