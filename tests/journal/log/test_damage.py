"""How the lines of a damaged segment become records and findings."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING

import pytest

from journal.log.damage import DamageReader, SummedFile, records_before
from journal.log.findings import Findings
from journal.log.record import frame, seq_of
from journal.log.segment import segments

if TYPE_CHECKING:
    from .book import Book


def _record(seq: int, text: str = "") -> bytes:
    return frame(seq, {"ts": "", "type": "note", "v": 1, "sid": "s", "text": text})[:-1]


def _read(*lines: bytes, ended: bool = True) -> tuple[DamageReader, list[int], list[str]]:
    """Return the reader, the seqs of the records in order, and the findings."""
    found = Findings("active.jsonl")
    reader = DamageReader(found, "", 1)
    reader.read([(line, ended or line is not lines[-1]) for line in lines], 0, 0)
    seqs = [seq for seq, _ in reader.ordered(0, 0, set())]
    return reader, seqs, [f"{item.line} {item.verdict}: {item.what}" for item in found.listed]


CUT = _record(2, "x" * 50)[:40]
"""The beginning of record 2, as a killed writer leaves it."""
CASES = {
    "a cut record whose seq the next one got": (
        [_record(1), CUT, _record(2), _record(3)], [1, 2, 3],
        ["2 torn: a record cut short after 40 bytes (its writer died); the next append healed it"]),
    "a cut line whose seq nobody got again": (
        [_record(1), CUT, _record(3)], [1, 3],
        ["2 corrupt: a damaged record: its checksum does not match", "3 anomaly: gap: seq 2 missing before 3"]),
    "a record inside foreign bytes": (
        [_record(1), b"xx" + _record(2)], [1, 2],
        ["2 corrupt: 2 foreign bytes around the whole record(s) 2"]),
    "nothing but NULs": ([_record(1), b"\0\0\0"], [1], ["2 corrupt: 3 NUL bytes"]),
    "a blank line": ([_record(1), b" "], [1], ["2 corrupt: a blank line"]),
    "foreign text": ([b"milk", _record(1)], [1],
                     ["1 corrupt: not a whole record: its checksum does not match"]),
    "a copy": ([_record(1), _record(1)], [1], ["2 anomaly: seq 1 after 1: a duplicate"]),
    "another record of that seq": (
        [_record(1), _record(1, "b")], [1, 1],
        ["2 anomaly: seq 1 after 1: a duplicate",
         "2 anomaly: another record with the seq 1 of an earlier one"]),
    "out of order": ([_record(2), _record(1)], [1, 2],
                     ["2 anomaly: seq 1 after 2: out of order"]),
}  # fmt: skip


@pytest.mark.parametrize("lines, seqs, findings", CASES.values(), ids=CASES.keys())
def test_a_bad_line_is_explained(lines: list[bytes], seqs: list[int], findings: list[str]) -> None:
    """Every whole record is recovered in order, and every bad line has a finding."""
    assert _read(*lines)[1:] == (seqs, findings)


def test_an_unfinished_last_line_is_torn() -> None:
    """A beginning of a record without a newline at the end is the end that a writer left."""
    reader, seqs, findings = _read(_record(1), CUT, ended=False)
    assert (seqs, reader.lines, reader.ends_well) == ([1], 2, False)
    assert findings == ["2 torn: a record cut short after 40 bytes (its writer died)"]


def test_a_log_of_another_journal_is_not_given() -> None:
    """Records behind the opening record of another journal are one anomaly, and none is read."""
    found = Findings("active.jsonl")
    reader = DamageReader(found, "aa", 1)
    fields = {"type": "segment.opened", "v": 1, "sid": "", "format": 1, "journal": "bb"}
    lines = [_record(1), frame(2, fields)[:-1], _record(3)]
    reader.read([(line, True) for line in lines], 0, 0)
    assert [seq for seq, _ in reader.ordered(0, 0, set())] == [1]
    assert [item.what for item in found.listed] == [
        "records of another journal (bb) begin here: not read"
    ]


def test_a_late_record_is_read_again_and_its_copy_is_not() -> None:
    """Of records before the expected seq, those after `late` come back, unless they are copies."""
    reader = DamageReader(Findings("active.jsonl"), "", 5)
    lines = [_record(5), _record(2), _record(3), _record(4, "copy")]
    reader.read([(line, True) for line in lines], 10, 1000)
    assert (reader.late(), reader.lines) == ({2, 3, 4}, 14)
    assert [seq for seq, _ in reader.ordered(4, 2, {_record(4, "copy")})] == [3, 5]


def test_records_before_a_place(book: Book) -> None:
    """Only records with the seqs asked for are returned, and none at or after the offset."""
    book.fill(4)
    lines = book.lines()
    offset = sum(len(line) + 1 for line in lines[:3])
    (segment,) = segments(book.directory)
    found = records_before([segment], {2, 3, 4}, segment, offset)
    assert sorted(map(seq_of, found)) == [2, 3]
    assert found == set(lines[1:3])


def test_a_summed_file_counts_what_it_read() -> None:
    """Checksum, size and end are those of the bytes read, with the head in front."""
    data = bytes(range(256)) * 40
    file = SummedFile(io.BytesIO(data), b"head", zlib.crc32(b"before"))
    read = b""
    while block := file.read(1000):
        read += block
    assert read == b"head" + data
    assert (file.checksum, file.size) == (zlib.crc32(b"before" + read), len(read))
    assert read.endswith(file.tail)
