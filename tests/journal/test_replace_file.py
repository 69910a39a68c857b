"""A file is replaced whole or not at all."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING

import pytest

from journal.replace_file import Replacement, remove_left_behind, write_atomic

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


@pytest.mark.parametrize(
    ("name", "age", "goes"),
    [
        (".a.jsonl.gz.4194400-7f.tmp", 3_700, True),
        (".a.4194400-7f.tmp", 3_500, False),
        (".a.1-7f.tmp", 99_000, False),
        ("a.4194400-7f.tmp", 99_000, False),
        (".a.tmp", 99_000, False),
        (".a.4194400-7f", 99_000, False),
    ],
)
def test_only_what_a_killed_process_left_is_removed(
    tmp_path: Path, name: str, age: int, goes: bool
) -> None:
    """A temporary file goes an hour after its process has ended; other files stay."""
    made = time.time() - age
    for path in (tmp_path / name, tmp_path / "a"):
        path.write_bytes(b"half")
        os.utime(path, (made, made))
    remove_left_behind(str(tmp_path))
    assert set(os.listdir(tmp_path)) == {"a"} | ({name} if not goes else set())
    remove_left_behind(str(tmp_path / "nothing"))


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
