"""What repair changes, and when it refuses."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from journal.codec import digest
from journal.errors import JournalError
from journal.log import maintenance
from journal.log.append import Writer
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.segment import segments
from journal.log.verify import verify

from .book import NOW, Book
from .wild import RECORDS, Case, broken, some_cases


def _three_segments(book: Book, *, compress: bool = False) -> None:
    for _ in range(2):
        book.fill(10)
        seal(book.directory, NOW, compress=compress)
    book.fill(10)


def _removed(book: Book) -> None:
    os.unlink(segments(book.directory)[1].path)


def test_a_missing_segment_is_known_after_a_repair(book: Book) -> None:
    """Repair cannot restore a lost segment; it records the gap, and reports call the gap known."""
    _three_segments(book)
    _removed(book)
    assert repair(book.directory, NOW).exit_code == 0
    report = verify(book.directory)
    assert len(report.found.known) == 1
    assert any(item.what.startswith("known gap: seq 12 to 22") for item in report.findings)
    assert verify(book.directory, strict=True).exit_code == 1
    assert not book.read()[1].found.complete, "a view over a gap is not complete, known or not"


def test_repair_refuses_when_the_evidence_cannot_be_kept(book: Book) -> None:
    """If the evidence cannot be copied, repair raises an error with a remedy and changes nothing."""
    book.fill(5)
    book.set_lines([*book.lines(), b"foreign"])
    bad = book.active.read_bytes()
    Path(book.directory, "quarantine").write_text("in the way")
    with pytest.raises(JournalError) as caught:
        repair(book.directory, NOW)
    assert caught.value.remedy
    assert book.active.read_bytes() == bad


def test_repair_takes_bounded_memory(book: Book) -> None:
    """A log that grew by 24 MiB of NUL bytes is in quarantine byte for byte, and never in memory."""
    book.fill(2)
    with book.active.open("ab") as file:
        file.truncate(file.tell() + 24 * 1024 * 1024)
    grown = digest(book.active.read_bytes())
    tracemalloc.start()
    (done,) = repair(book.directory, NOW).repaired
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (done["kept"], peak < 12 * 1024 * 1024) == (3, True)
    stored = Path(book.directory, str(done["quarantined"]))
    assert stored.name.endswith(grown)
    assert digest(stored.read_bytes()) == grown


def test_repair_respects_the_lock_of_others(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a writer holds the lock, repair and seal raise an error with a remedy."""
    book.fill(5)
    book.set_lines([*book.lines(), b"foreign"])
    monkeypatch.setattr(maintenance, "PATIENCE", 0.01)
    with Writer(book.directory, NOW):
        for call in (repair, seal):
            with pytest.raises(JournalError, match="in use") as caught:
                call(book.directory, NOW)
            assert caught.value.remedy
    assert repair(book.directory, NOW).exit_code == 0


@some_cases("repair")
def test_read_repair_append_read(book: Book, case: Case) -> None:
    """Repair keeps the evidence and every whole record; then the log is clean and goes on."""
    left = broken(book, case)
    bad = book.active.read_bytes()
    report = repair(book.directory, NOW)
    assert report.exit_code == 0, report.findings
    assert [item["segment"] for item in report.repaired] == ["active.jsonl"]
    there, _ = book.read()
    assert there == left
    place = str(report.repaired[0]["quarantined"])
    if place:  # a mere gap leaves nothing to quarantine
        kept = Path(book.directory, place)
        assert kept.read_bytes()[: len(bad)] == bad
        assert kept.stat().st_mode & 0o777 == 0o600
        assert kept.parent.stat().st_mode & 0o777 == 0o700
    else:
        assert not report.repaired[0]["removed"]
    recorded = [line for line in book.lines() if b'"text"' in line]
    assert all(line in bad for line in recorded), "the bytes of a record were changed"
    more = book.write(*(f"more {number}" for number in range(10)))
    there, _ = book.read()
    assert set(there) == set(left) | set(more)
    assert verify(book.directory).exit_code == 0
    assert repair(book.directory, NOW).repaired == []


@some_cases("seal")
def test_a_damaged_journal_can_be_sealed_and_repaired_afterwards(book: Book, case: Case) -> None:
    """Damage in a sealed segment, compressed or not, is repaired in the same way."""
    left = broken(book, case)
    seal(book.directory, NOW)
    there, _ = book.read()
    assert there == left
    report = repair(book.directory, NOW)
    assert report.exit_code == 0, report.findings
    there, _ = book.read()
    assert there == left
    assert verify(book.directory).exit_code == 0


def test_an_unbroken_journal_is_left_alone(book: Book) -> None:
    """Repair of a clean journal changes no byte and leaves nothing behind."""
    book.fill(RECORDS)
    before = book.active.read_bytes()
    report = repair(book.directory, NOW)
    assert (report.exit_code, report.repaired) == (0, [])
    assert book.active.read_bytes() == before
    assert not Path(book.directory, "quarantine").exists()


def test_repair_of_nothing_makes_nothing(tmp_path: Path) -> None:
    """Repair and seal create no journal in a directory without one."""
    assert repair(str(tmp_path), NOW).exit_code == 0
    assert seal(str(tmp_path), NOW) == []
    assert list(tmp_path.iterdir()) == []
