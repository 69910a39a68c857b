"""Which project a transcript belongs to."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from cli.import_.command import run_import
from journal.config import settings
from journal.history.importer import owners
from journal.history.importer.lines import LONGEST
from journal.history.importer.owners import first_cwd
from journal.home import project_of
from journal.log.append import Writer
from tests.journal.history.importer.conftest import NOW, SID
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox


@pytest.mark.parametrize("size", [10, 20_000, 300_000, 3_000_000, LONGEST + 1_000])
def test_a_long_first_prompt(size: int, sandbox: Sandbox) -> None:
    """The directory is found behind a first prompt with an image, however large that is."""
    image = {"type": "image", "source": {"type": "base64", "data": "A" * size}}
    first = prompt([image, {"type": "text", "text": "Draw this"}])
    first["cwd"] = first.pop("cwd")  # Claude Code writes it behind the message
    sandbox.write({"type": "mode", "mode": "normal"}, first, reply("m1", cwd="/home/dev/shop"))
    assert first_cwd(str(sandbox.file)) == "/home/dev/shop"
    assert [name[:5] for name in sandbox.run().sink.projects] == ["shop-"]


def test_no_directory(sandbox: Sandbox) -> None:
    """A transcript that names no directory has none, and neither has one that is not there."""
    sandbox.write(b'{"type":"mode"}', b"\0" * 300_000, b'{"type":"mode"}')
    assert first_cwd(str(sandbox.file)) == first_cwd(str(sandbox.top / "none")) == ""


@pytest.mark.parametrize("alone", [False, True])
def test_a_failing_read_decides_nothing(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, *, alone: bool
) -> None:
    """A transcript whose first lines cannot be read is reported, and the next run files it."""
    sandbox.write(prompt("hello"), reply("m1"))
    only = project_of("/home/dev/shop", sandbox.env) if alone else None

    def fails(path: str) -> int:
        raise OSError(errno.EIO, "Input/output error", path)

    with monkeypatch.context() as patch:
        patch.setattr(owners, "open_readable", fails)
        assert run_import(sandbox.scope(), "", "", only=only).unreadable == {
            str(sandbox.file): "Input/output error"
        }
    assert sandbox.events() == []
    assert [name[:5] for name in run_import(sandbox.scope(), "", "", only=only).sink.projects] == [
        "shop-"
    ]


def recorded(sandbox: Sandbox, name: str, sid: str) -> None:
    """Make a journal in which a hook has recorded the start of a session."""
    directory = sandbox.home / name
    directory.mkdir(parents=True, mode=0o700)
    sandbox.home.chmod(0o700)
    with Writer(str(directory), NOW) as writer:
        writer.append({"type": "session.started", "v": 1, "sid": sid, "source": "startup"})


@pytest.mark.parametrize(
    ("there", "sid", "name"),
    [(False, SID, "shop-12345678"), (True, SID, "shop-wt"), (False, "another", "shop-wt")],
    ids=["removed", "there", "removed, and not recorded"],
)
def test_a_removed_worktree_belongs_to_the_journal_that_recorded_it(
    sandbox: Sandbox, *, there: bool, sid: str, name: str
) -> None:
    """A directory that is gone shows no project: the log that has the session's start does."""
    directory = sandbox.top / "shop-wt"
    if there:
        directory.mkdir()
    recorded(sandbox, "shop-12345678", sid)
    sandbox.write(prompt("Fix the cart", cwd=str(directory)), reply("m1", cwd=str(directory)))
    (project,) = sandbox.run().sink.projects
    assert project.startswith(name)


def test_its_settings_still_hold(sandbox: Sandbox) -> None:
    """What a removed worktree's project does not record, an import does not record either."""
    recorded(sandbox, "shop-12345678", SID)
    gone, root = str(sandbox.top / "shop-wt"), sandbox.top / "shop"
    (root / ".claude").mkdir(parents=True)
    (root / ".claude" / "journal.toml").write_text('[capture]\nlevel = "minimal"\n')
    os.utime(root / ".claude" / "journal.toml", (1, 1))
    cache = sandbox.home / "shop-12345678" / "settings.cache"
    settings(str(cache), str(sandbox.home), str(root), str(sandbox.client))
    assert cache.exists()
    sandbox.write(prompt("Fix the cart", cwd=gone), reply("m1", cwd=gone))
    sandbox.run()
    assert sandbox.events("prompt.submitted")[0].get("text", "") == ""


@pytest.mark.parametrize(
    ("below", "name"),
    [("/.claude/worktrees/fix-1", "shop-"), ("/.worktrees/1", "shop-"), ("/worktrees/1", "1-")],
)
def test_a_removed_worktree_in_its_checkout(sandbox: Sandbox, below: str, name: str) -> None:
    """Where checkout and worktree are both gone, the usual folders show the checkout."""
    directory = f"{sandbox.top}/shop{below}"
    sandbox.write(prompt("Fix the cart", cwd=directory), reply("m1", cwd=directory))
    (project,) = sandbox.run().sink.projects
    assert project.startswith(name)
