"""Damage seen in real logs, one function each: what is recovered, reported and repaired."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.verify import verify

from .book import NOW, Book

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDS = 30
Lines = list[bytes]


def _splice(lines: Lines) -> bytes:
    """A record begins in the middle of another one, without a newline between."""
    return _joined([*lines[:10], lines[10][:50] + lines[11], *lines[12:]])


def _no_newline(lines: Lines) -> bytes:
    return _joined([*lines[:10], lines[10] + lines[11], *lines[12:]])


def _no_newline_at_the_end(lines: Lines) -> bytes:
    return _joined([*lines[:-2], lines[-2] + lines[-1]])


def _nul_run(lines: Lines) -> bytes:
    return _joined([*lines[:10], b"\0" * 4096 + lines[10], *lines[11:]])


def _nul_end(lines: Lines) -> bytes:
    return _joined(lines) + b"\0" * 512


def _crlf(lines: Lines) -> bytes:
    return b"".join(line + b"\r\n" for line in lines)


def _bom(lines: Lines) -> bytes:
    return b"\xef\xbb\xbf" + _joined(lines)


def _reformatted(lines: Lines) -> bytes:
    return _joined([json.dumps(json.loads(line)).encode() for line in lines])


def _one_reformatted(lines: Lines) -> bytes:
    return _joined([*lines[:10], json.dumps(json.loads(lines[10])).encode(), *lines[11:]])


def _deleted(lines: Lines) -> bytes:
    return _joined([*lines[:10], *lines[12:]])


def _duplicated(lines: Lines) -> bytes:
    return _joined([*lines[:11], lines[10], *lines[11:]])


def _last_duplicated(lines: Lines) -> bytes:
    return _joined([*lines, lines[-1]])


def _swapped(lines: Lines) -> bytes:
    return _joined([*lines[:10], lines[11], lines[10], *lines[12:]])


def _last_swapped(lines: Lines) -> bytes:
    return _joined([*lines[:-2], lines[-1], lines[-2]])


def _reversed(lines: Lines) -> bytes:
    return _joined(lines[::-1])


def _blank(lines: Lines) -> bytes:
    return _joined([*lines[:10], b"", *lines[10:]])


def _foreign_text(lines: Lines) -> bytes:
    return _joined([*lines[:10], b"remember to buy milk", *lines[10:]])


def _last_damaged(lines: Lines) -> bytes:
    return _joined([*lines[:-1], lines[-1].replace(b"note", b"moth")])


def _first_damaged(lines: Lines) -> bytes:
    return _joined([lines[0].replace(b"segment", b"garment"), *lines[1:]])


def _edited(lines: Lines) -> bytes:
    """A word was edited by hand and the checksum left as it was."""
    return _joined([*lines[:10], lines[10].replace(b"0009", b"9999"), *lines[11:]])


def _joined(lines: Lines) -> bytes:
    return b"".join(line + b"\n" for line in lines)


WILD: dict[str, tuple[Callable[[Lines], bytes], set[int], str, str]] = {
    # function that damages, seqs lost, verdict, a word of the first finding
    "splice": (_splice, {11}, "corrupt", "foreign bytes"),
    "missing newline": (_no_newline, set(), "corrupt", "whole record(s) 11, 12"),
    "missing newline at the end": (_no_newline_at_the_end, set(), "corrupt", "30, 31"),
    "NUL run before a record": (_nul_run, set(), "corrupt", "4096 foreign bytes"),
    "NUL run at the end": (_nul_end, set(), "corrupt", "512 NUL bytes"),
    "CRLF rewrite": (_crlf, set(), "corrupt", "1 foreign bytes"),
    "byte order mark": (_bom, set(), "corrupt", "3 foreign bytes"),
    "all reformatted with spaces": (_reformatted, set(range(2, 32)), "corrupt", "checksum"),
    "one reformatted with spaces": (_one_reformatted, {11}, "corrupt", "checksum"),
    "two deleted": (_deleted, {11, 12}, "anomaly", "gap: seq 11 to 12"),
    "one duplicated": (_duplicated, set(), "anomaly", "a duplicate"),
    "the last duplicated": (_last_duplicated, set(), "anomaly", "a duplicate"),
    "two swapped": (_swapped, set(), "anomaly", "out of order"),
    "the last two swapped": (_last_swapped, set(), "anomaly", "out of order"),
    "reversed": (_reversed, set(), "anomaly", "out of order"),
    "blank line": (_blank, set(), "corrupt", "a blank line"),
    "foreign text": (_foreign_text, set(), "corrupt", "not a whole record"),
    "the last damaged": (_last_damaged, {31}, "corrupt", "checksum"),
    "the first damaged": (_first_damaged, set(), "corrupt", "checksum"),
    "edited by hand": (_edited, {11}, "corrupt", "checksum"),
}
CASES = pytest.mark.parametrize("case", WILD.values(), ids=WILD.keys())
Case = tuple["Callable[[Lines], bytes]", set[int], str, str]


def _broken(book: Book, case: Case) -> dict[int, str]:
    """Damage the journal; return what must still be read from it."""
    book.fill(RECORDS)
    book.active.write_bytes(case[0](book.lines()))
    return {seq: text for seq, text in book.acknowledged.items() if seq not in case[1]}


@CASES
def test_reading_recovers_every_whole_record_and_names_the_damage(book: Book, case: Case) -> None:
    """All whole records are read in order; the damage is a finding with path and line."""
    left = _broken(book, case)
    there, reader = book.read()
    assert there == left
    assert not reader.found.complete
    findings = [item for item in reader.found.listed if item.verdict == case[2]]
    assert any(case[3] in item.what for item in findings), reader.found.listed
    assert all(item.path == str(book.active) and item.line > 0 for item in findings)
    assert verify(book.directory).exit_code == 1


@CASES
def test_nothing_appended_after_the_damage_is_lost(book: Book, case: Case) -> None:
    """Records appended after the damage are read back, under seqs no other record had."""
    left = _broken(book, case)
    after = book.write("one", "two", "three")
    there, _ = book.read()
    assert there == {**left, **dict(zip(after, ["one", "two", "three"], strict=True))}
    assert min(after) > RECORDS + 1
    assert after == list(range(after[0], after[0] + 3))


def test_a_hole_at_the_end_costs_a_writer_little_memory(book: Book) -> None:
    """A run of NUL bytes at the end, however long, is passed over in pieces, not read whole."""
    book.fill(RECORDS)
    os.truncate(book.active, book.active.stat().st_size + 32 * 1024 * 1024)
    tracemalloc.start()
    book.write("after the hole")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 1024 * 1024


@CASES
def test_read_repair_append_read(book: Book, case: Case) -> None:
    """Repair keeps the evidence and every whole record; then the log is clean and goes on."""
    left = _broken(book, case)
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


@CASES
def test_a_damaged_journal_can_be_sealed_and_repaired_afterwards(book: Book, case: Case) -> None:
    """Damage in a sealed segment, compressed or not, is repaired in the same way."""
    left = _broken(book, case)
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


@pytest.mark.parametrize(
    ("case", "default", "salvage"),
    [("missing newline", 1, 0), ("CRLF rewrite", 1, 0), ("two swapped", 1, 0), ("splice", 1, 1),
     ("two deleted", 1, 1), ("the last damaged", 1, 1), ("blank line", 1, 0)],
)  # fmt: skip
def test_salvage_asks_for_lost_records_only(
    book: Book, case: str, default: int, salvage: int
) -> None:
    """`verify --salvage` exits 0 if no record is lost; plain `verify` exits 1 on any damage."""
    _broken(book, WILD[case])
    assert verify(book.directory).exit_code == default
    assert verify(book.directory, salvage=True).exit_code == salvage
    assert verify(book.directory, strict=True).exit_code == 1
