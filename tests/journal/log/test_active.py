"""Where the next record goes in a damaged segment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from journal.log.active import last_seq_in, part_from_link
from journal.log.append import Writer
from journal.log.record import frame

from .book import NOW, Book


def _record(seq: int) -> bytes:
    return frame(seq, {"ts": "", "type": "note", "v": 1, "sid": "s", "text": "x" * 40})


WHOLE = _record(7)
TAILS = {
    "in order": (WHOLE + _record(8), (8, 0, True)),
    "out of order": (_record(8) + WHOLE, (8, 0, False)),
    "a cut line at the end": (WHOLE + _record(8)[:40], (7, 0, True)),
    "a whole record without its newline": (WHOLE + _record(8)[:-1], (8, 0, True)),
    "a damaged record behind it": (WHOLE + _record(8).replace(b"note", b"moth"), (7, 1, True)),
    "a healed cut line": (WHOLE + _record(8)[:40] + b"\n" + _record(8), (8, 0, True)),
    "foreign text": (WHOLE + b"buy milk\n", (7, 0, True)),
    "nothing": (b"", (0, 0, True)),
}


@pytest.mark.parametrize("tail, found", TAILS.values(), ids=TAILS.keys())
def test_the_last_seq_of_a_tail(tail: bytes, found: tuple[int, int, bool]) -> None:
    """A damaged record behind the last whole one had a seq of its own; a cut or foreign line had none."""
    assert last_seq_in(tail, partial=False) == found
    assert last_seq_in(b"half of a line}\n" + tail, partial=True) == found


def test_nul_bytes_at_the_end_count_no_record(book: Book) -> None:
    """The seq goes on behind the last record that stands before a hole of any length."""
    book.fill(3)
    os.truncate(book.active, book.active.stat().st_size + 5000)
    assert book.write("after") == [5]


def test_a_segment_without_a_record_begins_again(book: Book) -> None:
    """If no line of the only segment is a record, an opening record comes before the next one."""
    book.write("lost")
    book.set_lines([b"milk"])
    assert book.write("after") == [2]
    assert b'"type":"segment.opened"' in book.lines()[1]


def test_a_linked_segment_is_sealed_before_the_next_record(book: Book, tmp_path: Path) -> None:
    """A backup by links keeps its bytes: the writer goes on in a new file."""
    book.fill(2)
    backup = tmp_path / "backup"
    os.link(book.active, backup)
    before = backup.read_bytes()
    with Writer(book.directory, NOW) as writer:
        assert writer.append({"type": "note", "v": 1, "sid": "s", "text": "after"}) == [5]
    assert backup.read_bytes() == before
    assert sorted(path.name for path in Path(book.directory).glob("*.jsonl")) == [
        "000000001-000000003.jsonl", "active.jsonl",
    ]  # fmt: skip


def test_an_empty_linked_segment_is_made_anew(book: Book, tmp_path: Path) -> None:
    """An empty active segment under two names is unlinked, and the other name stays empty."""
    book.fill(1)
    with Writer(book.directory, NOW) as writer:
        os.truncate(book.active, 0)
        os.link(book.active, tmp_path / "backup")
        writer.size = 0
        part_from_link(writer)
    assert (tmp_path / "backup").stat().st_nlink == 1
    assert book.active.stat().st_nlink == 1
