"""Whether a log is, up to a position, still the one that was read."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from journal.checkpoint import (
    Checkpoint,
    Position,
    load,
    position_holds,
    save,
)
from journal.log import unchanged
from journal.log.append import Writer
from journal.log.record import seq_of
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.segment import segments

from .book import NOW, Book

CODE = "views 1"


def _position(book: Book) -> Position:
    """Return the position after the last record, in the form a hook stores."""
    with Writer(book.directory, NOW) as writer:
        end = writer.read(writer.size - 11, 8).decode()
        return Position(seq_of(writer.read(0, 64)), writer.size, writer.last_seq, end)


def _changed(path: Path, *, times: bool) -> None:
    """Change one byte of a record; with `times`, keep the file's size and modification time."""
    facts = path.stat()
    raw = bytearray(path.read_bytes())
    raw[150] ^= 1
    path.write_bytes(raw)
    if times:
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


@pytest.mark.parametrize("sealed", [False, True], ids=["active", "sealed"])
@pytest.mark.parametrize("times", [False, True], ids=["another time", "the same time"])
def test_a_byte_of_an_old_record(book: Book, sealed: bool, times: bool) -> None:
    """A changed byte before it invalidates a whole position, but not a hook's position."""
    book.fill(8)
    if sealed:
        seal(book.directory, NOW, compress=False)
        book.fill(2)
    position, hook = book.whole_position(), _position(book)
    assert position_holds(book.directory, position, whole=True)
    _changed(min(Path(book.directory).glob("*.jsonl")), times=times)
    assert not position_holds(book.directory, position, whole=True)
    assert position_holds(book.directory, hook)


def _replaced(book: Book) -> None:
    """Seal the segment, and put the active one of another journal behind it."""
    seal(book.directory, NOW, compress=False)
    other = Book(Path(f"{book.directory}-other"))
    other.fill(2)
    book.active.write_bytes(other.active.read_bytes())


CHANGES = {
    "appended": (lambda book: book.fill(3), True),
    "sealed": (lambda book: seal(book.directory, NOW, compress=False), True),
    "compressed": (lambda book: seal(book.directory, NOW), True),
    "copied": (lambda book: _copy(book.active), True),
    "the end cut": (lambda book: os.truncate(book.active, book.active.stat().st_size - 9), False),
    "another journal": (lambda book: (book.active.unlink(), book.fill(40)), False),
    "continued by another journal": (_replaced, False),
    "damaged": (lambda book: book.set_lines([b"x", *book.lines()]), False),
    "repaired": (lambda book: (book.set_lines([b"x", *book.lines()]), repair(book.directory, NOW)),
                 True),
}  # fmt: skip


def _copy(path: Path) -> None:
    path.rename(path.with_suffix(".old"))
    path.write_bytes(path.with_suffix(".old").read_bytes())
    path.chmod(0o600)


@pytest.mark.parametrize("change, holds", CHANGES.values(), ids=CHANGES.keys())
def test_what_a_position_survives(book: Book, change: object, holds: bool) -> None:
    """A position survives appends, seals, compression, copies and repair, but no lost or changed byte."""
    book.fill(12)
    position = book.whole_position()
    change(book)  # type: ignore[operator]
    assert position_holds(book.directory, position, whole=True) == holds


def test_a_file_that_just_changed_is_no_evidence(book: Book) -> None:
    """A file changed just now proves nothing: a later change could have the same time."""
    book.fill(3)
    assert book.whole_position().file == []


def test_an_unchanged_file_is_not_read_again(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the same size, times and inode is trusted; if one differs, bytes are compared."""
    book.fill(3)
    monkeypatch.setattr("journal.log.unchanged._SETTLED", 0)
    position = book.whole_position()
    assert len(position.file) == 4
    read = []
    monkeypatch.setattr("journal.log.unchanged._checksum_of", lambda *_: read.append(1) or (0, 0))
    assert position_holds(book.directory, position, whole=True)
    assert not read
    os.utime(book.active, ns=(1, 1))
    assert not position_holds(book.directory, position, whole=True)
    assert read


def test_a_segment_compressed_since_is_compared_once(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A segment compressed since is compared once; other content invalidates the checkpoint."""
    book.fill(3)
    seal(book.directory, NOW, compress=False)
    book.fill(1)
    path = f"{book.directory}/folded"
    save(path, Checkpoint(book.whole_position(), CODE, b"state"))
    seal(book.directory, NOW)
    read: list[str] = []
    real = unchanged._checksum_of.__wrapped__

    def counted(path: str, facts: tuple[int, ...], size: int) -> tuple[int, int]:
        read.append(Path(path).name.removesuffix(".gz"))
        return real(path, facts, size)

    monkeypatch.setattr(unchanged, "_checksum_of", counted)
    first = segments(book.directory)[0]
    assert load(path, book.directory, CODE) is not None
    assert read.count(first.name) == 1
    assert load(path, book.directory, CODE) is not None
    assert read.count(first.name) == 1
    Path(first.path).write_bytes(gzip.compress(b"another\n"))
    assert load(path, book.directory, CODE) is None
