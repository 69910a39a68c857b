"""The code does what FORMAT.md says: its example, its limits, its lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from journal import checkpoint
from journal.log import append
from journal.log.append import Writer, is_barrier
from journal.log.read import Reader
from journal.log.record import CAP, WINDOW, frame, is_whole, seq_of, type_of, unframe
from journal.log.verify import verify

from .book import NOW, Book

PAGE = (Path(append.__file__).parent.parent / "FORMAT.md").read_text()


def _example() -> list[bytes]:
    found = re.search(r"```example\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found.group(1).encode().splitlines()


def test_the_example_is_a_journal(tmp_path: Path) -> None:
    """The example in the specification reads without a finding, and can be appended to."""
    book = Book(tmp_path / "journal")
    (tmp_path / "journal").mkdir(mode=0o700)
    book.set_lines(_example())
    reader = Reader(book.directory)
    assert [line for _, line in reader] == _example()
    assert reader.found.listed == []
    assert reader.journal == "00112233445566778899aabbccddeeff"
    assert book.write("next") == [3]
    assert verify(book.directory, strict=True).exit_code == 0


def test_the_example_is_what_the_writer_writes() -> None:
    """Framing the example's members again gives its bytes; the readers of fixed positions agree."""
    for line in _example():
        fields = unframe(line)
        seq = fields.pop("seq")
        assert frame(seq, fields) == line + b"\n"
        assert (is_whole(line), seq_of(line), type_of(line)) == (True, seq, fields["type"])


def test_the_opening_record_has_the_members_named(tmp_path: Path) -> None:
    """The first record of a new journal has the members of the example, in their order."""
    book = Book(tmp_path / "journal")
    book.fill(1)
    assert list(unframe(book.lines()[0])) == list(unframe(_example()[0]))


@pytest.mark.parametrize(
    ("number", "words"),
    [(CAP, "at most 16,384 bytes"), (append.SEGMENT_LIMIT // 2**20, "Past 64 MiB"),
     (checkpoint.SLOT // 2**20, "Two slots of 1 MiB"), (int(append.DEADLINE * 1000), "(250 ms)"),
     (append.FORMAT, "# The format of a journal, version 1")],
)  # fmt: skip
def test_the_numbers_are_the_codes(number: int, words: str) -> None:
    """Every limit on the page equals the constant in the code."""
    assert words in PAGE
    assert f"{number:,}" in words


def test_the_barriers_are_the_ones_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The events that wait for the disk are those in the table, at each sync level."""
    row = next(line for line in PAGE.splitlines() if line.startswith("| `barrier`"))
    listed = re.findall(r"`([a-z]+\.[a-z*]+)`", row)
    assert len(listed) == 9
    assert all(is_barrier(name.replace("*", "any")) for name in listed)
    every = {*append.BARRIERS, *append._BARRIER_TYPES}
    assert every == {name.rstrip("*") for name in listed}
    waits: list[int] = []
    monkeypatch.setattr("os.fdatasync", waits.append)
    for sync, kind, count in [
        ("none", "compact.started", 0), ("barrier", "compact.started", 1), ("always", "note", 1),
        ("barrier", "note", 0), ("barrier", "compacted", 0), ("none", "session.ended", 0),
        ("barrier", "session.ended", 1),
    ]:  # fmt: skip
        waits.clear()
        with Writer(str(tmp_path / "journal"), NOW, sync=sync) as writer:
            waits.clear()
            writer.append({"type": kind, "v": 1, "sid": "s"})
        assert len(waits) == count, (sync, kind)


def test_the_window_for_twins_holds_many_records() -> None:
    """The search for a repeated hook call covers at least four records of the greatest length."""
    assert WINDOW >= 4 * CAP


def test_the_page_stands_alone() -> None:
    """The specification is one page, and names every file of a journal."""
    assert len(PAGE.splitlines()) < 180
    for name in ("active.jsonl", "lock", "snapshot", "spool", "missed", "quarantine"):
        assert f"`{name}" in PAGE
