"""How far a log was exported, and whether it is still the same log."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from journal.history.team.positions import (
    ALTERED,
    LogEnd,
    StoredMark,
    folder_of,
    is_same,
    mark_altered,
    mark_of,
    name_of,
    seq_of,
    store_mark,
    stored_mark,
)
from tests.journal.log.book import Book


@pytest.fixture
def end(tmp_path: Path) -> LogEnd:
    """Return the end of a log of six records."""
    book = Book(tmp_path / "shop")
    book.fill(5)
    return end_of(book)


def end_of(book: Book) -> LogEnd:
    """Return the end of a log, as an export that has read it knows it."""
    log: Any = SimpleNamespace(directory=book.directory)
    return LogEnd(log, book.whole_position(), name_of("origin", "shop", "live"))


def test_a_mark_is_a_seq_and_a_part_of_its_checksum() -> None:
    """The seq can be read from a mark, and another record with that seq has another mark."""
    assert mark_of(3, "ab01ffff") == 3 << 24 | 0x01FFFF
    assert seq_of(mark_of(3, "ab01ffff")) == 3
    assert mark_of(3, "ab01ffff") != mark_of(3, "ab01fffe")
    assert (mark_of(3, ""), seq_of(0)) == (3 << 24, 0)


def test_a_log_with_the_marked_record_is_the_same(end: LogEnd) -> None:
    """A log is the same if it has the record of the mark, or if nothing is known of it."""
    book = Book(Path(end.log.directory))
    line = book.lines()[2]
    marked = mark_of(3, line[-10:-2].decode())
    assert is_same(end, marked, 0)
    assert is_same(end, 0, 0)
    assert is_same(end, end.mark, 0)
    assert not is_same(end, mark_of(3, "00000000"), 0)
    assert is_same(end, mark_of(3, "00000000"), mark_of(3, "00000000"))
    assert not is_same(end, mark_of(end.position.seq + 1, "00000000"), 0)


def test_what_a_home_remembers(end: LogEnd, tmp_path: Path) -> None:
    """A home knows how far it exported, to which table, and whether that export ended."""
    folder = folder_of(str(tmp_path), "s3://team/x")
    assert Path(folder).parent == tmp_path / "cache" / "export"
    Path(folder).mkdir(parents=True, mode=0o700)
    assert stored_mark(folder, end) == StoredMark()
    store_mark(folder, end.name, end.position, "table-id", is_complete=False)
    assert stored_mark(folder, end) == StoredMark(end.mark, "table-id", is_complete=False)
    store_mark(folder, end.name, end.position, "table-id")
    assert stored_mark(folder, end) == StoredMark(end.mark, "table-id", is_complete=True)


def test_a_copied_home_is_not_sure(end: LogEnd, tmp_path: Path) -> None:
    """In another directory than the one it was stored in, an export counts as not ended."""
    folder = tmp_path / "folder"
    store_mark(str(folder), end.name, end.position, "table-id")
    folder.rename(tmp_path / "old")
    folder.mkdir(mode=0o700)
    (tmp_path / "old" / end.name).rename(folder / end.name)
    assert stored_mark(str(folder), end) == StoredMark(end.mark, "table-id", is_complete=False)


def test_an_altered_log_is_exported_anew(end: LogEnd, tmp_path: Path) -> None:
    """A changed record, and a redaction that says so, make every mark of the log ALTERED."""
    folder = folder_of(str(tmp_path), "there")
    store_mark(folder, end.name, end.position, "table-id")
    mark_altered(str(tmp_path), end.name)
    assert stored_mark(folder, end).mark == ALTERED == -1
    store_mark(folder, end.name, end.position, "table-id")
    book = Book(Path(end.log.directory))
    book.set_lines([book.lines()[0], *book.lines()[2:]])
    assert stored_mark(folder, end).mark == ALTERED
