"""Counts that a full disk cannot stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.log.counter import MISSED, OVERLAPS, add_to, count_in

if TYPE_CHECKING:
    from pathlib import Path


def test_counts_add_up_and_take_no_space(tmp_path: Path) -> None:
    """Each count is a file's length of its own; the file has no blocks on the disk."""
    directory = str(tmp_path)
    assert count_in(directory, MISSED) == 0
    add_to(directory, MISSED)
    add_to(directory, MISSED, 3)
    add_to(directory, OVERLAPS)
    assert (count_in(directory, MISSED), count_in(directory, OVERLAPS)) == (4, 1)
    assert (tmp_path / MISSED).stat().st_blocks == 0


def test_something_else_in_its_place_is_reported(tmp_path: Path) -> None:
    """A directory or link counts nothing, and adding to it neither raises nor follows the link."""
    (tmp_path / MISSED).mkdir()
    (tmp_path / OVERLAPS).symlink_to(tmp_path / "elsewhere")
    for name in (MISSED, OVERLAPS):
        add_to(str(tmp_path), name)
        assert count_in(str(tmp_path), name) == -1
    assert not (tmp_path / "elsewhere").exists()
    add_to(str(tmp_path / "no such folder"), MISSED)
