"""Counts that a full disk cannot stop."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from journal.log.append import Writer
from journal.log.counter import MISSED, OVERLAPS, add_to, count_in

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_counts_add_up_and_take_no_space(tmp_path: Path) -> None:
    """Each count is a file's length of its own; the file has no blocks on the disk."""
    directory = str(tmp_path)
    assert count_in(directory, MISSED) == 0
    add_to(directory, MISSED)
    add_to(directory, MISSED, 3)
    add_to(directory, OVERLAPS)
    assert (count_in(directory, MISSED), count_in(directory, OVERLAPS)) == (4, 1)
    assert (tmp_path / MISSED).stat().st_blocks == 0


def test_a_hook_makes_the_count_while_there_is_space(tmp_path: Path) -> None:
    """A full XFS takes no new file, so it is there before an event is lost; an import needs none."""
    for checked in (True, False):
        with Writer(str(tmp_path), "2026-11-21T09:00:00.000Z", checked=checked):
            assert (tmp_path / MISSED).exists() is not checked


def test_a_count_grows_where_a_file_cannot_grow_within_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full Btrfs lets a file grow by whole blocks only, and a file size limit only in bytes."""
    grow = os.ftruncate

    def of_btrfs(descriptor: int, size: int) -> None:
        old = os.fstat(descriptor).st_size
        if size > old and old % 4096:
            raise OSError(errno.ENOSPC, "no space")
        grow(descriptor, size)

    monkeypatch.setattr(os, "ftruncate", of_btrfs)
    for count in range(1, 10):
        add_to(str(tmp_path), MISSED)
        assert count_in(str(tmp_path), MISSED) == count
    add_to(str(tmp_path), MISSED, 5_000)
    monkeypatch.undo()
    add_to(str(tmp_path), MISSED)
    assert count_in(str(tmp_path), MISSED) == 5_010


def test_something_else_in_its_place_is_reported(tmp_path: Path) -> None:
    """A directory or link counts nothing, and adding to it neither raises nor follows the link."""
    (tmp_path / MISSED).mkdir()
    (tmp_path / OVERLAPS).symlink_to(tmp_path / "elsewhere")
    for name in (MISSED, OVERLAPS):
        add_to(str(tmp_path), name)
        assert count_in(str(tmp_path), name) == -1
    assert not (tmp_path / "elsewhere").exists()
    add_to(str(tmp_path / "no such folder"), MISSED)
