"""The directory of the journal home, its filesystem and the space on it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from cli.doctor.home import filesystem, home, space

if TYPE_CHECKING:
    from pathlib import Path

    from cli.doctor.installation import Check


def rows(path: Path) -> list[tuple[str, str]]:
    """Return status and text of each row about a home."""
    return [(row.status, row.what) for row in home(install(path))]


def install(path: Path) -> Any:
    """Return an installation with this home."""
    return SimpleNamespace(home=str(path))


def test_a_home_is_a_private_directory(tmp_path: Path) -> None:
    """A directory of mode 0700 is in order; one that others can read or write is not; nor a file."""
    path = tmp_path / "journal"
    path.mkdir()
    path.chmod(0o700)
    ((status, what),) = rows(path)
    assert (status, what.startswith("private, on ")) == ("ok", True)
    path.chmod(0o750)
    assert rows(path) == [("warn", "has mode 0750: other users can read it")]
    path.chmod(0o702)
    assert rows(path) == [("fail", "is writable by everyone: hooks record nothing")]
    (tmp_path / "file").write_text("")
    assert rows(tmp_path / "file") == [("fail", "is not a directory")]


def test_a_home_that_is_not_there_yet(tmp_path: Path) -> None:
    """The first event creates it, unless something else is in the way."""
    assert rows(tmp_path / "a" / "b")[0][0] == "note"
    (tmp_path / "file").write_text("")
    assert rows(tmp_path / "file" / "journal") == [
        ("fail", "cannot be created: nothing is recorded")
    ]


def test_a_home_on_a_remote_filesystem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks between hosts may fail there, which is a warning."""
    path = tmp_path / "journal"
    path.mkdir(mode=0o700)
    for kind, status in (("nfs4", "warn"), ("fuse.sshfs", "warn"), ("ext4", "ok"), ("", "ok")):
        monkeypatch.setattr("cli.doctor.home.filesystem", lambda _path, kind=kind: kind)
        assert [status for status, _ in rows(path)] == [status], kind


@pytest.mark.parametrize(
    ("free", "status", "what"),
    [(5e9, "ok", "5.0 GB free"), (2e8, "ok", "200 MB free"), (5e7, "warn", "50 MB free"),
     (5e5, "fail", "0 MB free")],
)  # fmt: skip
def test_space_on_the_disk(
    free: float, status: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below 100 MB is a warning, below 1 MB a failure; a home that is not there has its parent's."""
    usage = SimpleNamespace(free=free)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage)
    row: Check
    (row,) = space(install(tmp_path / "none" / "journal"))
    assert (row.status, row.what, row.where) == (status, what, str(tmp_path))


def test_the_nearest_mount_has_the_path(tmp_path: Path) -> None:
    """The type is that of the longest mount point above the path; a strange table gives none."""
    table = tmp_path / "mountinfo"
    folder = f"{tmp_path}/a b".replace(" ", "\\040")
    table.write_text(
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n"
        f"2 1 0:9 / {folder} rw shared:1 - nfs4 host:/x rw\n"
        f"3 1 0:9 / {tmp_path}/a rw - tmpfs none rw\n"
    )
    (tmp_path / "a b").mkdir()
    assert filesystem(str(tmp_path / "a b" / "c"), str(table)) == "nfs4"
    assert filesystem(str(tmp_path / "a"), str(table)) == "tmpfs"
    assert filesystem("/elsewhere", str(table)) == "ext4"
    table.write_text("nonsense\n")
    assert filesystem("/", str(table)) == ""
    assert filesystem("/", str(tmp_path / "none")) == ""
