"""Cut the log at every byte and flip every bit: exactly the intact records survive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.log.findings import TORN
from journal.log.read import Reader
from journal.log.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from .book import Book

RECORDS = 30


def _cut(book: Book, figure: Callable[[str], None], step: int) -> None:
    book.fill(RECORDS)
    whole = book.active.read_bytes()
    written = list(Reader(book.directory))
    ends = [index + 1 for index, byte in enumerate(whole) if byte == 10]
    for size in range(0, len(whole) + 1, step):
        book.active.write_bytes(whole[:size])
        reader = Reader(book.directory)
        # A record is whole with its last brace; the newline after it may be missing.
        count = sum(end - 1 <= size for end in ends)
        assert list(reader) == written[:count], size
        fragment = size > 0 and size not in ends and size + 1 not in ends
        assert reader.found.counts.get(TORN, 0) == fragment, size
        assert reader.found.complete, size
    figure(f"{len(range(0, len(whole) + 1, step))} cuts of {len(whole)} bytes, 0 wrong")


def test_every_cut_leaves_exactly_the_whole_records(
    book: Book, figure: Callable[[str], None]
) -> None:
    """A log cut at any byte yields the records before the cut; the rest is torn, never corrupt."""
    _cut(book, figure, 1)


@pytest.mark.parametrize("back", [1, 2, 3, 17, 18, 19, 60, 140, 300])
def test_append_after_a_cut_heals(book: Book, back: int) -> None:
    """The first record after a cut starts on its own line and gets the cut record's seq."""
    book.fill(RECORDS)
    whole = book.active.read_bytes()
    book.active.write_bytes(whole[:-back])
    before, _ = book.read()
    (seq,) = book.write("after")
    there, reader = book.read()
    assert there == {**before, seq: "after"}
    assert seq == max(before) + 1
    assert reader.found.complete
    assert verify(book.directory).exit_code == 0
    cut = sum(line != b"" for line in whole[:-back].split(b"\n")) - len(before) - 1
    assert verify(book.directory, strict=True).exit_code == int(cut > 0)


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
