"""Segments: sealed, compressed, chained, and refused if they are of another journal."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from journal.log.read import Reader
from journal.log.record import ACTIVE
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.segment import segments
from journal.log.verify import verify

from .book import NOW, Book


def _names(book: Book) -> list[str]:
    return [os.path.basename(item.path) for item in segments(book.directory)]


def _three_segments(book: Book, *, compress: bool = False) -> None:
    for _ in range(2):
        book.fill(10)
        seal(book.directory, NOW, compress=compress)
    book.fill(10)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_journal_reads_the_same_through_its_segments(book: Book, packed: bool) -> None:
    """Sealing and compressing change no record, no seq and no verdict."""
    _three_segments(book, compress=packed)
    there, reader = book.read()
    assert there == book.acknowledged
    assert reader.found.listed == []
    assert verify(book.directory, strict=True).exit_code == 0
    end = ".gz" if packed else ""
    assert _names(book) == [
        f"000000001-000000011.jsonl{end}", f"000000012-000000022.jsonl{end}", ACTIVE
    ]  # fmt: skip


def test_reading_goes_on_while_segments_are_sealed_and_compressed(book: Book) -> None:
    """A reader without a lock misses nothing when the files are renamed under it."""
    _three_segments(book)
    reader = Reader(book.directory)
    seen = []
    for number, batch in enumerate(reader.batches()):
        seen += [seq for seq, _ in batch]
        if number == 0:
            seal(book.directory, NOW)
    assert seen == list(range(1, 34))
    assert reader.found.listed == []


@pytest.mark.parametrize("where", ["before", "between", "after"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_segment_of_another_journal_is_refused(
    book: Book, tmp_path: Path, where: str, packed: bool
) -> None:
    """A segment of another journal is an anomaly: none of its records is read, all own ones are."""
    _three_segments(book)
    other = Book(tmp_path / "other")
    other.fill(4)
    (source,) = seal(other.directory, NOW, compress=packed)
    span = {"before": "000000001-000000004", "between": "000000013-000000016",
            "after": "000000900-000000904"}[where]  # fmt: skip
    shutil.copy(source, Path(book.directory, span + ".jsonl" + (".gz" if packed else "")))
    there, reader = book.read()
    assert there == book.acknowledged
    assert not reader.found.complete
    assert any("another journal" in item.what for item in reader.found.listed)
    report = verify(book.directory)
    assert report.exit_code == 1
    assert sum(row.foreign for row in report.rows) == 1
    report = repair(book.directory, NOW)
    assert report.exit_code == 0, report.findings
    assert len(list(Path(book.directory, "quarantine").iterdir())) == 1
    there, reader = book.read()
    assert there == book.acknowledged


def test_records_of_another_journal_in_the_same_file_are_refused(
    book: Book, tmp_path: Path
) -> None:
    """Another journal's log pasted at the end is an anomaly; later appends are kept."""
    book.fill(10)
    other = Book(tmp_path / "other")
    other.fill(3)
    with book.active.open("ab") as file:
        file.write(other.active.read_bytes())
    there, reader = book.read()
    assert there == book.acknowledged
    assert any("another journal" in item.what for item in reader.found.listed)
    repair(book.directory, NOW)
    book.write("after")
    there, _ = book.read()
    assert there == book.acknowledged


@pytest.mark.parametrize("how", ["cut", "flipped", "not gzip"])
def test_a_damaged_gzip_gives_what_stands_before_the_damage(book: Book, how: str) -> None:
    """A cut or flipped gzip is corrupt; records before the damage are read, and the file is kept."""
    texts = [os.urandom(400).hex() for _ in range(300)]  # hardly compressible
    book.write(*texts)
    (path,) = seal(book.directory, NOW)
    whole = Path(path).read_bytes()
    middle = len(whole) // 2
    broken = {
        "cut": whole[:middle],
        "flipped": whole[:middle] + bytes(byte ^ 255 for byte in whole[middle : middle + 64])
        + whole[middle + 64 :],
        "not gzip": b"plain words",
    }[how]  # fmt: skip
    Path(path).write_bytes(broken)
    there, reader = book.read()
    assert not reader.found.complete
    assert there.items() <= book.acknowledged.items()
    assert len(there) > (100 if how != "not gzip" else -1)
    assert verify(book.directory).exit_code == 1
    report = repair(book.directory, NOW)
    assert report.exit_code == 0, report.findings
    kept = Path(book.directory, str(report.repaired[0]["quarantined"]))
    assert kept.read_bytes() == broken
    assert book.read()[0] == there
    book.write("after")
    assert verify(book.directory).exit_code == 0


def test_a_tail_is_read_without_reading_what_was_before(book: Book) -> None:
    """Reading with `after` returns exactly the later records, also across sealed segments."""
    _three_segments(book, compress=True)
    every = list(Reader(book.directory))
    for after in range(35):
        reader = Reader(book.directory, after)
        assert list(reader) == every[after:]
        assert reader.found.listed == []
