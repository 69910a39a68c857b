"""Concurrent and killed writers: every acknowledged record is there, once, in order."""

from __future__ import annotations

import os
import random
import signal
import time
from typing import TYPE_CHECKING, NoReturn

import pytest

from journal.log.append import Busy, Writer
from journal.log.findings import ANOMALY, CORRUPT, TORN
from tests.support.examples import scaled

from .book import NOW, Book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WRITERS = 4


def _fork(work: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def _write_for_ever(directory: str, diary: Path, name: str, size: int) -> NoReturn:
    """Append until killed; the diary gets each attempt before it, and each seq after it."""
    out = os.open(diary, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    count = 0
    while True:
        text = f"{name}-{count}-"
        count += 1
        os.write(out, f"try {text}\n".encode())
        try:
            with Writer(directory, NOW, sync="none") as writer:
                event = {"type": "note", "v": 1, "sid": "s", "text": text + "x" * size}
                (seq,) = writer.append(event)
        except Busy:
            continue
        os.write(out, f"told {seq} {text}\n".encode())


def _round(book: Book, tmp_path: Path, number: int, size: int, chance: random.Random) -> None:
    diaries = [tmp_path / f"diary-{number}-{name}" for name in range(WRITERS)]
    children = [
        _fork(lambda diary=diary, name=name: _write_for_ever(  # type: ignore[misc]
            book.directory, diary, f"{number}.{name}", size))
        for name, diary in enumerate(diaries)
    ]  # fmt: skip
    time.sleep(chance.uniform(0.002, 0.03))
    for child in chance.sample(children, len(children)):
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)


def _diaries(tmp_path: Path) -> tuple[set[str], dict[int, str]]:
    tried: set[str] = set()
    told: dict[int, str] = {}
    for diary in tmp_path.glob("diary-*"):
        for line in diary.read_text().splitlines():
            words = line.split(" ")
            if words[0] == "try":
                tried.add(words[1])
            else:
                assert int(words[1]) not in told, "one seq told twice"
                told[int(words[1])] = words[2]
    return tried, told


def _kill_loop(
    book: Book, tmp_path: Path, figure: Callable[[str], None], rounds: int, size: int
) -> None:
    chance = random.Random(rounds * size)
    for number in range(rounds):
        _round(book, tmp_path, number, size, chance)
    book.write("the last word")
    tried, told = _diaries(tmp_path)
    there, reader = book.read()
    recovered = {seq: text.rstrip("x") for seq, text in there.items()}
    last = max(recovered)
    assert recovered.pop(last) == "the last word"
    assert told.items() <= recovered.items(), "a record that was told is lost"
    assert set(recovered.values()) <= tried, "a record nobody tried"
    assert len(set(recovered.values())) == len(recovered), "one attempt, two records"
    assert not reader.found.counts.get(CORRUPT), reader.found.listed
    assert not reader.found.counts.get(ANOMALY), reader.found.listed
    assert reader.found.counts["valid"] == last, "a seq without a record"
    figure(
        f"{rounds * WRITERS} kills at {size} B: {len(told)} told, 0 lost, "
        f"{len(recovered) - len(told)} more there, {reader.found.counts.get(TORN, 0)} fragments"
    )


@pytest.mark.parametrize("size", [200, 5000])
def test_killed_writers_lose_nothing_acknowledged(
    book: Book, tmp_path: Path, figure: Callable[[str], None], size: int
) -> None:
    """After kill -9 at random: acknowledged ⊆ recovered ⊆ attempted, seqs dense, fragments reported."""
    _kill_loop(book, tmp_path, figure, scaled(8, 4), size)


@pytest.mark.long
@pytest.mark.parametrize("size", [200, 5000, 12000])
def test_killed_writers_lose_nothing_they_told_at_length(
    book: Book, tmp_path: Path, figure: Callable[[str], None], size: int
) -> None:
    """The same for two hundred rounds."""
    _kill_loop(book, tmp_path, figure, 200, size)


def race(book: Book, writers: int, each: int, deadline: float = 60.0) -> float:
    """Let `writers` processes append `each` records, one journal opening each; return seconds."""
    gate_out, gate_in = os.pipe()

    def work(name: int) -> None:
        os.close(gate_in)
        os.read(gate_out, 1)  # until the parent closes its end
        event = {"type": "note", "v": 1, "sid": "s", "text": f"{name}" + "x" * 180}
        for _ in range(each):
            with Writer(book.directory, NOW, sync="none", deadline=deadline) as writer:
                writer.append(event)

    book.write("opened")
    children = [_fork(lambda name=name: work(name)) for name in range(writers)]  # type: ignore[misc]
    os.close(gate_out)
    start = time.perf_counter()
    os.close(gate_in)
    for child in children:
        os.waitpid(child, 0)
    return time.perf_counter() - start


def test_sixteen_writers_at_once(book: Book, figure: Callable[[str], None]) -> None:
    """Sixteen processes get dense seqs: no record lost or doubled, no stray bytes between lines."""
    seconds = race(book, 16, 30)
    there, reader = book.read()
    assert len(there) == 481
    assert max(there) == 482
    assert reader.found.listed == []
    figure(f"{480 / seconds:,.0f} appends/s")


@pytest.mark.long
def test_sixteen_writers_at_length(book: Book, figure: Callable[[str], None]) -> None:
    """The same with two thousand records each."""
    seconds = race(book, 16, 2000)
    there, reader = book.read()
    assert len(there) == 32001
    assert reader.found.listed == []
    figure(f"{32000 / seconds:,.0f} appends/s")
