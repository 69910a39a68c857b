"""How a writer begins the next segment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.log import append
from journal.log.segment import segments
from journal.log.verify import verify

if TYPE_CHECKING:
    from .book import Book


def _names(book: Book) -> list[str]:
    return [os.path.basename(item.path) for item in segments(book.directory)]


def test_a_full_segment_is_rolled_by_the_next_writer(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past the limit the next writer begins a new segment; nothing else changes."""
    monkeypatch.setattr(append, "SEGMENT_LIMIT", 2000)
    for _ in range(40):
        book.fill(1)
    assert len(_names(book)) > 2
    there, reader = book.read()
    assert there == book.acknowledged
    assert reader.found.listed == []
    assert verify(book.directory, strict=True).exit_code == 0


def test_a_crash_between_rename_and_opening_is_healed(book: Book) -> None:
    """A journal left without an active segment goes on with the next seq and a correct link."""
    book.fill(10)
    os.rename(book.active, Path(book.directory, "000000001-000000011.jsonl"))
    there, reader = book.read()
    assert there == book.acknowledged
    assert reader.found.complete
    book.fill(3)
    there, _ = book.read()
    assert there == book.acknowledged
    assert verify(book.directory, strict=True).exit_code == 0


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_no_segment_is_replaced(book: Book, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """Where a segment of that name exists, compressed or not, the active one is not sealed."""
    book.fill(10)
    other = Path(book.directory, f"000000001-000000011.jsonl{ending}")
    other.write_bytes(b"x")
    monkeypatch.setattr(append, "SEGMENT_LIMIT", 1)
    book.fill(1)
    assert list(other.parent.glob("0*")) == [other]
    assert other.read_bytes() == b"x"


def test_a_sealed_segment_ends_in_a_newline(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that a killed writer left incomplete is ended before the segment is sealed."""
    book.fill(10)
    with book.active.open("ab") as file:
        file.write(b'{"seq":12,"torn')
    monkeypatch.setattr(append, "SEGMENT_LIMIT", 1)
    book.fill(1)
    assert Path(book.directory, _names(book)[0]).read_bytes().endswith(b"torn\n")
