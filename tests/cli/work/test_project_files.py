"""Files written into a project: replaced atomically, hidden from git."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from cli.work.project_files import exclude, put, remove

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("below", ["", "a b/[x]", "#sub"])
def test_the_lines_mean_what_git_reads(tmp_path: Path, below: str) -> None:
    """Real git ignores the file at any depth of a project, and nothing else."""
    top = tmp_path / "repo"
    root = top / below
    root.mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", str(top)], env=env, check=True)
    exclude(str(root), ["docs/plans/.cpm-progress-*.md"])
    assert put(str(root), "docs/plans/.cpm-progress-a.md", "x") == ""
    assert put(str(root), "docs/plans/plan.md", "x") == ""
    seen = subprocess.run(["git", "-C", str(top), "status", "--porcelain", "-uall", "-z"],
                          env=env, check=True, capture_output=True, text=True).stdout  # fmt: skip
    assert "plan.md" in seen
    assert "cpm-progress" not in seen


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """A reader of the old file keeps it; no temporary file remains; a folder is not replaced."""
    root = str(tmp_path)
    assert put(root, "a/b.txt", "one") == ""
    held = (tmp_path / "a" / "b.txt").open()
    assert put(root, "a/b.txt", "two, longer") == ""
    assert held.read() == "one"
    held.close()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]
    (tmp_path / "c.txt").mkdir()
    assert "not a regular file" in put(root, "c.txt", "x")
    assert "not a regular file" in remove(root, "c.txt")
    assert remove(root, "a/b.txt") == ""
    assert remove(root, "none/b.txt") == ""
    assert not (tmp_path / "a" / "b.txt").exists()


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_hiding_writes_to_no_other_file(tmp_path: Path, kind: str) -> None:
    """A pipe named `exclude` is not waited for, and nothing is written behind a link of its folder."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    info, elsewhere = tmp_path / "repo" / ".git" / "info", tmp_path / "elsewhere"
    elsewhere.mkdir()
    if kind == "link":
        info.symlink_to(elsewhere)
    else:
        info.mkdir()
        os.mkfifo(info / "exclude")
    exclude(str(tmp_path / "repo"), ["*.md"])
    assert list(elsewhere.iterdir()) == []
