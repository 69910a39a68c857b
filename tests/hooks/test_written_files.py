"""Files that the commands of a turn wrote, as git sees them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from hooks.capture import capture
from hooks.written_files import _repository_of, changed_since, record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cases.world import World


def git(folder: Path, *arguments: str, **env: str) -> None:
    """Run git with a fixed name and without the machine's configuration."""
    given = ("-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false")
    subprocess.run(
        ["git", *given, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        env=os.environ | env,
    )


@pytest.fixture
def repository(make_world: Callable[..., World]) -> World:
    """A project that is a real repository with one commit, and a session with a turn."""
    world = make_world(inline=True, git=False)
    git(world.project, "init", "-q")
    for name in ("old.py", "edited.py"):
        (world.project / name).write_text("x")
        os.utime(world.project / name, (1, 1))
    git(world.project, "add", ".")
    git(world.project, "commit", "-qm", "one", GIT_COMMITTER_DATE="2026-01-01T00:00:00Z")
    world.start()
    world.prompt("make the files")
    return world


def turn(world: World, *others: str) -> list[list[str]]:
    """Check the files of the project and other directories; return the paths of the events."""
    project = str(world.project)
    record(str(world.directory), project, world.sid, "p", world.iso, project, *others)
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


def test_files_of_two_repositories(repository: World) -> None:
    """What a turn wrote in the project and in another repository is recorded, each file once.

    The files of a repository in which no command has ended are not: git has written them.
    """
    world = repository
    late = world.now.timestamp() + 60
    os.utime(write(world, "vendor/lib/lib.py"), (late, late))
    git(world.project / "vendor" / "lib", "init", "-q")
    git(world.project, "worktree", "add", "-q", "feature")
    for name in ("old.py", "edited.py"):
        os.utime(world.project / "feature" / name, (1, 1))
    for name in ("made.py", "feature/new.py"):
        os.utime(write(world, name), (late, late))
    found = turn(world, str(world.project / "feature"), str(world.project))
    assert [sorted(paths) for paths in found] == [["feature/new.py", "made.py"]]


def test_what_the_log_has_already_is_not_repeated(repository: World) -> None:
    """Neither what another session changed during the turn, nor what was found before its end."""
    world = repository
    late = world.now.timestamp() + 60
    for name in ("other.py", "theirs.py", "mine.py"):
        os.utime(write(world, name), (late, late))
    given = {"file_path": str(world.project / "other.py"), "old_string": "x", "new_string": "y"}
    world.tool("Edit", sid="another", **given)
    world.append({"type": "files.changed", "v": 1, "sid": "another", "paths": ["theirs.py"]})
    assert turn(world)[1:] == [["mine.py"]]
    assert turn(world)[2:] == []


@pytest.mark.parametrize(
    ("command", "restored"),
    [
        (("checkout", "edited.py"), ["edited.py"]),
        (("stash",), ["edited.py", "old.py"]),
        (("reset", "--hard", "HEAD~1"), ["edited.py", "old.py"]),
        (("reset", "--hard", "HEAD"), ["edited.py"]),
        (("checkout", "-b", "other"), []),
    ],
    ids=" ".join,
)
def test_what_git_restored_is_not_changed(
    repository: World, command: tuple[str, ...], restored: list[str]
) -> None:
    """A file that is as before the session's edits is no changed file, unless it was committed."""
    world = repository
    for name in ("old.py", "edited.py", "made.py"):
        world.tool("Edit", file_path=str(write(world, name)))
    if command != ("stash",):
        git(world.project, "commit", "-qm", "two", "old.py")
    turn(world)
    world.after(seconds=60).prompt("take it back")
    git(world.project, *command)
    world.tool("Bash", command="git " + " ".join(command))
    turn(world)
    events = world.events("files.changed")
    assert sorted(path for event in events for path in event.get("restored", [])) == restored
    files = world.views()["recovery"]["sessions"][world.sid]["files"]
    assert set(files) == {"old.py", "edited.py", "made.py"} - set(restored)


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
    for at in range(501):
        write(repository, f"data/{at}.csv")
    assert turn(repository) == [["data"]]


def test_what_was_changed_before_the_turn_is_not(repository: World) -> None:
    """A file that already differed when the turn began is not recorded as this turn's work."""
    world = repository
    (world.project / "old.py").write_text("other")
    os.utime(world.project / "old.py", (1, 1))
    assert turn(world) == []


def test_a_repository_without_commits(tmp_path: Path) -> None:
    """What a command wrote is found before the first commit, too."""
    git(tmp_path, "init", "-q")
    (tmp_path / "made.py").write_text("y")
    assert _repository_of(str(tmp_path)) == str(tmp_path)
    assert changed_since(str(tmp_path), 0) == [os.path.realpath(tmp_path / "made.py")]


def test_no_repository_no_look(tmp_path: Path) -> None:
    """Without a repository nothing is found and no process is started."""
    assert not _repository_of(str(tmp_path))
    assert changed_since(str(tmp_path), 0) == []


# What a repository can name to be run, in its configuration: settings, and where they are.
PROGRAMS = {
    "monitor": (["core.fsmonitor"], "."),
    "filter": (["filter.x.clean"], "."),
    "long-running filter": (["filter.x.process", "filter.x.required"], "."),
    "filter with a name that no option can have": (["filter.x=y.clean"], "."),
    "check of signatures": (["gpg.program", "log.showSignature"], "."),
    "filter of a submodule": (["filter.x.clean"], "module"),
    "filter of a folder that looks like a repository": (["filter.x.clean"], "bare"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_program_of_the_repository_is_run(repository: World, name: str) -> None:
    """Nothing that a repository, a submodule or a folder in it names is started."""
    settings, where = PROGRAMS[name]
    project = repository.project
    mark, script = repository.base / "ran", repository.base / "program.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    driver = "x=y" if "x=y" in settings[0] else "x"
    (project / ".gitattributes").write_text(f"* filter={driver}\n")
    folder = project / where
    if where == "module":
        shutil.copytree(project, folder)
        git(project, "add", "module")
    elif where == "bare":
        shutil.copytree(project / ".git", folder)
        git(folder, f"--git-dir={folder}", "config", "core.worktree", str(project))
    _sign(project)
    for setting in settings:
        value = "true" if setting in ("filter.x.required", "log.showSignature") else str(script)
        git(folder, *([f"--git-dir={folder}"] if where == "bare" else ()), "config", setting, value)
    for path in (project / "old.py", folder / "old.py"):
        path.write_text("z")  # as long as before, so that git must compare the content
    changed_since(str(folder if where == "bare" else project), 1)
    assert not mark.exists()


def _sign(folder: Path) -> None:
    """Add something like a signature to the newest commit of a repository."""
    found = subprocess.check_output(["git", "cat-file", "commit", "HEAD"], cwd=folder, text=True)
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\n"
    made = subprocess.check_output(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"], cwd=folder, text=True,
        input=found.replace("\n\n", f"\n{signature}", 1),
    )  # fmt: skip
    git(folder, "reset", "-q", "--soft", made.strip())


@pytest.mark.parametrize("event", ["Stop", "PreCompact"])
@pytest.mark.parametrize("command", ["Bash", "Read"])
def test_when_git_looks(
    repository: World, monkeypatch: pytest.MonkeyPatch, event: str, command: str
) -> None:
    """At a turn's end, and before a compaction within it, if it ran Bash, whatever hooks said since.

    It looks where Claude Code was started, too, although a command has gone elsewhere.
    """
    world, jobs = repository, []
    monkeypatch.setattr("hooks.detached.spawn", lambda *job: jobs.append(job))
    other = write(world, "other/.git/HEAD").parents[1]
    world.tool(command)
    world.reading(95)
    assert "urgent" in world.after(seconds=1).tool("Read").context
    fields = {"session_id": world.sid, "prompt_id": "prompt-1", "cwd": str(other)}
    raw = json.dumps({"hook_event_name": event, "trigger": "auto", **fields}).encode()
    capture(raw, world.env({"JOURNAL_NOW": None}))
    places = [arguments[5:] for _, arguments, _ in jobs]
    assert places == ([[str(other), str(world.project)]] if command == "Bash" else [])
