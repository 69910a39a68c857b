"""Opening, reading and replacing single files."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalOffError
from journal.files import is_inside, open_readable, open_regular, read_regular
from journal.replace_file import Replacement, write_atomic

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_replaced_whole_and_private(tmp_path: Path) -> None:
    """The file has the new content and mode 0600, and no other file is left."""
    path = tmp_path / "a.json"
    for data in (b"one", b"two, longer", b""):
        write_atomic(str(path), data, sync=True)
        assert path.read_bytes() == data
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert os.listdir(tmp_path) == ["a.json"]


def test_a_failed_replacement_changes_nothing(tmp_path: Path) -> None:
    """An error in the block leaves the old content and no temporary file."""
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), Replacement(str(path)) as file:
        file.write("no bytes")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_failed_rename_leaves_no_temporary_file(tmp_path: Path) -> None:
    """A directory of that name is an error, and the temporary file is removed."""
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomic(str(tmp_path / "a"), b"x")
    assert os.listdir(tmp_path) == ["a"]


def test_what_a_killed_process_left_is_no_obstacle(tmp_path: Path) -> None:
    """A temporary file left over by a killed process is replaced."""
    replacement = Replacement(str(tmp_path / "a"))
    with open(replacement.temporary, "wb") as file:
        file.write(b"half of something")
    with replacement as file:
        file.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """A symbolic link is replaced; its target stays as it was."""
    (tmp_path / "target").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to("target")
    write_atomic(str(tmp_path / "link"), b"ours")
    assert (tmp_path / "target").read_bytes() == b"theirs"
    assert not (tmp_path / "link").is_symlink()


def test_names_are_relative_to_an_open_directory(tmp_path: Path) -> None:
    """With `dir_fd`, the file and its temporary name are relative to that directory."""
    folder = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with Replacement("a", mode=0o640, dir_fd=folder) as file:
            file.write(b"x")
    finally:
        os.close(folder)
    assert (tmp_path / "a").read_bytes() == b"x"


def test_reading_is_bounded_and_refuses_what_is_no_file(tmp_path: Path) -> None:
    """A link, a FIFO, a directory, a large file and an impossible path each raise their own error."""
    path = tmp_path / "a"
    path.write_bytes(b"12345678")
    assert read_regular(str(path), 8) == b"12345678"
    (tmp_path / "link").symlink_to("a")
    assert read_regular(str(tmp_path / "link"), 8, follow=True) == b"12345678"
    os.mkfifo(tmp_path / "fifo")
    for name, limit, code in (
        ("a", 7, errno.EFBIG),
        ("link", 8, errno.ELOOP),
        ("fifo", 8, errno.EINVAL),
        (".", 8, errno.EINVAL),
        ("no\0name", 8, errno.EINVAL),
        ("absent", 8, errno.ENOENT),
    ):
        with pytest.raises(OSError, match="Errno") as caught:
            read_regular(str(tmp_path / name), limit)
        assert caught.value.errno == code, name


def test_an_open_file_is_closed_when_it_is_refused(tmp_path: Path) -> None:
    """Refusing a FIFO or a hard link does not leak a descriptor."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "a").write_bytes(b"")
    os.link(tmp_path / "a", tmp_path / "b")
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    with pytest.raises(OSError, match="not a regular file"):
        open_readable(str(tmp_path / "fifo"))
    with pytest.raises(JournalOffError):
        open_regular(str(tmp_path / "a"), os.O_RDONLY)
    after = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    assert len(after) == len(before)


def test_inside_follows_links(tmp_path: Path) -> None:
    """A path is inside a directory if the file it resolves to is."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_text("x")
    (tmp_path / "out").write_text("x")
    (tmp_path / "in" / "link").symlink_to("../out")
    (tmp_path / "in" / "own").symlink_to("file")
    inside = str(tmp_path / "in")
    assert [is_inside(f"{inside}/{name}", inside) for name in ("file", "own", "link", "../out")] == [
        True, True, False, False
    ]  # fmt: skip
    assert not is_inside(inside + "-not/file", inside)
    assert not is_inside("a\0b", inside)
