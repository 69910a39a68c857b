"""What commands share that change existing segments."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.log import maintenance
from journal.log.append import Writer
from journal.log.maintenance import ReplacedError, as_journal_error, check_same, locked

from .book import NOW, Book

if TYPE_CHECKING:
    from pathlib import Path


def test_a_replaced_or_removed_file_is_noticed(tmp_path: Path) -> None:
    """A path that leads to another file, or to none, raises ReplacedError."""
    path = tmp_path / "segment"
    path.write_text("a")
    facts = path.stat()
    path.write_text("changed in place")
    check_same(facts, str(path))
    other = tmp_path / "other"
    other.write_text("a")
    other.rename(path)
    with pytest.raises(ReplacedError):
        check_same(facts, str(path))
    path.unlink()
    with pytest.raises(ReplacedError):
        check_same(facts, str(path))


def test_a_failing_call_names_the_file_and_the_remedy() -> None:
    """An OSError becomes a JournalError with what failed and what to do; others pass."""
    with (
        pytest.raises(JournalError, match="cannot be read: Input/output error") as caught,
        as_journal_error("/a/path", "cannot be read", "do this"),
    ):
        raise OSError(5, os.strerror(5))
    assert caught.value.remedy == "do this"
    with pytest.raises(KeyError), as_journal_error("/a/path", "cannot be read", "do this"):
        raise KeyError


def test_a_busy_log_is_an_error_with_a_remedy(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """If another process holds the lock past the deadline, the command ends; a free one is taken."""
    book.fill(1)
    monkeypatch.setattr(maintenance, "PATIENCE", 0.01)
    with (
        Writer(book.directory, NOW),
        pytest.raises(JournalError, match="in use") as caught,
        locked(book.directory, NOW),
    ):
        pass
    assert caught.value.remedy == "try again when that has ended"
    with locked(book.directory, NOW) as writer:
        assert writer.append({"type": "note", "v": 1, "sid": "s"}) == [3]
