"""A lock that excludes nobody, as on some network file systems, is noticed, and nothing is lost."""

from __future__ import annotations

import fcntl
import os
import random
from pathlib import Path

import pytest

from journal.errors import JournalOffError
from journal.log.append import Writer
from journal.log.counter import OVERLAPS, count_in
from journal.log.repair import repair
from journal.log.verify import verify

from .book import NOW, Book

EVENT = {"type": "note", "v": 1, "sid": "s"}


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every lock succeed."""
    monkeypatch.setattr(fcntl, "flock", lambda *_: None)


def _texts(book: Book) -> list[str]:
    from journal.log.read import Reader
    from journal.log.record import unframe

    rows = [unframe(line) for _, line in Reader(book.directory)]
    return sorted(row["text"] for row in rows if "text" in row)


@pytest.mark.usefixtures("unlocked")
def test_two_writers_at_once_lose_nothing(book: Book) -> None:
    """Both records are read; verify fails and says why; repair renumbers the second."""
    book.write("first")
    with Writer(book.directory, NOW) as one, Writer(book.directory, NOW) as other:
        assert other.append({**EVENT, "text": "left"}) == [3]
        assert one.append({**EVENT, "text": "right"}) == [3]
        assert (other.overlapped, one.overlapped) == (False, True)
        assert one.append({**EVENT, "text": "next"}) == [4]
    assert _texts(book) == ["first", "left", "next", "right"]
    assert count_in(book.directory, OVERLAPS) == 1
    report = verify(book.directory)
    assert report.exit_code == 1
    assert any("another record with the seq 3" in item.what for item in report.findings)
    report = repair(book.directory, NOW)
    assert report.exit_code == 0
    assert report.repaired[0]["renumbered"] == 1
    assert _texts(book) == ["first", "left", "next", "right"]
    assert repair(book.directory, NOW).repaired == []


@pytest.mark.usefixtures("unlocked")
def test_a_record_that_comes_too_late_is_read_from_a_position(book: Book) -> None:
    """A record written late is read from a position after it; a mere copy of a line is not."""
    from journal.log.read import Reader

    with Writer(book.directory, NOW) as slow:
        book.write("first", "second")
        reader = Reader(book.directory, whole=True)
        assert len(list(reader)) == 3
        position = reader.position()
        slow.append({**EVENT, "text": "late"})
    copied = book.lines()[1]
    with book.active.open("ab") as file:
        file.write(copied + b"\n")
    rest = list(Reader(book.directory, position=position))
    assert len(rest) == 1
    assert b'"late"' in rest[0][1]


@pytest.mark.usefixtures("unlocked")
def test_a_failed_write_removes_no_record_of_another_writer(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another writer appended before a write failed, its record stays."""
    book.write("first")
    with Writer(book.directory, NOW) as slow:
        book.write("other")
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", lambda *_: 0)
            with pytest.raises(JournalOffError):
                slow.append({**EVENT, "text": "never"})
        slow.append({**EVENT, "text": "next"})
    assert _texts(book) == ["first", "next", "other"]


def test_with_a_lock_no_writer_is_overtaken(book: Book) -> None:
    """If the lock works, no overlap is reported, for one append or many in a row."""
    with Writer(book.directory, NOW) as writer:
        for _ in range(3):
            writer.append({**EVENT, "text": "x"})
        assert not writer.overlapped
    book.write("healed")
    with book.active.open("ab") as file:
        file.write(b'{"seq":6,"ts"')
    with Writer(book.directory, NOW) as writer:
        writer.append({**EVENT, "text": "y"})
        assert not writer.overlapped
    assert count_in(book.directory, OVERLAPS) == 0


def _child(book: Book, number: int, count: int) -> int:
    child = os.fork()
    if child:
        return child
    fcntl.flock = lambda *_: None  # type: ignore[assignment]
    try:
        for at in range(count):
            with Writer(book.directory, NOW, sync="none") as writer:
                writer.append({**EVENT, "text": f"{number:02d}-{at:03d}"})
    finally:
        os._exit(0)


@pytest.mark.parametrize("count", [30, pytest.param(400, marks=pytest.mark.long)])
def test_processes_without_a_lock_lose_nothing(book: Book, count: int) -> None:
    """With 8 processes and no lock every record is read, before and after a repair."""
    book.write("first")
    children = [_child(book, number, count) for number in range(8)]
    random.shuffle(children)
    for child in children:
        os.waitpid(child, 0)
    wanted = sorted(["first", *(f"{n:02d}-{at:03d}" for n in range(8) for at in range(count))])
    assert _texts(book) == wanted
    damaged = verify(book.directory).exit_code
    assert bool(count_in(book.directory, OVERLAPS)) == bool(damaged)
    assert repair(book.directory, NOW).exit_code == 0
    assert _texts(book) == wanted
    assert (Path(book.directory) / "quarantine").exists() == bool(damaged)
