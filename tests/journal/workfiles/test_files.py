"""Reading and replacing work files: whole or not at all, and never through a link."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from journal.replace_file import Replacement
from journal.workfiles import files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with an empty folder for work files."""
    root = tmp_path / "project"
    (root / ".claude" / "context").mkdir(parents=True)
    return root


def _file(project: Path, data: bytes = b"old\n") -> Path:
    path = project / ".claude" / "context" / "progress.md"
    path.write_bytes(data)
    return path


def text_of(path: str, limit: int = files.LIMIT) -> str | None:
    """Return only the text of `read_file`."""
    found = files.read_file(path, limit)
    return None if found is None else found[0]


def _replace(path: Path, text: str, root: Path) -> bool:
    found = files.read_file(str(path))
    assert found is not None
    return files.replace_text(str(path), text, found[1], root=str(root))


@pytest.mark.parametrize(
    "data",
    [b"", b"plain\n", b"a\r\nb\r", "見出し".encode(), b"\xff\xfe bytes \x80", b"\xef\xbb\xbfbom"],
    ids=["empty", "plain", "crlf", "cjk", "not-utf8", "bom"],
)
def test_bytes_survive_a_rewrite(project: Path, data: bytes) -> None:
    """Writing back what was read changes no byte, whatever the bytes are."""
    path = _file(project, data)
    text = text_of(str(path))
    assert text is not None
    assert _replace(path, text, project)
    assert path.read_bytes() == data


def test_a_file_of_the_limit_is_read_and_a_larger_one_is_not(project: Path) -> None:
    """The limit counts bytes and is inclusive."""
    path = _file(project, b"x" * 100)
    assert text_of(str(path), 100) == "x" * 100
    assert text_of(str(path), 99) is None


def test_a_huge_file_is_refused_unread(project: Path) -> None:
    """A sparse file of a gigabyte reads as None."""
    path = _file(project)
    os.truncate(path, 1 << 30)
    assert text_of(str(path)) is None


def test_what_is_no_regular_file_is_not_read(project: Path) -> None:
    """A missing file, a folder, a pipe and a link read as None; the file beside them is read."""
    path = _file(project)
    folder = path.parent
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(path)
    for name in ("missing", "pipe", "link", ".", "nul\0"):
        assert text_of(str(folder) + "/" + name) is None
    assert text_of(str(path)) == "old\n"


def test_a_link_out_of_the_project_is_not_read_through(project: Path, tmp_path: Path) -> None:
    """A linked folder inside the project is followed; one that leads outside is not."""
    other = tmp_path / "other"
    (other / "context").mkdir(parents=True)
    (other / "context" / "progress.md").write_text("foreign")
    _file(project)
    relative = ".claude/context/progress.md"
    (project / "kept").mkdir()
    (project / ".claude").rename(project / "kept" / "claude")
    (project / ".claude").symlink_to("kept/claude")
    inside = files.read_inside(str(project), relative)
    assert inside is not None
    assert inside[0] == "old\n"
    (project / ".claude").unlink()
    (project / ".claude").symlink_to(other)
    assert files.read_inside(str(project), relative) is None
    stat_of = (other / "context" / "progress.md").stat()
    path = str(project / relative)
    assert not files.replace_text(path, "mine", stat_of, root=str(project))
    assert (other / "context" / "progress.md").read_text() == "foreign"


def test_replacing_keeps_the_mode_and_leaves_no_draft(project: Path) -> None:
    """The new file keeps the old one's mode, and no other file appears in the folder."""
    path = _file(project)
    path.chmod(0o640)
    assert _replace(path, "new\n", project)
    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in path.parent.iterdir()] == ["progress.md"]


def test_a_file_changed_since_is_not_replaced(project: Path) -> None:
    """A file edited or deleted since it was read is not replaced."""
    path = _file(project)
    found = files.read_file(str(path))
    assert found is not None
    path.write_text("by hand, later\n")
    assert not files.replace_text(str(path), "new", found[1], root=str(project))
    path.unlink()
    assert not files.replace_text(str(path), "new", found[1], root=str(project))
    assert list(path.parent.iterdir()) == []


def test_a_link_in_the_place_of_the_file_is_not_replaced(project: Path, tmp_path: Path) -> None:
    """A link in place of the file is not replaced, and its target is not written."""
    path = _file(project)
    target = tmp_path / "target"
    path.rename(target)
    path.symlink_to(target)
    assert not files.replace_text(str(path), "new", target.stat(), root=str(project))
    assert path.is_symlink()
    assert target.read_text() == "old\n"


def test_a_new_file_is_made_once(project: Path) -> None:
    """Without an expected state the file and its folder are created; an existing file is refused."""
    (project / ".claude" / "context").rmdir()
    path = str(project / ".claude" / "context" / "learnings-x.md")
    assert files.replace_text(path, "one", None, root=str(project))
    assert not files.replace_text(path, "two", None, root=str(project))
    assert text_of(path) == "one"


def test_a_draft_that_cannot_be_written_is_no_error(project: Path) -> None:
    """A system error returns False and leaves the file, and what was in the way, unchanged."""
    path = _file(project)
    found = files.read_file(str(path))
    assert found is not None
    draft = path.parent / Replacement("progress.md").temporary
    draft.mkdir()
    assert not files.replace_text(str(path), "new", found[1], root=str(project))
    assert path.read_text() == "old\n"
    assert draft.is_dir()
