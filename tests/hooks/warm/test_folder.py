"""The directories of the warm child: who may speak to it, and what is removed."""

from __future__ import annotations

import os
import socket
import stat
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from hooks.warm import child as program
from hooks.warm.folder import Folder
from tests.hooks.warm.client import Child
from tests.hooks.warm.events import tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cases.world import World


def test_only_this_user(world: World) -> None:
    """The directory is 0700, the socket 0600, and a peer of another user is refused."""
    with Child(world) as child:
        assert stat.S_IMODE(os.stat(child.socket).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(child.socket)).st_mode) == 0o700
        assert stat.S_IMODE(child.folder.stat().st_mode) == 0o700
    one, other = socket.socketpair()
    with one, other:
        assert program._is_own(one)
        with patch("os.getuid", return_value=os.getuid() + 1):
            assert not program._is_own(one)


def test_a_directory_that_others_may_enter(tmp_path: Path) -> None:
    """A directory that others may enter is refused: another user could leave an answer there."""
    path = tmp_path / "warm" / "1"
    path.mkdir(parents=True)
    path.chmod(0o755)
    with pytest.raises(OSError, match="this user alone"):
        Folder(str(tmp_path), 1)


def test_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    """If its path is too long, the socket is in a new short directory that goes with the child."""
    folder = Folder(str(tmp_path / ("x" * 100)), 1)
    listener = folder.listen()
    assert len(folder.socket) < 104
    assert stat.S_IMODE(os.stat(os.path.dirname(folder.socket)).st_mode) == 0o700
    listener.close()
    folder.close()
    assert not os.path.exists(os.path.dirname(folder.socket))


def test_a_killed_childs_socket_is_removed(world: World, tmp_path: Path) -> None:
    """A later child removes a killed child's short directory; one in use stays."""
    more = {"CLAUDE_PLUGIN_DATA": str(tmp_path / ("x" * 100))}
    with Child(world, **more) as child:
        left = os.path.dirname(child.socket)
        with Child(world, **more) as other:
            assert os.path.isdir(left)
            assert os.path.exists(other.socket)
        child.process.kill()
        child.process.wait()
        assert os.path.isdir(left)
    with Child(world, **more) as last:
        last.taken(tool(world, 1))
        assert not os.path.exists(left)


def test_answers_are_removed(tmp_path: Path) -> None:
    """Unread answers are removed after a minute, and so are an ended client's files."""
    folder = Folder(str(tmp_path), os.getpid())
    with open(folder.answer("17"), "w", encoding="ascii") as file:
        file.write("x")
    assert folder.claim("17")
    left = tmp_path / "warm" / "999999999"
    left.mkdir()
    (tmp_path / "warm" / "999999999.short").touch()
    (left / "17").write_text("x")
    when = os.stat(folder.answer("17")).st_mtime
    folder.tidy(when + 59)
    assert os.path.exists(folder.answer("17"))
    assert not folder.claim("17")
    folder.tidy(when + 62)
    folder.sweep()
    assert os.listdir(folder.path) == []
    assert not left.exists()
    assert os.path.isdir(folder.path)
