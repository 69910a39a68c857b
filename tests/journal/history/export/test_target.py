"""Where an export goes: a folder, or a bucket."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.export.target import target_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("where", "path"),
    [
        ("lake", "/work/lake"),
        ("/lake", "/lake"),
        ("file:///lake", "/lake"),
        ("~/lake", "/ann/lake"),
    ],
)
def test_a_path_is_a_folder(where: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is relative to the working directory; `file://` and `~` are understood."""
    monkeypatch.setenv("HOME", "/ann")
    assert target_of(where, "/work", {}).path == path


def test_a_file_of_a_folder(tmp_path: Path) -> None:
    """Files are written below folders that are made, read back, copied and removed."""
    target = target_of("lake", str(tmp_path), {})
    assert (target.read("tools/a"), target.has("tools/a")) == (b"", False)
    target.write("tools/a", b"one")
    assert (target.read("tools/a"), target.has("tools/a")) == (b"one", True)
    target.put("tools/b", str(tmp_path / "lake" / "tools" / "a"))
    assert sorted(path.name for path in (tmp_path / "lake" / "tools").iterdir()) == ["a", "b"]
    target.remove("tools/a")
    target.remove("tools/a")
    assert not target.has("tools/a")


def test_a_bucket_needs_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package that reaches buckets the error names the command that installs it."""
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(JournalError, match="not installed") as caught:
        target_of("s3://lake/x", "/", {})
    assert "install" in caught.value.remedy


def test_files_of_a_bucket_are_those_of_a_folder() -> None:
    """A bucket has the same methods, and its errors name the URL and what to check."""
    pytest.importorskip("fsspec")
    target = target_of("memory://lake", "/", {})
    target.write("tools/a", b"one")
    assert (target.read("tools/a"), target.has("tools/a")) == (b"one", True)
    target.remove("tools/a")
    assert (target.read("tools/a"), target.has("tools/a")) == (b"", False)
    with pytest.raises(JournalError, match="cannot be reached") as caught:
        target.put("tools/b", "/no/such/file")
    assert "AWS_PROFILE" in caught.value.remedy
