"""What a reader returns of a whole and of a damaged log."""

from __future__ import annotations

import errno
import tracemalloc
from typing import IO, TYPE_CHECKING

from journal.log.findings import CORRUPT, TORN
from journal.log.read import Reader
from journal.log.seal import seal
from journal.log.segment import Segment, segments
from journal.log.verify import verify
from tests.support.examples import third

from .book import NOW, Book
from .wild import CASES, RECORDS, Case, broken

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


@CASES
def test_reading_recovers_every_whole_record_and_names_the_damage(book: Book, case: Case) -> None:
    """All whole records are read in order; the damage is a finding with path and line."""
    left = broken(book, case)
    there, reader = book.read()
    assert there == left
    assert not reader.found.complete
    findings = [item for item in reader.found.listed if item.verdict == case[2]]
    assert any(case[3] in item.what for item in findings), reader.found.listed
    assert all(item.path == str(book.active) and item.line > 0 for item in findings)
    assert verify(book.directory).exit_code == 1


def test_a_line_of_any_length_takes_bounded_memory(book: Book) -> None:
    """NUL bytes without a newline in 40 MiB are one bad line, and the records after it are read."""
    book.fill(2)
    with book.active.open("ab") as file:
        file.truncate(file.tell() + 40 * 1024 * 1024)
    book.fill(3)
    tracemalloc.start()
    reader = Reader(book.directory)
    seqs = [seq for seq, _ in reader]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (seqs, peak < 16 * 1024 * 1024) == ([*range(1, 7)], True)
    assert [(item.line, item.verdict) for item in reader.found.listed] == [(4, CORRUPT)]


def test_no_reader_goes_on_after_a_segment_that_a_call_could_not_read(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a call fails in one segment, the later ones are read, but there is no position to store."""
    book.fill(2)
    seal(book.directory, NOW, compress=False)
    book.fill(2)

    def failing(segment: Segment) -> IO[bytes]:
        raise OSError(errno.EIO, "cannot be read", segment.path)

    monkeypatch.setattr(Segment, "open", failing)
    reader = Reader(book.directory, whole=True)
    monkeypatch.setattr("journal.log.read.open_listing", lambda _: (listed, active.open("rb")))
    listed, active = segments(book.directory), book.active
    assert [seq for seq, _ in reader] == [4, 5, 6]
    assert reader.found.is_damaged
    assert reader.position() is None


def test_every_cut_leaves_exactly_the_whole_records(
    book: Book, figure: Callable[[str], None]
) -> None:
    """A log cut at any byte yields the records before the cut; the rest is torn, never corrupt."""
    book.fill(RECORDS)
    whole = book.active.read_bytes()
    written = list(Reader(book.directory))
    ends = [index + 1 for index, byte in enumerate(whole) if byte == 10]
    near = {end + by for end in ends for by in (-2, -1, 0, 1) if end + by <= len(whole)}
    sizes = sorted({*third(range(len(whole) + 1)), *near})
    for size in sizes:
        book.active.write_bytes(whole[:size])
        reader = Reader(book.directory)
        # A record is whole with its last brace; the newline after it may be missing.
        count = sum(end - 1 <= size for end in ends)
        assert list(reader) == written[:count], size
        fragment = size > 0 and size not in ends and size + 1 not in ends
        assert reader.found.counts.get(TORN, 0) == fragment, size
        assert reader.found.complete, size
    figure(f"{len(sizes)} cuts of {len(whole)} bytes, 0 wrong")
