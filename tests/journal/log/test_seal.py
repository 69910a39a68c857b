"""Sealing and compressing segments."""

from __future__ import annotations

import gzip
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from journal.errors import JournalError
from journal.log import append, packed
from journal.log import seal as sealing
from journal.log.seal import compress_one, seal
from journal.log.segment import Segment, segments
from journal.log.verify import verify

from .book import NOW, Book


def _three_segments(book: Book, *, compress: bool = False) -> None:
    for _ in range(2):
        book.fill(10)
        seal(book.directory, NOW, compress=compress)
    book.fill(10)


def test_sealing_twice_is_sealing_once(book: Book) -> None:
    """A segment that holds only its opening record is not sealed again."""
    book.fill(3)
    assert [os.path.basename(path) for path in seal(book.directory, NOW)] == [
        "000000001-000000004.jsonl.gz"
    ]
    assert seal(book.directory, NOW) == []


def test_gzip_is_byte_exact_and_the_same_each_time(book: Book) -> None:
    """Compression gives the same bytes each time, mode 0600, and unpacks to what was written."""
    book.fill(10)
    plain = book.active.read_bytes()
    (path,) = seal(book.directory, NOW)
    packed = Path(path).read_bytes()
    assert gzip.decompress(packed) == plain
    assert Path(path).stat().st_mode & 0o777 == 0o600
    again = Path(book.directory, "000000001-000000011.jsonl")
    again.write_bytes(plain)
    Path(path).unlink()
    compress_one(Segment(str(again), 1, 11), NOW)
    assert Path(path).read_bytes() == packed


def test_writers_go_on_while_a_segment_is_compressed(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compressing holds no lock: a hook that does not wait appends in the middle of it."""
    book.fill(10)
    reached = []

    def pack(blocks, file):
        with append.Writer(book.directory, NOW, deadline=0) as writer:
            reached.extend(writer.append({"type": "note", "v": 1, "sid": ""}))
        packed.pack(blocks, file)

    monkeypatch.setattr(sealing, "pack", pack)
    (path,) = seal(book.directory, NOW)
    assert len(reached) == 1
    assert path.endswith(".gz")
    assert verify(book.directory, strict=True).exit_code == 0


def test_a_segment_replaced_meanwhile_is_not_compressed(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a repair replaces the segment during compression, the repaired file stays."""
    book.fill(3)
    seal(book.directory, NOW, compress=False)
    found = segments(book.directory)[0]

    def replaced(*_):
        other = Path(found.path + ".new")
        other.write_bytes(b"repaired")
        other.rename(found.path)
        return nullcontext()

    monkeypatch.setattr(sealing, "locked", replaced)
    with pytest.raises(JournalError, match="was replaced"):
        compress_one(found, NOW)
    assert Path(found.path).read_bytes() == b"repaired"
    assert not Path(found.path + ".gz").exists()


def test_a_crash_while_compressing_leaves_both_and_is_finished_later(book: Book) -> None:
    """While both forms exist each record is read once; the next seal removes the plain one."""
    _three_segments(book)
    first = Path(segments(book.directory)[0].path)
    Path(f"{first}.gz").write_bytes(gzip.compress(first.read_bytes()))
    Path(f"{first}.gz.part").write_bytes(b"half")
    there, reader = book.read()
    assert (there, reader.found.listed) == (book.acknowledged, [])
    seal(book.directory, NOW)
    assert not first.exists()
    there, reader = book.read()
    assert (there, reader.found.listed) == (book.acknowledged, [])
