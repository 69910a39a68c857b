"""Segments: sealed, compressed, chained, and refused if they are of another journal."""

from __future__ import annotations

import gzip
import os
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from journal.errors import JournalError
from journal.log import append, packed
from journal.log import seal as sealing
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import ACTIVE, frame, is_whole, unframe
from journal.log.repair import repair
from journal.log.seal import compress, seal
from journal.log.segment import Segment, segments
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
    compress(Segment(str(again), 1, 11), nullcontext)
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


def test_a_segment_replaced_meanwhile_is_not_compressed(book: Book) -> None:
    """If a repair replaces the segment during compression, the repaired file stays."""
    book.fill(3)
    seal(book.directory, NOW, compress=False)
    found = segments(book.directory)[0]

    def replaced():
        other = Path(found.path + ".new")
        other.write_bytes(b"repaired")
        other.rename(found.path)
        return nullcontext()

    with pytest.raises(OSError, match="was replaced"):
        compress(found, replaced)
    assert Path(found.path).read_bytes() == b"repaired"
    assert not Path(found.path + ".gz").exists()


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


@pytest.mark.parametrize(
    ("change", "word"),
    [(_renamed, "named 1 to 10, but holds 1 to 11"), (_rewritten, "changed after it was sealed"),
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


def test_repair_respects_the_lock_of_others(book: Book) -> None:
    """While a writer holds the lock, repair and seal raise an error with a remedy."""
    book.fill(5)
    book.set_lines([*book.lines(), b"foreign"])
    with Writer(book.directory, NOW):
        for call in (repair, seal):
            with pytest.raises(JournalError, match="in use") as caught:
                call(book.directory, NOW, deadline=0.01)  # type: ignore[operator]
            assert caught.value.remedy
    assert repair(book.directory, NOW).exit_code == 0


def test_a_tail_is_read_without_reading_what_was_before(book: Book) -> None:
    """Reading with `after` returns exactly the later records, also across sealed segments."""
    _three_segments(book, compress=True)
    every = list(Reader(book.directory))
    for after in range(35):
        reader = Reader(book.directory, after)
        assert list(reader) == every[after:]
        assert reader.found.listed == []
