"""What a writer leaves behind: whole records in order, or nothing."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalOffError
from journal.log.append import Writer
from journal.log.repair import repair
from journal.log.verify import verify

from .book import NOW, Book
from .faults import ROOT, SHORT, WORK, Run, run, shim
from .wild import RECORDS, broken, some_cases

if TYPE_CHECKING:
    from pathlib import Path

    from .wild import Case


__all__ = ["run", "shim"]


@pytest.mark.parametrize("back", [1, 2, 3, 17, 18, 19, 60, 140, 300])
def test_append_after_a_cut_heals(book: Book, back: int) -> None:
    """The first record after a cut starts on its own line and gets the cut record's seq."""
    book.fill(RECORDS)
    whole = book.active.read_bytes()
    book.active.write_bytes(whole[:-back])
    before, _ = book.read()
    (seq,) = book.write("after")
    there, reader = book.read()
    assert there == {**before, seq: "after"}
    assert seq == max(before) + 1
    assert reader.found.complete
    assert verify(book.directory).exit_code == 0
    cut = sum(line != b"" for line in whole[:-back].split(b"\n")) - len(before) - 1
    assert verify(book.directory, strict=True).exit_code == int(cut > 0)


def test_a_short_write_is_rolled_back(book: Book, run: Run) -> None:
    """A short write is rolled back: the file is as long as before, and the error has a remedy."""
    book.fill(5)
    before = book.active.read_bytes()
    said, _ = run(book, "append", f"write:1:{SHORT}")
    assert said[0] == "error free some space on that disk"
    assert book.active.read_bytes() == before


def test_what_the_disk_did_not_confirm_is_told_once_and_never_written_twice(
    book: Book, run: Run
) -> None:
    """After a failed fdatasync the caller learns it is unsure, the record is there once, seqs go on."""
    book.fill(5)
    assert run(book, "append", f"fdatasync:1:{errno.EIO}")[0][0] == "unsure"
    (seq,) = book.write("after")
    there, reader = book.read()
    assert list(there.values()).count("during") == 1
    assert seq == 8
    assert reader.found.listed == []


def _tmpfs(path: Path, size: str) -> None:
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can only be mounted by root")


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def test_a_really_full_disk(tmp_path: Path) -> None:
    """On a full disk nothing is torn or lost; with free space the same journal goes on."""
    disk = tmp_path / "disk"
    _tmpfs(disk, "64k")
    try:
        book = Book(disk / "journal")
        remedies = []
        for number in range(60):
            try:
                book.write(f"{number}" + "x" * 5000)
            except JournalOffError as error:
                remedies.append(error.remedy)
        assert set(remedies) == {"free some space on that disk"}
        there, reader = book.read()
        assert (there, reader.found.listed) == (book.acknowledged, [])
        book.set_lines([*book.lines()[:4], b"foreign"])
        ballast = disk / "ballast"
        ballast.write_bytes(b"")
        with pytest.raises(OSError, match="No space"):
            _fill(ballast)
        bad = book.active.read_bytes()
        with pytest.raises(Exception, match=r"quarantine|written|No space"):
            repair(book.directory, NOW)
        assert book.active.read_bytes()[: len(bad)] == bad
        ballast.unlink()
        assert repair(book.directory, NOW).exit_code == 0
        book.write("after")
        assert "after" in book.read()[0].values()
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    """On a read-only disk the writer raises an error with a remedy, and the reader still reads."""
    disk = tmp_path / "disk"
    _tmpfs(disk, "256k")
    try:
        book = Book(disk / "journal")
        book.fill(3)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(Exception, match="Read-only") as caught:
            book.write("never")
        assert "JOURNAL_HOME" in caught.value.remedy  # type: ignore[attr-defined]
        there, reader = book.read()
        assert (there, reader.found.listed) == (book.acknowledged, [])
        assert verify(book.directory).exit_code == 0
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_a_write_limit_of_the_process(book: Book, tmp_path: Path) -> None:
    """A write cut short by a file size limit is rolled back like one on a full disk."""
    book.fill(3)
    before = book.active.read_bytes()
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 40},) * 2)\n{WORK}\ndo(*sys.argv[2:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(ROOT), book.directory, "append", NOW],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("error")
    assert book.active.read_bytes() == before
    with Writer(book.directory, NOW) as writer:
        assert writer.append({"type": "note", "v": 1, "sid": "s"}) == [5]


@some_cases("append")
def test_nothing_appended_after_the_damage_is_lost(book: Book, case: Case) -> None:
    """Records appended after the damage are read back, under seqs no other record had."""
    left = broken(book, case)
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
