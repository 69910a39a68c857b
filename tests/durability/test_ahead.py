"""A checker that checks ahead changes nothing: the reader gives what it gives alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import journal.log.read
import journal.log.readahead
from journal.log.read import Reader, dense
from journal.log.readahead import Ahead
from journal.log.record import frame

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 1024
COUNT = 200

DAMAGE = {
    "none": lambda data: data,
    "a flipped bit": lambda data: data[:9_000] + bytes([data[9_000] ^ 1]) + data[9_001:],
    "a line less": lambda data: b"".join(
        [*(lines := data.splitlines(keepends=True))[:90], *lines[91:]]),
    "two lines swapped": lambda data: b"".join(
        [*(lines := data.splitlines(keepends=True))[:90], lines[91], lines[90], *lines[92:]]),
    "a torn end": lambda data: data[:-20],
    "no newlines": lambda data: data.replace(b"}\n", b"} "),
}  # fmt: skip


def written(directory: Path) -> bytes:
    """Write a segment of many blocks; give its bytes."""
    lines = [
        frame(seq, {"ts": "t", "type": "flow.noted", "v": 1, "sid": "s", "text": "x" * (seq % 90)})
        for seq in range(1, COUNT + 1)
    ]
    directory.mkdir(mode=0o700)
    path = directory / "active.jsonl"
    path.touch(mode=0o600)
    path.write_bytes(b"".join(lines))
    return path.read_bytes()


def checker(path: Path) -> Ahead:
    """Start a checker, and wait until it has told all it can."""
    made = Ahead(str(path), SIZE, dense)
    os.waitid(os.P_PID, made._pid, os.WEXITED | os.WNOWAIT)
    return made


def test_what_is_told_holds_for_the_same_bytes_alone(tmp_path: Path) -> None:
    """Another byte, another rest, another seq or another count: the reader looks for itself."""
    data = written(tmp_path / "j")
    made = checker(tmp_path / "j" / "active.jsonl")
    assert not made.checked(0, data[:SIZE], b"", 1, data[:SIZE].count(b"\n"))  # too near
    known = dict(made._told)
    told = 0
    for block in range(1, len(data) // SIZE):
        before, here = data[: block * SIZE], data[block * SIZE : (block + 1) * SIZE]
        carried = before[before.rfind(b"\n") + 1 :]
        first, count = before.count(b"\n") + 1, here.count(b"\n")
        for wrong in (
            (here[:-1] + b"?", carried, first, count),
            (here, carried + b"?", first, count),
            (here, carried, first + 1, count),
            (here, carried, first, count + 1),
        ):
            made._told = dict(known)
            assert not made.checked(block, *wrong)
        made._told = dict(known)
        told += made.checked(block, here, carried, first, count)
    made.close()
    assert told >= len(data) // SIZE - 5


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_the_reader_gives_the_same(
    damage: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records, findings and counts are those of a reader without help, in a healthy log or not."""
    data = written(tmp_path / "j")
    (tmp_path / "j" / "active.jsonl").write_bytes(damage(data))  # type: ignore[operator]
    monkeypatch.setattr(journal.log.read, "BATCH", SIZE)
    alone = Reader(str(tmp_path / "j"))
    records = list(alone)
    monkeypatch.setattr(journal.log.readahead, "LEAST", 0)
    monkeypatch.setattr(journal.log.readahead, "_IDLE", -1000)
    started: list[Ahead | None] = []
    of = Ahead.of
    monkeypatch.setattr(Ahead, "of", classmethod(lambda _cls, path, *rest: (
        started.append(checker_of(of, path, *rest)) or started[-1])))  # fmt: skip
    helped = Reader(str(tmp_path / "j"), helped=True)
    assert list(helped) == records
    assert helped.counts == alone.counts
    assert [repr(item) for item in helped.findings] == [repr(item) for item in alone.findings]
    assert len(started) == 1


def checker_of(of: object, path: str, *rest: object) -> Ahead | None:
    """Start the reader's checker as it does, and let it get ahead."""
    made: Ahead | None = of(path, *rest)  # type: ignore[operator]
    if made is not None:
        os.waitid(os.P_PID, made._pid, os.WEXITED | os.WNOWAIT)
    return made


@pytest.mark.parametrize("left, load, helps", [
    (1 << 30, 0.0, True), (1000, 0.0, False), (1 << 30, 1000.0, False),
], ids=["long", "short", "busy"])  # fmt: skip
def test_when_there_is_a_checker(
    left: int, load: float, helps: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is little left to read, or no processor idle, it would cost more than it saves."""
    written(tmp_path / "j")
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    made = Ahead.of(str(tmp_path / "j" / "active.jsonl"), SIZE, left, dense)
    assert (made is not None) == helps
    if made is not None:
        made.close()


def test_no_checker_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that is given up midway ends its checker."""
    written(tmp_path / "j")
    monkeypatch.setattr(journal.log.read, "BATCH", SIZE)
    monkeypatch.setattr(journal.log.readahead, "LEAST", 0)
    monkeypatch.setattr(journal.log.readahead, "_IDLE", -1000)
    source = Reader(str(tmp_path / "j"), helped=True).batches()
    next(source)
    source.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
