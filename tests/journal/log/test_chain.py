"""Each segment names the one before it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from journal.log.record import frame, is_whole, unframe
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.segment import segments
from journal.log.verify import verify

from .book import NOW, Book


def _three_segments(book: Book, *, compress: bool = False) -> None:
    for _ in range(2):
        book.fill(10)
        seal(book.directory, NOW, compress=compress)
    book.fill(10)


def _renamed(book: Book) -> None:
    first = segments(book.directory)[0].path
    os.rename(first, Path(book.directory, "000000001-000000010.jsonl"))


def _rewritten(book: Book) -> None:
    """Replace a record with another one that has a valid checksum."""
    path = Path(segments(book.directory)[0].path)
    lines = path.read_bytes().split(b"\n")
    fields = unframe(lines[5])
    seq = fields.pop("seq")
    lines[5] = frame(seq, {**fields, "text": "something else"})[:-1]
    assert is_whole(lines[5])
    path.write_bytes(b"\n".join(lines))


def _shortened(book: Book) -> None:
    path = Path(segments(book.directory)[0].path)
    path.write_bytes(path.read_bytes()[:-200])


def _removed(book: Book) -> None:
    os.unlink(segments(book.directory)[1].path)


def _first_removed(book: Book) -> None:
    os.unlink(segments(book.directory)[0].path)


def _end_lost(book: Book) -> None:
    """Remove the active segment, and the last record of the one before."""
    book.active.unlink()
    path = Path(segments(book.directory)[-1].path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


@pytest.mark.parametrize(
    ("change", "word"),
    [(_end_lost, "but holds 12 to 21"), (_renamed, "named 1 to 10, but holds 1 to 11"), (_rewritten, "changed after it was sealed"),
     (_shortened, "gap: seq"), (_removed, "gap: seq 12 to 22 missing"),
     (_first_removed, "gap: seq 1 to 11 missing")],
)  # fmt: skip
def test_the_chain_of_segments_is_checked(book: Book, change: object, word: str) -> None:
    """A segment renamed, rewritten, shortened or missing is a named anomaly."""
    _three_segments(book)
    assert verify(book.directory).exit_code == 0
    change(book)  # type: ignore[operator]
    report = verify(book.directory)
    assert report.exit_code == 1
    assert any(word in item.what for item in report.findings), report.findings
    assert repair(book.directory, NOW).exit_code == 0, "what cannot be mended is named, and known"
    book.fill(3)
    seal(book.directory, NOW)
    assert verify(book.directory).exit_code == 0
