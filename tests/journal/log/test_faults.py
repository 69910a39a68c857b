"""Each system call of an append, roll, repair or rewrite fails once: the log stays valid."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from journal.errors import JournalOffError
from journal.log.append import Writer
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.verify import verify

from .book import NOW, Book
from .faults import FAULTS, ROOT, SHORT, TIMES, WORK, Run, run, shim

__all__ = ["run", "shim"]


EVERY_FAULT = pytest.mark.parametrize(
    ("call", "code"),
    [
        pytest.param(
            call, code, id=f"{call}-{errno.errorcode.get(code, 'short')}",
            marks=[] if code in (errno.EIO, SHORT) else pytest.mark.long,
        )
        for call, code in FAULTS
    ],
)  # fmt: skip
# Calls that each work never makes.
NEVER = {"append": {"fsync", "rename", "unlink", "ftruncate"}, "create": {"rename", "unlink",
         "ftruncate"}, "roll": {"unlink", "ftruncate"}, "drain": {"rename", "ftruncate", "fsync"},
         "repair": {"unlink", "ftruncate"}, "seal": {"ftruncate"},
         "spool": {"flock", "pread", "fdatasync", "fsync", "unlink", "ftruncate"}}  # fmt: skip


@pytest.mark.parametrize("work", ["append", "create", "roll", "drain"])
@EVERY_FAULT
def test_a_failing_call_never_harms_the_log(
    book: Book, run: Run, work: str, call: str, code: int
) -> None:
    """Acknowledged records are there, older ones stay, and the next append works without a repair."""
    for nth in range(1, TIMES):
        if work != "create":
            book.fill(5)
        if work == "drain":
            _put(book, f"waiting {nth}")
        doing = "roll" if work == "roll" else "append"
        said, struck = run(book, doing, f"{call}:{nth}:{code}")
        told = [int(line.split()[1]) for line in said if line.startswith("told")]
        if not struck:
            assert told
            break
        if code == errno.EINTR:
            assert told, "an interrupted call is made again"
        if Path(book.directory).exists():
            there, reader = book.read()
            assert all(there[seq] == "during" for seq in told)
            assert reader.found.complete, reader.found.listed
        if work == "create":
            shutil.rmtree(book.directory, ignore_errors=True)
    assert (nth == 1) == (call in NEVER[work]), "the fault never struck"
    book.write("after")
    there, reader = book.read()
    assert book.acknowledged.items() <= there.items()
    assert reader.found.complete
    assert verify(book.directory).exit_code == 0
    waited = [text for text in there.values() if text.startswith("waiting")]
    assert waited == (
        [f"waiting {number}" for number in range(1, nth + 1)] if work == "drain" else []
    )


def _put(book: Book, text: str) -> None:
    from journal.log import spool

    spool.put(book.directory, NOW, ({"type": "note", "v": 1, "sid": "s", "text": text},))


@pytest.mark.parametrize("work", ["repair", "seal", "spool"])
@EVERY_FAULT
def test_a_failing_call_never_harms_what_is_being_repaired(
    book: Book, run: Run, work: str, call: str, code: int
) -> None:
    """An interrupted repair, seal or spool loses no record and no evidence, and can be done again."""
    book.fill(5)
    if work == "repair":
        book.set_lines([*book.lines()[:3], b"foreign", *book.lines()[3:]])
    for nth in range(1, TIMES):
        said, struck = run(book, work, f"{call}:{nth}:{code}")
        assert work == "spool" or all(line[6:] for line in said if line.startswith("error"))
        there, _ = book.read()
        assert book.acknowledged.items() <= there.items()
        if not struck:
            break
        if work == "repair":
            book.set_lines([*book.lines()[:3], b"foreign", *book.lines()[3:]])
        else:
            book.fill(2)
    assert (nth == 1) == (call in NEVER[work]), "the fault never struck"
    book.write("after")
    assert repair(book.directory, NOW).exit_code == 0
    there, _ = book.read()
    assert book.acknowledged.items() <= there.items()
    if work == "repair":
        kept = b"".join(path.read_bytes() for path in Path(book.directory, "quarantine").iterdir())
        assert b"foreign" in kept


@pytest.mark.parametrize(
    ("call", "code"),
    [
        pytest.param(
            call, code, id=f"{call}-{errno.errorcode.get(code, 'short')}",
            marks=[] if (call, code) in (("rename", errno.EIO), ("write", SHORT)) else pytest.mark.long,
        )
        for call, code in FAULTS
        if call != "ftruncate"
    ],
)  # fmt: skip
def test_a_failing_call_never_harms_what_is_being_rewritten(
    book: Book, run: Run, call: str, code: int
) -> None:
    """After any fault each record is either old or new, and running the rewrite again finishes it."""
    from journal.history.forget.replace import TAG, Secret
    from journal.log.rewrite import begin, finish, rewrite

    for nth in range(1, 4 * TIMES):
        book.write(f"{nth} a-secret-1", "plain")
        if nth == 1:
            seal(book.directory, NOW, compress=False)
            book.write("0 a-secret-1")
        _said, struck = run(book, "rewrite", f"{call}:{nth}:{code}")
        new = {seq: text.replace("a-secret-1", TAG) for seq, text in book.acknowledged.items()}
        there, reader = book.read()
        assert reader.found.complete, reader.found.listed
        assert there.keys() == new.keys()
        assert all(there[seq] in (book.acknowledged[seq], new[seq]) for seq in there)
        book.acknowledged = {seq: there[seq] for seq in there}
        if not struck:
            break
    assert nth > 1, "the fault never struck"
    begin(book.directory)
    rewrite(book.directory, NOW, Secret("a-secret-1"))
    finish(book.directory, NOW, None)
    assert book.read()[0] == new
    assert verify(book.directory).exit_code == 0, verify(book.directory).findings
    left = [path for path in Path(book.directory).iterdir() if b"a-secret-1" in path.read_bytes()]
    assert left == []


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
