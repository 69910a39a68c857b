"""How far a log was read is remembered, so that a lost end shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from journal.log.reached import forget_reached, note_reached, seen_seq
from journal.log.repair import repair
from journal.log.verify import verify

from .book import NOW, Book


def test_the_highest_seq_stands(book: Book) -> None:
    """A later reading raises it, an earlier one does not lower it, and forgetting clears it."""
    assert seen_seq(book.directory) == 0
    book.fill(3)
    early = book.whole_position()
    note_reached(book.directory, early)
    assert seen_seq(book.directory) == early.seq
    book.fill(2)
    late = book.whole_position()
    note_reached(book.directory, late)
    note_reached(book.directory, early)
    assert seen_seq(book.directory) == late.seq > early.seq
    forget_reached(book.directory)
    forget_reached(book.directory)
    assert seen_seq(book.directory) == 0


def test_a_seq_that_was_read_is_not_given_again(book: Book) -> None:
    """If the log loses its end, the next record goes on behind what was read, and the gap shows."""
    book.fill(5)
    note_reached(book.directory, book.whole_position())
    lines = book.lines()
    book.set_lines(lines[:-2])
    assert book.read()[1].found.gaps[0][:2] == (len(lines) - 1, len(lines))
    assert book.write("after") == [len(lines) + 1]
    assert [gap[:2] for gap in book.read()[1].found.gaps] == [(len(lines) - 1, len(lines))]


@pytest.mark.parametrize("more", [1, 40])
def test_another_log_in_its_place_is_noticed(book: Book, more: int) -> None:
    """A log of another journal, however long, does not pass for the one that was read; a repair ends it."""
    book.fill(5)
    note_reached(book.directory, book.whole_position())
    other = Book(Path(f"{book.directory}-other"))
    other.fill(more)
    book.active.write_bytes(other.active.read_bytes())
    note_reached(book.directory, book.whole_position())
    assert [gap[:2] for gap in book.read()[1].found.gaps] == [(1, 6)]
    assert verify(book.directory).exit_code == 1
    assert repair(book.directory, NOW).exit_code == 0
    book.fill(9)
    note_reached(book.directory, book.whole_position())
    found = book.read()[1].found
    assert (found.is_damaged, (1, 6) in found.known) == (False, True)


def test_without_a_writable_home_nothing_is_noted(book: Book) -> None:
    """A cache that is a file in the way is no error."""
    book.fill(1)
    position = book.whole_position()
    os.makedirs(os.path.dirname(book.directory), exist_ok=True)
    (book.active.parent.parent / "cache").write_text("in the way")
    note_reached(book.directory, position)
    assert seen_seq(book.directory) == 0
