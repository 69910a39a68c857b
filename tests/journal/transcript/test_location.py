"""The folder in which Claude Code stores the transcripts of a directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.transcript.location import folder_name, is_folder_of, is_transcript_path, may_be_below

if TYPE_CHECKING:
    from pathlib import Path

LONG = "/" + "a" * 120


@pytest.mark.parametrize(
    ("directory", "name"),
    [("/home/me/shop", "-home-me-shop"), ("/a/b_c.d e", "-a-b-c-d-e"), ("/caf\u00e9", "-caf-")],
)
def test_all_but_ascii_letters_and_digits_are_dashes(directory: str, name: str) -> None:
    """Each character of the path is one of the name."""
    assert folder_name(directory) == name


@pytest.mark.parametrize(
    ("name", "directory", "expected"),
    [("-a-b", "/a/b", True), ("-a-b-c", "/a/b", False), ("-a", "/a/b", False),
     ("-" + "a" * 120, LONG, True), ("-" + "a" * 99 + "-x1", LONG, True),
     ("-" + "a" * 98 + "-x1", LONG, False)],
)  # fmt: skip
def test_a_long_name_may_be_shortened(name: str, directory: str, *, expected: bool) -> None:
    """Of a long name only the first 100 characters are compared; a short one is whole."""
    assert is_folder_of(name, directory) is expected


def test_a_link_has_the_folder_of_its_target(tmp_path: Path) -> None:
    """Claude Code names the folder after the path or after what it resolves to."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    link = str(tmp_path / "link")
    assert is_folder_of(folder_name(str((tmp_path / "real").resolve())), link)
    assert is_folder_of(folder_name(link), link)


@pytest.mark.parametrize(
    ("name", "root", "expected"),
    [("-a-b", "/a/b", True), ("-a-b-c", "/a/b", True), ("-a", "/a/b", False), ("-a", "", False),
     ("-" + "a" * 99 + "-x1", LONG, True)],
)  # fmt: skip
def test_a_folder_below_a_root(name: str, root: str, *, expected: bool) -> None:
    """Its name begins with that of the root; below no root there is nothing."""
    assert may_be_below(name, root) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/p/s.jsonl", True), ("p/s.jsonl", False), ("/p/t.jsonl", False), ("/p/s.jsonl/x", False)],
)
def test_a_path_of_a_log_is_checked(path: str, *, expected: bool) -> None:
    """It is absolute and named after the session."""
    assert is_transcript_path(path, "s") is expected
