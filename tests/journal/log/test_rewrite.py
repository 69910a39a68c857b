"""A rewrite changes records and nothing else: seqs, order, links, damage and new appends stay."""

from __future__ import annotations

import gzip
import os
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.checkpoint import Checkpoint
from journal.errors import JournalError
from journal.log.append import Busy, Writer
from journal.log.read import Reader
from journal.log.record import TAIL, numbered, seq_of
from journal.log.repair import repair
from journal.log.rewrite import SMALL, begin, finish, rewrite
from journal.log.rewrite_watch import PENDING, RewriteWatch, is_unfinished
from journal.log.seal import compress_waiting, seal
from journal.log.segment import segments
from journal.log.verify import verify
from tests.support.examples import examples

from .book import NOW, Book

OLD, NEW = b"SECRET", b"[gone]-and-longer"


class Swap:
    """A change that replaces OLD with NEW; `seen`, if given, is called with each record."""

    def __init__(self, seen: object = None) -> None:
        self.seen = seen

    def record(self, line: bytes) -> bytes:
        """Replace OLD in a record."""
        if callable(self.seen):
            self.seen(line)
        body = line[line.index(b",") + 1 : -TAIL]
        return numbered(seq_of(line), self.other(body))[:-1] if OLD in line else line

    def other(self, line: bytes) -> bytes:
        """Replace OLD in any bytes."""
        return line.replace(OLD, NEW) if OLD in line else line


def _swap(book: Book, change: Swap | None = None) -> dict[str, int]:
    begin(book.directory)
    done = rewrite(book.directory, NOW, change or Swap())
    finish(book.directory, NOW, None)
    book.acknowledged = {
        seq: text.replace("SECRET", NEW.decode()) for seq, text in book.acknowledged.items()
    }
    return done


def _is_complete(book: Book) -> None:
    there, reader = book.read()
    assert there == book.acknowledged
    assert reader.found.complete, reader.found.listed
    report = verify(book.directory)
    assert (report.exit_code, report.findings) == (0, [])
    for path in Path(book.directory).rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert OLD not in (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data)


@examples(30)
@given(
    steps=st.lists(
        st.sampled_from(["plain", "secret", "roll", "compress", "tear"]), min_size=1, max_size=14
    )
)
def test_any_log(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """After any history of a log, the rewritten log verifies and holds every record once."""
    book = Book(tmp_path_factory.mktemp("log") / "journal")
    for number, step in enumerate(steps):
        if step in ("roll", "compress"):
            seal(book.directory, NOW, compress=step == "compress")
        elif step == "tear" and book.active.exists():
            following = book.read()[1].last_seq + 1
            with book.active.open("ab") as file:
                file.write(b'{"seq":%d,"ts":"SECRET' % following)
        else:
            book.write(f"{number} " + ("a SECRET" if step == "secret" else "x" * 40))
    if not book.acknowledged:
        return
    _swap(book)
    there, _ = book.read()
    assert there == book.acknowledged
    report = verify(book.directory)
    assert report.exit_code == 0, report.findings
    assert not is_unfinished(book.directory)
    assert rewrite(book.directory, NOW, Swap(), dry=True) == {}


def test_the_links_of_a_chain_fit_again(book: Book) -> None:
    """A change at the end of a segment updates the next segment's link to it, compressed or not."""
    for compress in (False, True, False):
        book.write("x" * 5000, "the SECRET stands last")
        seal(book.directory, NOW, compress=compress)
    book.write("after")
    names = [os.path.basename(item.path) for item in segments(book.directory)]
    assert len(_swap(book)) == 3
    assert [os.path.basename(item.path) for item in segments(book.directory)] == names
    _is_complete(book)


def test_a_change_while_the_log_is_read_is_no_damage(book: Book) -> None:
    """A reader that saw a segment before a change, and the next one after it, calls neither damaged."""
    for _ in range(2):
        book.write("the SECRET stands last")
        seal(book.directory, NOW, compress=False)
    book.write("after")
    reader = Reader(book.directory)
    for number, (_segment, batches) in enumerate(reader.by_segment()):
        assert sum(map(len, batches))
        if not number:
            _swap(book)
    assert reader.found.complete
    assert not reader.found.is_damaged


@pytest.mark.parametrize("kind", ["a pipe", "a directory", "endless"])
def test_another_thing_with_the_name_of_the_note_is_never_read(book: Book, kind: str) -> None:
    """A reader of segments whose link does not fit does not wait for it; a change is refused."""
    for _ in "ab":
        book.write("SECRET")
        seal(book.directory, NOW, compress=False)
    first = Path(segments(book.directory)[0].path)
    first.write_bytes(
        b"".join(Swap().record(line) + b"\n" for line in first.read_bytes().splitlines())
    )
    note = str(Path(book.directory, PENDING))
    {"a pipe": os.mkfifo, "a directory": os.mkdir}.get(kind, partial(os.symlink, "/dev/zero"))(note)
    assert "changed after it was sealed" in verify(book.directory).findings[0].what
    for change in (begin, partial(rewrite, now=NOW, change=Swap())):
        with pytest.raises(JournalError):
            change(book.directory)


def test_what_was_derived_before_a_change_is_not_stored_after_it(book: Book) -> None:
    """A checkpoint of records that have changed since is removed again; another one stays."""
    book.write("SECRET")
    path = Path(book.directory, "derived")
    for changes in (True, False):
        watch = RewriteWatch(book.directory)
        checkpoint = Checkpoint(book.whole_position(), "views 1", b"")
        if changes:
            _swap(book)
        watch.save(str(path), checkpoint)
        assert path.exists() != changes


def test_the_link_to_a_lost_segment_stays(book: Book) -> None:
    """The link to a lost segment is evidence: it stays, and is not pointed at an earlier segment."""
    for _ in range(2):
        book.write("SECRET")
        seal(book.directory, NOW, compress=False)
    book.write("after")
    before = book.lines()[0]
    Path(segments(book.directory)[1].path).unlink()
    _swap(book)
    assert book.lines()[0] == before
    assert OLD not in Path(segments(book.directory)[0].path).read_bytes()


def test_the_old_bytes_of_a_killed_compression_go(book: Book) -> None:
    """A compressed copy beside a segment that is still plain, as a kill leaves it, is removed."""
    book.write("SECRET")
    (path,) = seal(book.directory, NOW)
    Path(path.removesuffix(".gz")).write_bytes(gzip.decompress(Path(path).read_bytes()))
    _swap(book)
    assert not Path(path).exists()
    _is_complete(book)


def test_a_large_active_segment_is_sealed_first(book: Book) -> None:
    """An active segment too large to rewrite under the lock is sealed first; a small one is not."""
    book.write("SECRET", *["x" * 8000] * (SMALL // 8000 + 2))
    _swap(book)
    assert [item.sealed for item in segments(book.directory)] == [True, False]
    _is_complete(book)
    book.write("SECRET")
    _swap(book)
    assert [item.sealed for item in segments(book.directory)] == [True, False]
    _is_complete(book)


@pytest.mark.parametrize("size", [10, SMALL])
def test_writers_go_on_meanwhile(book: Book, size: int) -> None:
    """Records appended between reading and replacing are in the log, and changed as well."""
    book.write("SECRET one", "x" * min(size, 9000), *["x" * 9000] * (size // 9000))
    waiting = ["SECRET two", "plain"]

    def append(_line: bytes) -> None:
        if waiting:
            book.write(waiting.pop(0))

    _swap(book, Swap(append))
    _is_complete(book)
    assert waiting == []


def _append_all(book: Book, number: int) -> None:
    """Append 60 records; retry while the lock is busy."""
    left = [
        f"{number}-{count} " + ("SECRET" if count % 7 == 0 else "x" * 500) for count in range(60)
    ]
    while left:
        with suppress(Busy):
            book.write(left[0])
            left.pop(0)


def test_processes_append_while_records_change(book: Book) -> None:
    """Three processes lose nothing while segments are sealed, compressed and rewritten."""
    book.write("SECRET", "x" * 9000)
    writers = []
    for number in range(3):
        if (pid := os.fork()) == 0:
            code = 1
            try:
                _append_all(book, number)
                code = 0
            finally:
                os._exit(code)
        writers.append(pid)
    for _ in range(5):
        begin(book.directory)
        rewrite(book.directory, NOW, Swap())
        seal(book.directory, NOW)
    for pid in writers:
        assert os.waitpid(pid, 0)[1] == 0
    _swap(book)
    there, reader = book.read()
    assert reader.found.complete, reader.found.listed
    texts = [text.split(" ")[0] for text in there.values()]
    assert sorted(text for text in texts if "-" in text[:2]) == sorted(
        f"{number}-{count}" for number in range(3) for count in range(60)
    )
    book.acknowledged = there
    _is_complete(book)


def test_a_segment_that_is_compressed_meanwhile_is_read_again(book: Book) -> None:
    """If a segment is compressed during its rewrite, it starts over; no old bytes come back."""
    book.write("SECRET", "x")
    seal(book.directory, NOW, compress=False)
    book.write("y")
    calls = []

    def compress(line: bytes) -> None:
        calls.append(line)
        if len(calls) == 4:  # in the writing pass: the counting pass saw the two records before
            seal(book.directory, NOW)

    _swap(book, Swap(compress))
    _is_complete(book)


def test_a_long_damaged_line_is_changed_as_one(book: Book) -> None:
    """A reader takes a line of more than a mebibyte in parts; a change finds what lies across two."""
    book.fill(2)
    (path,) = seal(book.directory, NOW, compress=False)
    Path(path).write_bytes(Path(path).read_bytes() + OLD * 400_000 + b"\n")
    _swap(book)
    assert Path(path).read_bytes().count(NEW) == 400_000
    assert OLD not in Path(path).read_bytes()


def test_damage_stays_damage(book: Book) -> None:
    """A corrupt line is changed as text; a whole record inside it stays whole."""
    book.fill(3)
    book.write("SECRET in a splice")
    lines = book.lines()
    book.set_lines([*lines[:-1], b"foreign SECRET " + lines[-1], b"SECRET alone"])
    _swap(book)
    there, reader = book.read()
    assert there == book.acknowledged
    assert OLD not in book.active.read_bytes()
    assert reader.found.counts["corrupt"] == 2
    assert repair(book.directory, NOW).exit_code == 0


def test_a_forged_record_is_only_text(book: Book) -> None:
    """A line with a valid checksum but no seq is not a record, and stops nothing."""
    book.write("SECRET")
    forged = b'{"seq":"x","ts":"SECRET","type":"segment.opened"'
    book.set_lines([*book.lines(), forged + b',"crc":"%08x"}' % zlib.crc32(forged)])
    assert _swap(book) == {"active.jsonl": 2}
    assert OLD not in book.active.read_bytes()


def test_an_interrupted_run_is_finished_by_the_next(book: Book) -> None:
    """If a run stopped after one segment, the next run finds no records left and fixes the link."""
    book.write("SECRET last")
    seal(book.directory, NOW, compress=False)
    book.write("after")
    begin(book.directory)
    (first, _) = segments(book.directory)
    Path(book.directory, PENDING).write_text(f"\n{first.name}\n")
    Path(first.path).write_bytes(
        b"".join(
            Swap().record(line) + b"\n" for line in Path(first.path).read_bytes().split(b"\n")[:-1]
        )
    )
    assert verify(book.directory).exit_code == 0  # what did it stands beside the log
    Path(book.directory, PENDING).unlink()
    assert verify(book.directory).exit_code == 1
    Path(book.directory, PENDING).write_text(f"\n{first.name}\n")
    assert _swap(book) == {}
    _is_complete(book)


def test_the_lock_is_free_while_segments_are_written(book: Book) -> None:
    """While a segment is rewritten, a writer that does not wait gets the lock at every record."""
    book.write(*["SECRET"] * 50)
    seal(book.directory, NOW)
    taken = []

    def lock(_line: bytes) -> None:
        with Writer(book.directory, NOW, deadline=0):
            taken.append(True)

    _swap(book, Swap(lock))
    assert len(taken) >= 2 * 50  # once in the counting pass, once in the writing pass
    _is_complete(book)


def test_the_background_compresses_all_but_the_newest(book: Book) -> None:
    """Each call compresses the oldest plain sealed segment; the newest stays plain for hooks."""
    for _ in range(3):
        book.fill(2)
        seal(book.directory, NOW, compress=False)
    first, second, third, _active = [item.name for item in segments(book.directory)]
    assert [os.path.basename(path) for path in compress_waiting(book.directory, NOW)] == [
        f"{first}.gz"
    ]
    assert [os.path.basename(path) for path in compress_waiting(book.directory, NOW)] == [
        f"{second}.gz"
    ]
    assert compress_waiting(book.directory, NOW) == []
    assert Path(book.directory, third).exists()
    _is_complete(book)
