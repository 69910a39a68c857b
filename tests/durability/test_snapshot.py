"""Snapshots: used only where the log agrees; losing or damaging them costs time and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from journal.log import snapshot
from journal.log.append import Writer
from journal.log.read import Reader, tail
from journal.log.record import is_whole, seq_of
from journal.log.repair import repair, seal
from journal.log.snapshot import SLOT, Snapshot

from .book import NOW, Book

VERSION = "views 1"


def _take(book: Book, version: str = VERSION, state: bytes | None = None) -> int:
    """Store a snapshot of the whole journal: its state is the list of seqs folded so far."""
    seqs = ",".join(str(seq) for seq, _ in Reader(book.directory)).encode()
    with Writer(book.directory, NOW) as writer:
        crc = writer.read(writer.size - 11, 8)
        first = seq_of(writer.read(0, 64))
        kept = Snapshot(writer.last_seq, writer.size, version, {"last": writer.last_seq},
                        seqs if state is None else state)  # fmt: skip
        assert snapshot.store(book.directory, kept, crc, first)
        return writer.last_seq


def _fold(book: Book) -> list[int]:
    """Seqs by snapshot and tail, as a hook folds them: from its offset in the active segment."""
    kept = snapshot.load(book.directory, VERSION)
    if kept is None:
        return [seq for seq, _ in Reader(book.directory)]
    with Writer(book.directory, NOW) as writer:
        data = writer.read(kept.offset, writer.size - kept.offset)
    rest = [seq_of(line) for line in data.split(b"\n") if is_whole(line)]
    return [int(seq) for seq in kept.state.split(b",")] + rest


def _fold_across(book: Book) -> list[int]:
    """The same with `tail`, which goes through segments."""
    kept = snapshot.load(book.directory, VERSION, across=True)
    if kept is None:
        return [seq for seq, _ in Reader(book.directory)]
    reader = tail(book.directory, kept)
    rest = [seq for seq, _ in reader]
    assert reader.findings == []
    return [int(seq) for seq in kept.state.split(b",")] + rest


def _same(book: Book) -> None:
    every = [seq for seq, _ in Reader(book.directory)]
    assert _fold(book) == every
    assert _fold_across(book) == every


def test_snapshot_and_tail_are_the_whole(book: Book) -> None:
    """After every append, folding from the newest snapshot gives what folding from the start does."""
    for number in range(12):
        book.fill(number % 4 + 1)
        if number % 3 == 0:
            _take(book)
            assert snapshot.load(book.directory, VERSION) is not None
        _same(book)


@pytest.mark.parametrize("after", [0, 3], ids=["at the end", "with more behind it"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_the_fold_goes_on_across_a_sealed_segment(book: Book, after: int, packed: bool) -> None:
    """When the snapshot's segment is sealed the fold is right: from offset 0, by `tail`, or anew."""
    book.fill(6)
    _take(book)
    book.fill(after)
    seal(book.directory, NOW, compress=packed)
    kept = snapshot.load(book.directory, VERSION)
    across = snapshot.load(book.directory, VERSION, across=True)
    if packed:
        assert across is None
    else:
        assert across is not None
        assert across.seq == 7
        assert (kept is None) == (after > 0)
        assert kept is None or kept.offset == 0
    _same(book)
    book.fill(4)
    _same(book)
    seal(book.directory, NOW, compress=False)
    _same(book)
    _take(book)
    assert snapshot.load(book.directory, VERSION) is not None
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
    """Both slots bad: no snapshot, the same fold, and the next one can be stored."""
    for _ in range(2):
        book.fill(3)
        _take(book)
    assert snapshot.load_hot(book.directory)[0] == {"last": 7}
    damage(Path(book.directory, snapshot.FILE))  # type: ignore[operator]
    assert snapshot.load(book.directory, VERSION) is None
    assert snapshot.load_hot(book.directory)[0] == {}
    _same(book)
    _take(book)
    assert snapshot.load(book.directory, VERSION) is not None


@pytest.mark.parametrize("place", [8, 60, 120])
def test_one_damaged_slot_leaves_the_other(book: Book, place: int) -> None:
    """A slot torn while it was written costs only what came since the one before."""
    book.fill(3)
    _take(book)
    book.fill(3)
    second = _take(book)
    path = Path(book.directory, snapshot.FILE)
    whole = path.read_bytes()
    newest = whole.find(b'{"seq":%d,' % second)
    assert newest >= 0
    broken = bytearray(whole)
    broken[newest + place] ^= 1
    path.write_bytes(broken)
    kept = snapshot.load(book.directory, VERSION)
    assert kept is not None
    assert kept.seq == 4
    _same(book)


def test_every_flip_in_a_slot_is_noticed(book: Book) -> None:
    """No flipped bit of a snapshot changes what is folded."""
    book.fill(3)
    _take(book)
    path = Path(book.directory, snapshot.FILE)
    whole = path.read_bytes()
    used = len(whole.rstrip(b"\0"))
    right = snapshot.load(book.directory, VERSION)
    assert right is not None
    for bit in range(used * 8):
        broken = bytearray(whole)
        broken[bit // 8] ^= 1 << bit % 8
        path.write_bytes(broken)
        assert snapshot.load(book.directory, VERSION) is None, bit


def test_another_version_is_not_used(book: Book) -> None:
    """A snapshot of other projections is passed over for one of these, however much older."""
    book.fill(3)
    _take(book)
    book.fill(3)
    _take(book, version="views 2")
    kept = snapshot.load(book.directory, VERSION)
    assert kept is not None
    assert kept.seq == 4
    assert snapshot.load(book.directory, "views 3") is None


def test_a_replaced_log_makes_the_snapshot_void(book: Book, tmp_path: Path) -> None:
    """A snapshot of a log that was replaced or cut is not used, and does not block new ones."""
    book.fill(30)
    _take(book)
    os.unlink(book.active)
    book.fill(5)
    assert snapshot.load(book.directory, VERSION) is None
    for _ in range(3):
        book.fill(1)
        seq = _take(book)
        kept = snapshot.load(book.directory, VERSION)
        assert kept is not None
        assert kept.seq == seq
        _same(book)


def test_a_cut_log_makes_the_snapshot_void(book: Book) -> None:
    """A log that lost its end, snapshot and all, is folded anew and right."""
    book.fill(10)
    _take(book)
    whole = book.active.read_bytes()
    book.active.write_bytes(whole[:-300])
    assert snapshot.load(book.directory, VERSION) is None
    book.fill(3)
    _same(book)


def test_a_repaired_log_makes_the_snapshot_void_or_right(book: Book) -> None:
    """After a repair moved the records, no snapshot points between them."""
    book.fill(10)
    _take(book)
    book.set_lines([*book.lines()[:3], b"foreign words", *book.lines()[3:]])
    _same(book)
    repair(book.directory, NOW)
    _same(book)


def test_a_state_too_large_is_not_stored(book: Book) -> None:
    """A state that does not fit is refused; the slot before stays."""
    book.fill(3)
    _take(book)
    with Writer(book.directory, NOW) as writer:
        crc = writer.read(writer.size - 11, 8)
        kept = Snapshot(writer.last_seq, writer.size, VERSION, {}, b"x" * SLOT)
        assert not snapshot.store(book.directory, kept, crc, 1)
        kept = Snapshot(writer.last_seq, writer.size, VERSION, {"big": "x" * 30_000}, b"{}")
        assert not snapshot.store(book.directory, kept, crc, 1)
    assert snapshot.load(book.directory, VERSION) is not None
