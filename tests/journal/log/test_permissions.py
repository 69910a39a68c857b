"""Permissions: 0600 files, 0700 directories, no links, no other user's files."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.checkpoint import Checkpoint, Position, load_hints, load_snapshot, save_in_place
from journal.errors import JournalOffError
from journal.log import spool
from journal.log.append import Writer
from journal.log.counter import MISSED, add_to
from journal.log.read import Reader
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.verify import verify

from .book import NOW, Book

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_umask")
def test_everything_is_the_users_own(tmp_path: Path) -> None:
    """With any umask every file is 0600 and every directory 0700, parents included."""
    book = Book(tmp_path / "home" / "project")
    book.fill(3)
    seal(book.directory, NOW)
    spool.put(book.directory, NOW, ({"type": "note", "v": 1, "sid": "s"},))
    add_to(book.directory, MISSED)
    with Writer(book.directory, NOW) as writer:
        position = Position(5, writer.size, writer.last_seq, "")
        assert save_in_place(f"{book.directory}/snapshot", Checkpoint(position, "v", b"{}", {}))
    book.set_lines([*book.lines(), b"foreign"])
    repair(book.directory, NOW)
    spool.put(book.directory, NOW, ({"type": "note", "v": 1, "sid": "s"},))
    seen = list((tmp_path / "home").rglob("*"))
    assert len(seen) >= 8
    for path in [tmp_path / "home", *seen]:
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == expected, path


@pytest.mark.parametrize("name", ["lock", "active.jsonl"])
@pytest.mark.parametrize("kind", ["symlink", "dangling", "fifo", "directory"])
def test_a_file_that_is_not_plainly_ours_is_refused(
    book: Book, tmp_path: Path, name: str, kind: str
) -> None:
    """Links, pipes and directories in place of a journal's file are refused, never written to."""
    book.fill(2)
    path = Path(book.directory, name)
    real = tmp_path / "real"
    path.rename(real)
    before = real.read_bytes()
    if kind == "symlink":
        path.symlink_to(real)
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(JournalOffError) as caught, Writer(book.directory, NOW):
        pass
    assert caught.value.remedy
    assert real.read_bytes() == before
    assert not (tmp_path / "nowhere").exists()
    if name == "active.jsonl":
        reader = Reader(book.directory)
        assert list(reader) == []
        assert not reader.found.complete, "what is not read is said"


@pytest.mark.parametrize("ending", ["", '{"seq":4,"ts":'], ids=["whole", "torn"])
def test_a_backup_by_links_is_no_damage_and_stays_as_it_is(
    book: Book, tmp_path: Path, ending: str
) -> None:
    """Hard links to every file are no damage; later appends do not reach the linked backup."""
    book.fill(2)
    with book.active.open("a") as file:
        file.write(ending)
    kept = {}
    for path in Path(book.directory).iterdir():
        (tmp_path / path.name).hardlink_to(path)
        kept[path.name] = path.read_bytes()
    assert verify(book.directory).exit_code == 0
    book.write("after", "and once more")
    book.write("third")
    there, reader = book.read()
    assert (there, reader.found.complete) == (book.acknowledged, True)
    assert verify(book.directory).exit_code == 0
    names = sorted(path.name for path in Path(book.directory).glob("*.jsonl"))
    assert names == ["000000001-000000003.jsonl", "active.jsonl"]
    whole = kept["active.jsonl"].removesuffix(ending.encode())
    assert (tmp_path / "active.jsonl").read_bytes().startswith(whole)
    assert (tmp_path / "active.jsonl").read_bytes().count(b"\n") == 3 + bool(ending)


@pytest.mark.parametrize("kind", ["symlink", "fifo"])
def test_a_snapshot_that_is_not_plainly_ours_is_as_good_as_none(
    book: Book, tmp_path: Path, kind: str
) -> None:
    """A snapshot behind a symbolic link, or a pipe in its place, is neither read nor written."""
    book.fill(2)
    with Writer(book.directory, NOW) as writer:
        end = writer.read(writer.size - 11, 8).decode()
        position = Position(1, writer.size, writer.last_seq, end)
        checkpoint = Checkpoint(position, "v", b"{}", {"a": 1})
        path = Path(book.directory, "snapshot")
        assert save_in_place(str(path), checkpoint)
        assert load_snapshot(book.directory, "v") is not None
        real = tmp_path / "real"
        path.rename(real)
        before = real.read_bytes()
        if kind == "symlink":
            path.symlink_to(real)
        else:
            os.mkfifo(path)
        assert load_snapshot(book.directory, "v") is None
        assert load_hints(book.directory, 1)[0] == {}
        assert not save_in_place(str(path), checkpoint)
        assert real.read_bytes() == before


def test_a_linked_snapshot_is_read_and_then_written_beside(book: Book, tmp_path: Path) -> None:
    """A hard-linked snapshot is read; storing a new one leaves the backup's as it is."""
    book.fill(2)
    path = Path(book.directory, "snapshot")
    with Writer(book.directory, NOW) as writer:
        end = writer.read(writer.size - 11, 8).decode()
        checkpoint = Checkpoint(
            Position(1, writer.size, writer.last_seq, end), "v", b"{}", {"a": 1}
        )
        assert save_in_place(str(path), checkpoint)
        (tmp_path / "backup").hardlink_to(path)
        before = path.read_bytes()
        assert load_snapshot(book.directory, "v") is not None
        assert save_in_place(str(path), Checkpoint(checkpoint.position, "w", b"[]", {}))
    assert (tmp_path / "backup").read_bytes() == before
    assert load_snapshot(book.directory, "w") is not None


def test_a_directory_open_to_everyone_is_refused(book: Book) -> None:
    """A world-writable journal is refused with the command that fixes it; after that it works."""
    book.fill(1)
    Path(book.directory).chmod(0o777)
    with pytest.raises(JournalOffError, match="everyone") as caught, Writer(book.directory, NOW):
        pass
    assert caught.value.remedy == f"run: chmod 700 {book.directory}"
    Path(book.directory).chmod(0o700)
    assert book.write("after")


@pytest.mark.parametrize("name", ["", "lock", "active.jsonl"])
def test_what_belongs_to_somebody_else_is_refused(book: Book, name: str) -> None:
    """A directory or file of another user is refused."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    book.fill(1)
    path = Path(book.directory, name)
    os.chown(path, 12345, -1)
    with pytest.raises(JournalOffError) as caught, Writer(book.directory, NOW):
        pass
    assert caught.value.remedy
    os.chown(path, 0, -1)
    assert book.write("after")


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    """A file in place of the journal's directory is refused and left as it is."""
    path = tmp_path / "journal"
    path.write_text("mine")
    with pytest.raises(JournalOffError, match="not a directory"), Writer(str(path), NOW):
        pass
    assert path.read_text() == "mine"
