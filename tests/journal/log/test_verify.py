"""No changed byte of a log passes verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.log.findings import TORN
from journal.log.read import Reader
from journal.log.verify import verify

from .wild import RECORDS, WILD, broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from .book import Book


def _flip(book: Book, figure: Callable[[str], None], step: int) -> None:
    book.fill(RECORDS)
    whole = book.active.read_bytes()
    written = set(Reader(book.directory))
    worst = flips = 0
    for bit in range(0, len(whole) * 8, step):
        broken = bytearray(whole)
        broken[bit // 8] ^= 1 << bit % 8
        book.active.write_bytes(broken)
        reader = Reader(book.directory)
        there = list(reader)
        assert written.issuperset(there), bit
        assert sum(reader.found.counts.values()) > reader.found.counts["valid"], (
            f"bit {bit} went unnoticed"
        )
        # A flip near the end of the last line may make it look like an unfinished record.
        assert not reader.found.complete or reader.found.counts.get(TORN), bit
        worst = max(worst, len(written) - len(there))
        flips += 1
    assert worst <= 1
    figure(f"{flips} flips, 0 undetected, at most {worst} record lost by one")


def test_every_flip_is_noticed(book: Book, figure: Callable[[str], None]) -> None:
    """One flipped bit costs at most one record, and never reads as another one (a sample of bits)."""
    _flip(book, figure, 29)


@pytest.mark.long
def test_every_flip_is_noticed_without_exception(book: Book, figure: Callable[[str], None]) -> None:
    """The same for every single bit."""
    _flip(book, figure, 1)


def test_flip_in_the_middle_is_corrupt_and_stays_so_after_an_append(book: Book) -> None:
    """A flip in the last record is corruption, not a torn end, once another record follows."""
    book.fill(3)
    whole = book.active.read_bytes()
    start = whole.rfind(b"\n", 0, -1) + 1
    for byte in range(start, len(whole) - 1):
        broken = bytearray(whole)
        broken[byte] ^= 4
        book.active.write_bytes(broken)
        before, _ = book.read()
        (seq,) = book.write("after")
        there, reader = book.read()
        assert there == {**before, seq: "after"}
        assert seq == 5, "the seq of the damaged record was given again"
        assert not reader.found.complete, byte
        assert verify(book.directory).exit_code == 1, byte


@pytest.mark.parametrize(
    ("case", "default", "salvage"),
    [("missing newline", 1, 0), ("CRLF rewrite", 1, 0), ("two swapped", 1, 0), ("splice", 1, 1),
     ("two deleted", 1, 1), ("the last damaged", 1, 1), ("blank line", 1, 0)],
)  # fmt: skip
def test_salvage_asks_for_lost_records_only(
    book: Book, case: str, default: int, salvage: int
) -> None:
    """`verify --salvage` exits 0 if no record is lost; plain `verify` exits 1 on any damage."""
    broken(book, WILD[case])
    assert verify(book.directory).exit_code == default
    assert verify(book.directory, salvage=True).exit_code == salvage
    assert verify(book.directory, strict=True).exit_code == 1
