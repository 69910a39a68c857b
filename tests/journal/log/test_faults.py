"""Each system call of an append, roll, repair or rewrite fails once: the log stays valid."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.verify import verify

from .book import NOW, Book
from .faults import FAULTS, SHORT, TIMES, Run, run, shim

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
            marks=[] if (call, code) == ("write", SHORT) else pytest.mark.long,
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
