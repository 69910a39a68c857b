"""Which project a directory belongs to, and where its journal lives."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalOffError
from journal.home import (
    UNFILED,
    Project,
    branch_of,
    client_dir,
    ensure_directory,
    journal_home,
    project_of,
    project_start,
)
from tests.support.rows import each

if TYPE_CHECKING:
    from collections.abc import Callable


def _git(directory: Path, *words: str) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(directory), "GIT_CONFIG_NOSYSTEM": "1",
           "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
           "GIT_COMMITTER_EMAIL": "a@b", "GIT_ALLOW_PROTOCOL": "file"}  # fmt: skip
    subprocess.run(["git", *words], cwd=directory, env=env, check=True, capture_output=True)


def _repository(directory: Path) -> Path:
    directory.mkdir(parents=True)
    _git(directory, "init", "-q", "-b", "main")
    _git(directory, "commit", "-q", "--allow-empty", "-m", "first")
    return directory


# Each world creates directories below a base and returns (start directory, expected root).
Case = tuple[Path, "Path | None"]


def _top(base: Path) -> Case:
    return (top := _repository(base / "app")), top


def _below(base: Path) -> Case:
    top = _repository(base / "app")
    (top / "src" / "deep").mkdir(parents=True)
    return top / "src" / "deep", top


def _inside_git_dir(base: Path) -> Case:
    top = _repository(base / "app")
    return top / ".git" / "refs", top


def _worktree(base: Path) -> Case:
    top = _repository(base / "app")
    _git(top, "worktree", "add", "-q", "../elsewhere/tree", "-b", "side")
    return base / "elsewhere" / "tree", top


def _below_worktree(base: Path) -> Case:
    tree, top = _worktree(base)
    (tree / "src").mkdir()
    return tree / "src", top


def _worktree_within(base: Path) -> Case:
    top = _repository(base / "app")
    _git(top, "worktree", "add", "-q", ".claude/worktrees/one", "-b", "side")
    return top / ".claude" / "worktrees" / "one", top


def _worktree_of_bare(base: Path) -> Case:
    _repository(base / "app")
    _git(base, "clone", "-q", "--bare", "app", "app.git")
    _git(base / "app.git", "worktree", "add", "-q", "../tree", "main")
    return base / "tree", base / "app.git"


def _removed_worktree(base: Path) -> Case:
    """A worktree whose administrative directory is gone is its own root."""
    tree, top = _worktree(base)
    for path in sorted((top / ".git" / "worktrees").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    return tree, tree


def _submodule(base: Path) -> Case:
    _repository(base / "library")
    top = _repository(base / "app")
    _git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "../library", "lib")
    return top / "lib", top / "lib"


def _nested(base: Path) -> Case:
    top = _repository(base / "app")
    return (inner := _repository(top / "vendor" / "inner")), inner


def _pinned(base: Path) -> Case:
    top = _repository(base / "app")
    (package := top / "packages" / "one").mkdir(parents=True)
    (package / ".journal-root").touch()
    (package / "src").mkdir()
    return package / "src", package


def _unpinned(base: Path) -> Case:
    """The neighbour of a pinned package belongs to the whole repository."""
    _, package = _pinned(base)
    assert package
    (other := package.parent / "two").mkdir()
    return other, package.parent.parent


def _malicious(base: Path) -> Case:
    """A checked-out .git file names another repository, which does not list it as a worktree."""
    victim = _repository(base / "victim")
    (thief := base / "thief").mkdir()
    (thief / ".git").write_text(f"gitdir: {victim}/.git\n")
    return thief, thief


def _malicious_worktree(base: Path) -> Case:
    """A checked-out .git file names the entry of another repository's real worktree."""
    _, victim = _worktree(base)
    (thief := base / "thief").mkdir()
    (thief / ".git").write_text(f"gitdir: {victim}/.git/worktrees/tree\n")
    return thief, thief


def _own_commondir(base: Path) -> Case:
    """A checked-out .git file names an administrative directory that was checked out with it."""
    victim = _repository(base / "victim")
    (thief := base / "thief").mkdir()
    (admin := thief / "admin").mkdir()
    (thief / ".git").write_text("gitdir: admin\n")
    (admin / "commondir").write_text(f"{victim}/.git\n")
    (admin / "gitdir").write_text(f"{thief}/.git\n")
    return thief, thief


def _garbage(base: Path) -> Case:
    (place := base / "app").mkdir()
    (place / ".git").write_bytes(b"\xff\x00" * 5000)
    return place, place


def _pipe(base: Path) -> Case:
    (place := base / "app").mkdir()
    os.mkfifo(place / ".git")
    return place, place


def _no_git(base: Path) -> Case:
    (place := base / "notes").mkdir()
    return place, place


def _link_to(base: Path) -> Case:
    top = _repository(base / "app")
    (base / "short").symlink_to(top)
    return base / "short", top


def _link_below(base: Path) -> Case:
    top = _repository(base / "app")
    (top / "src").mkdir()
    (base / "short").symlink_to(top / "src")
    return base / "short", top


def _linked_git(base: Path) -> Case:
    top = _repository(base / "store")
    (place := base / "app").mkdir()
    (place / ".git").symlink_to(top / ".git")
    return place, place


def _gone(base: Path) -> Case:
    top = _repository(base / "app")
    return top / "was" / "here", top


def _named(name: str) -> Callable[[Path], Case]:
    def world(base: Path) -> Case:
        top = _repository(base / name)
        return top, top

    return world


def _home_itself(base: Path) -> Case:
    return base, None


def _home_with_git(base: Path) -> Case:
    """Dotfiles under git in the home directory do not make everything below one project."""
    _git(base, "init", "-q")
    (place := base / "notes").mkdir()
    return place, place


def _worktree_of_home(base: Path) -> Case:
    _git(base, "init", "-q", "-b", "main")
    _git(base, "commit", "-q", "--allow-empty", "-m", "first")
    _git(base, "worktree", "add", "-q", "tree", "-b", "side")
    return base / "tree", None


WORLDS = {
    "git top": _top, "below it": _below, "inside .git": _inside_git_dir, "worktree": _worktree,
    "below a worktree": _below_worktree, "worktree within": _worktree_within,
    "worktree of a bare repository": _worktree_of_bare, "removed worktree": _removed_worktree,
    "submodule": _submodule, "repository in a repository": _nested, "pinned": _pinned,
    "beside the pinned": _unpinned, "foreign .git file": _malicious,
    "foreign worktree": _malicious_worktree, "garbage": _garbage, "pipe": _pipe, "no git": _no_git,
    "link": _link_to, "link below": _link_below, "linked .git": _linked_git, "gone": _gone,
    "spaces": _named("my app"), "CJK": _named("プロジェクト"), "newline": _named("two\nlines"),
    "leading dash": _named("-rf"), "quotes": _named("it's \"quoted\" $HOME"),
    "home": _home_itself, "home under git": _home_with_git, "worktree of home": _worktree_of_home,
    "commondir of its own": _own_commondir,
}  # fmt: skip


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS.keys())
def test_the_project_of_a_directory(
    tmp_path: Path, world: Callable[[Path], Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The root is that of the real checkout, found without git; no checked-out file changes that."""
    base = tmp_path / "user"
    base.mkdir()
    start, root = world(base)
    for path in (os.environ["PATH"], "/nonexistent"):
        monkeypatch.setenv("PATH", path)
        project = project_of(str(start), {"HOME": str(base)})
        assert project.root == (os.path.realpath(root) if root else ""), path
        assert (project.name == UNFILED) == (root is None), path


@pytest.mark.parametrize(
    "place",
    ["/", "/tmp", "/home", "/usr", "/usr/bin", "/etc", "/etc/ssl", "/proc/self", "/var", "/dev",
     "/dev/shm", "/dev/x", "/sys",
     "/opt", "/root", "/lib", "", "relative/path", "."],
)  # fmt: skip
def test_a_system_directory_is_no_project(place: str, tmp_path: Path) -> None:
    """A directory of the system, or one shared by everyone, is unfiled."""
    if place in (".", "relative/path"):
        assert project_start({}, place) == ""
    else:
        assert project_of(place, {"HOME": str(tmp_path)}).name == UNFILED


def test_the_temporary_directory_is_none_but_one_below_is(tmp_path: Path) -> None:
    """TMPDIR itself is unfiled; a directory below it is a project."""
    (place := tmp_path / "work").mkdir()
    env = {"HOME": "/nonexistent", "TMPDIR": str(tmp_path)}
    assert project_of(str(tmp_path), env).name == UNFILED
    assert project_of(str(place), env).root == os.path.realpath(place)


def test_a_root_below_the_system_needs_a_repository(tmp_path: Path) -> None:
    """`/usr/local/src`, `/dev/shm` and the like can hold projects; `/usr/share` cannot."""
    env = {"HOME": str(tmp_path)}
    assert project_of("/usr/share/doc", env).root == ""
    assert project_of("/usr/local/src/app", env).root == "/usr/local/src/app"
    assert project_of("/dev/shm/app", env).root == "/dev/shm/app"


@pytest.mark.parametrize(
    ("env", "cwd", "start"),
    [
        ({"CLAUDE_PROJECT_DIR": "/a", "JOURNAL_PROJECT": "/b"}, "/c", "/a"),
        ({"JOURNAL_PROJECT": "/b"}, "/c", "/b"), ({}, "/c", "/c"), ({}, "", ""),
        ({"CLAUDE_PROJECT_DIR": ""}, "/c", "/c"), ({"CLAUDE_PROJECT_DIR": "rel"}, "/c", "/c"),
        ({"CLAUDE_PROJECT_DIR": "a", "JOURNAL_PROJECT": "b"}, "c", ""),
    ],
)  # fmt: skip
def test_where_the_project_is_looked_for(env: dict[str, str], cwd: str, start: str) -> None:
    """Claude Code's directory comes first, then the pinned one, then the input's; all absolute."""
    assert project_start(env, cwd) == start


@each(
    ("root", "name"),
    [
        ("/src/app", "app-"), ("/src/my app", "my-app-"), ("/src/..", "project-"),
        ("/src/a/../../etc", "etc-"), ("/src/プロジェクト", "プロジェクト-"), ("/src/a\nb", "a-b-"),
        ("/src/" + "x" * 200, "x" * 32 + "-"), ("/src/.hidden", "hidden-"), ("/src/---", "project-"),
        ("/src/" + "短" * 80, "短" * 32 + "-"), ("/src/a\udcffb", "a-b-"),
    ],
)  # fmt: skip
def test_the_name_of_a_project(root: str, name: str) -> None:
    """A name is a readable beginning and 8 hex digits, one path component whatever the root's name."""
    project = Project(root)
    assert project.name.startswith(name)
    assert len(project.name) == len(name) + 8
    assert set(project.name[-8:]) <= set("0123456789abcdef")
    assert "/" not in project.name
    assert len(os.fsencode(project.name)) < 255


def test_projects_of_one_name_are_two() -> None:
    """Two roots with the same last part have different names; one root always has the same."""
    assert Project("/a/app").name != Project("/b/app").name
    assert Project("/a/app").name == Project("/a/app").name
    assert Project("/a/x y").name != Project("/a/x-y").name


@pytest.mark.parametrize(
    ("env", "home"),
    [
        ({"JOURNAL_HOME": "/j"}, "/j"), ({"JOURNAL_HOME": "/j/../k"}, "/k"),
        ({"CLAUDE_CONFIG_DIR": "/c", "HOME": "/h"}, "/c/journal"),
        ({"HOME": "/h"}, "/h/.claude/journal"),
        ({"JOURNAL_HOME": "", "CLAUDE_CONFIG_DIR": "", "HOME": "/h"}, "/h/.claude/journal"),
    ],
)  # fmt: skip
def test_where_journals_live(env: dict[str, str], home: str) -> None:
    """Journals live in JOURNAL_HOME, or else below Claude Code's directory."""
    assert journal_home(env) == home
    if "JOURNAL_HOME" not in env:
        assert client_dir(env) == os.path.dirname(home)


def test_the_branch_is_read_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch of a checkout or worktree, a short commit if detached, else an empty string."""
    top = _repository(tmp_path / "app")
    _git(top, "worktree", "add", "-q", "../tree", "-b", "feature/one")
    _git(top, "worktree", "add", "-q", "--detach", "../loose")
    (top / "src").mkdir()
    monkeypatch.setenv("PATH", "/nonexistent")
    assert branch_of(str(top)) == branch_of(str(top / "src")) == "main"
    assert branch_of(str(tmp_path / "tree")) == "feature/one"
    loose = branch_of(str(tmp_path / "loose"))
    assert len(loose) == 12
    assert set(loose) <= set("0123456789abcdef")
    assert branch_of("/") == branch_of("") == ""


@pytest.mark.parametrize("kind", ["link", "device", "pipe"])
def test_no_other_file_is_read_as_a_branch(tmp_path: Path, kind: str) -> None:
    """A HEAD that is a link, as out of an archive, a device or a pipe names no branch."""
    head = tmp_path / "app" / ".git" / "HEAD"
    head.parent.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(head)
    else:
        (tmp_path / "key").write_text("PRIVATE KEY\n")
        head.symlink_to("/dev/zero" if kind == "device" else tmp_path / "key")
    assert branch_of(str(tmp_path / "app")) == ""


def test_a_directory_is_made_for_its_user_alone(tmp_path: Path) -> None:
    """Missing directories are created as 0700; an existing one keeps its mode."""
    before = os.umask(0)
    try:
        ensure_directory(str(tmp_path / "a" / "b"))
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b")] == [0o700] * 2
    (tmp_path / "there").mkdir(mode=0o750)
    ensure_directory(str(tmp_path / "there"))
    (tmp_path / "link").symlink_to(tmp_path / "there")
    ensure_directory(str(tmp_path / "link"))


@pytest.mark.parametrize("kind", ["file", "dangling", "loop", "below a file", "open", "long"])
def test_a_directory_that_cannot_be_used_is_refused(tmp_path: Path, kind: str) -> None:
    """An unusable directory raises JournalOffError with its path, and nothing is changed."""
    path = tmp_path / "a place"
    if kind in ("file", "below a file"):
        path.write_text("mine")
        path = path / "below" if kind == "below a file" else path
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "open":
        path.mkdir()
        path.chmod(0o777)
    else:
        path = path / ("x" * 300)
    with pytest.raises(JournalOffError) as caught:
        ensure_directory(str(path))
    assert caught.value.path
    if kind in ("file", "open"):
        assert shlex.split(caught.value.remedy)[-1].removesuffix(".old") == str(path)
    assert not (tmp_path / "nowhere").exists()
