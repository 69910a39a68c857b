"""Checkpoints: used only if they match the log; losing or damaging one costs only time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from journal.checkpoint import (
    Checkpoint,
    Position,
    load,
    load_hints,
    load_snapshot,
    read_all,
    save,
    save_in_place,
)
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import is_whole, seq_of
from journal.log.repair import repair
from journal.log.seal import seal
from tests.journal.log.book import NOW, Book

SLOT = 1024 * 1024
FILE = "snapshot"
CODE = "views 1"


def _position(book: Book) -> Position:
    """Return the position after the last record, in the form a hook stores."""
    with Writer(book.directory, NOW) as writer:
        end = writer.read(writer.size - 11, 8).decode()
        return Position(seq_of(writer.read(0, 64)), writer.size, writer.last_seq, end)


def _take(book: Book, code: str = CODE) -> int:
    """Store a snapshot of the whole journal (its state is the list of seqs); return the last seq."""
    seqs = ",".join(str(seq) for seq, _ in Reader(book.directory)).encode()
    position = _position(book)
    checkpoint = Checkpoint(position, code, seqs, {"format": 1, "last": position.seq})
    assert save_in_place(f"{book.directory}/{FILE}", checkpoint)
    return position.seq


def _load(book: Book, code: str = CODE) -> Checkpoint | None:
    return load_snapshot(book.directory, code)


def _fold(book: Book) -> list[int]:
    """Fold the seqs from the snapshot and the rest of the log, as a hook does."""
    stored = _load(book)
    if stored is None:
        return [seq for seq, _ in Reader(book.directory)]
    position = stored.position
    folded = [int(seq) for seq in stored.payload.split(b",")]
    with Writer(book.directory, NOW) as writer:
        if seq_of(writer.read(0, 64)) == position.segment:
            data = writer.read(position.offset, writer.size - position.offset)
            rest = [seq_of(line) for line in data.split(b"\n") if is_whole(line)]
            assert rest == [seq for seq, _ in Reader(book.directory, 0, position)]
            return folded + rest
    reader = Reader(book.directory, 0, position)
    folded += [seq for seq, _ in reader]
    assert reader.found.listed == []
    return folded


def _same(book: Book) -> None:
    every = [seq for seq, _ in Reader(book.directory)]
    assert _fold(book) == every


def test_the_snapshot_of_an_earlier_log_is_overwritten_first(tmp_path: Path) -> None:
    """Two snapshots of a log leave none with a later seq, of a log that was there before."""
    path = str(tmp_path / FILE)
    for seq in (70, 80, 5, 6):
        assert save_in_place(path, Checkpoint(Position(1, seq, seq, "0" * 8), CODE, b""))
    assert [found.position.seq for found in read_all(path, slots=2)] == [6, 5]


def test_snapshot_and_tail_are_the_whole(book: Book) -> None:
    """After every append, folding from the newest snapshot equals folding from the start."""
    for number in range(12):
        book.fill(number % 4 + 1)
        if number % 3 == 0:
            _take(book)
            assert _load(book) is not None
        _same(book)


@pytest.mark.parametrize("after", [0, 3], ids=["at the end", "with more behind it"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_the_fold_goes_on_across_a_sealed_segment(book: Book, after: int, packed: bool) -> None:
    """After the snapshot's segment is sealed, the fold is right, with or without the snapshot."""
    book.fill(6)
    _take(book)
    book.fill(after)
    seal(book.directory, NOW, compress=packed)
    stored = _load(book)
    assert (stored is None) == packed
    assert stored is None or stored.position.seq == 7
    _same(book)
    book.fill(4)
    _same(book)
    seal(book.directory, NOW, compress=False)
    _same(book)
    _take(book)
    assert _load(book) is not None
    _same(book)


def _flip_everywhere(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    for place in (20, SLOT + 20):
        if place < len(raw):
            raw[place] ^= 1
    path.write_bytes(raw)


DAMAGE = {
    "both headers flipped": _flip_everywhere,
    "removed": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "zeros": lambda path: path.write_bytes(bytes(2 * SLOT)),
    "text": lambda path: path.write_text("hello\n" * 1000),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_snapshot_is_as_good_as_none(book: Book, damage: object) -> None:
    """With both slots damaged no snapshot loads, the fold is right and a new one can be stored."""
    for _ in range(2):
        book.fill(3)
        _take(book)
    assert load_hints(book.directory, 1)[0] == {"format": 1, "last": 7}
    damage(Path(book.directory, FILE))  # type: ignore[operator]
    assert _load(book) is None
    assert load_hints(book.directory, 1)[0] == {}
    _same(book)
    _take(book)
    assert _load(book) is not None


def test_hints_of_another_form_are_ignored(book: Book) -> None:
    """Hints of another version, with other names or of another type are read as empty."""
    book.fill(3)
    position = _position(book)
    for hints in ({"last": 4}, {"format": 2, "last": 4}, {"format": "1"}, [4], None):
        checkpoint = Checkpoint(position, CODE, b"", hints)
        assert save_in_place(f"{book.directory}/{FILE}", checkpoint)
        assert load_hints(book.directory, 1) == ({}, -1)


@pytest.mark.parametrize("place", [8, 60, 120])
def test_one_damaged_slot_leaves_the_other(book: Book, place: int) -> None:
    """If one slot is damaged, the snapshot in the other slot is used."""
    book.fill(3)
    _take(book)
    book.fill(3)
    second = _take(book)
    path = Path(book.directory, FILE)
    whole = path.read_bytes()
    newest = whole.find(b'{"seq":%d,' % second)
    assert newest >= 0
    broken = bytearray(whole)
    broken[newest + place] ^= 1
    path.write_bytes(broken)
    checkpoint = _load(book)
    assert checkpoint is not None
    assert checkpoint.position.seq == 4
    _same(book)


def test_every_flip_in_a_slot_is_noticed(book: Book) -> None:
    """A snapshot with any one bit flipped is not loaded."""
    book.fill(3)
    _take(book)
    path = Path(book.directory, FILE)
    whole = path.read_bytes()
    used = len(whole.rstrip(b"\0"))
    right = _load(book)
    assert right is not None
    for bit in range(used * 8):
        broken = bytearray(whole)
        broken[bit // 8] ^= 1 << bit % 8
        path.write_bytes(broken)
        assert _load(book) is None, bit


def test_another_version_is_not_used(book: Book) -> None:
    """A snapshot of other projections is skipped for an older one of the right projections."""
    book.fill(3)
    _take(book)
    book.fill(3)
    _take(book, code="views 2")
    checkpoint = _load(book)
    assert checkpoint is not None
    assert checkpoint.position.seq == 4
    assert _load(book, "views 3") is None


def test_a_replaced_log_makes_the_snapshot_void(book: Book, tmp_path: Path) -> None:
    """A snapshot of a replaced log is not used, and does not block new snapshots."""
    book.fill(30)
    _take(book)
    os.unlink(book.active)
    book.fill(5)
    assert _load(book) is None
    for _ in range(3):
        book.fill(1)
        seq = _take(book)
        checkpoint = _load(book)
        assert checkpoint is not None
        assert checkpoint.position.seq == seq
        _same(book)


def test_a_cut_log_makes_the_snapshot_void(book: Book) -> None:
    """If a log loses its end, the snapshot is not used and the log is folded from the start."""
    book.fill(10)
    _take(book)
    whole = book.active.read_bytes()
    book.active.write_bytes(whole[:-300])
    assert _load(book) is None
    book.fill(3)
    _same(book)


def test_a_repaired_log_makes_the_snapshot_void_or_right(book: Book) -> None:
    """After a repair has moved records, folding with the snapshot is still correct."""
    book.fill(10)
    _take(book)
    book.set_lines([*book.lines()[:3], b"foreign words", *book.lines()[3:]])
    _same(book)
    repair(book.directory, NOW)
    _same(book)


def test_a_state_too_large_is_not_stored(book: Book) -> None:
    """A state that does not fit is refused; the stored snapshot stays."""
    book.fill(3)
    _take(book)
    path, position = f"{book.directory}/{FILE}", _position(book)
    assert not save_in_place(path, Checkpoint(position, CODE, b"x" * SLOT, {}))
    assert not save_in_place(path, Checkpoint(position, CODE, b"{}", {"big": "x" * 30_000}))
    assert _load(book) is not None


def test_a_position_as_json(book: Book) -> None:
    """A position stored as JSON parses to the same position; anything else parses to None."""
    book.fill(3)
    seal(book.directory, NOW)
    book.fill(3)
    for position in (book.whole_position(), _position(book)):
        again = Position.parse(position.plain())
        assert again is not None
        assert again.plain() == position.plain()
    assert [Position.parse(odd) for odd in (None, [], {}, {"seq": "1"}, {"seq": 1, "x": 2})] == (
        [None] * 5
    )


def test_a_renamed_checkpoint(book: Book) -> None:
    """A checkpoint stored by rename loads, unless a bit is flipped or the code version differs."""
    book.fill(3)
    path = Path(book.directory, "large")
    save(str(path), Checkpoint(book.whole_position(), CODE, b"{}" * SLOT))
    stored = load(str(path), book.directory, CODE)
    assert stored is not None
    assert stored.payload == b"{}" * SLOT
    assert os.listdir(book.directory).count("large") == 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert load(str(path), book.directory, "views 2") is None
    raw = bytearray(path.read_bytes())
    for at in (3, 200, -1):
        raw[at] ^= 4
        path.write_bytes(raw)
        assert load(str(path), book.directory, CODE) is None
        raw[at] ^= 4
