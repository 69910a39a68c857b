"""Several processes tell what one tells: the same facts, in the same order, once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.importer import run as running
from journal.history.importer import workers
from tests.backfill.conftest import Desk, totals
from tests.backfill.test_growth import prompt, reply
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from pathlib import Path

SHAPE: dict[str, Any] = {"sessions": 9, "entries": 80, "projects": 3, "copies": 0.6, "torn": 1}


def imported(top: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> tuple[Desk, Any, Any]:
    """Import one corpus with so many processes; give desk, import and truth."""
    desk = Desk(top)
    truth = write(desk.client, seed=21, **SHAPE)
    monkeypatch.setattr(running, "worth", lambda _items: count)
    return desk, desk.run(), truth


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_same_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Events, their order, counts and the state are those of one process."""
    (tmp_path / "a").mkdir()
    alone, one, _ = imported(tmp_path / "a", monkeypatch, 0)
    (tmp_path / "b").mkdir()
    desk, done, truth = imported(tmp_path / "b", monkeypatch, count)
    assert one.sink.repeated
    plain = [{**event, "transcript": ""} for event in alone.events()]
    assert [{**event, "transcript": ""} for event in desk.events()] == plain
    assert done.sink.added == one.sink.added
    assert (done.lines, done.size, done.torn) == (one.lines, one.size, one.torn)
    assert done.sink.repeated == one.sink.repeated
    usage = desk.events("usage.recorded")
    assert totals(usage)["per_day"] == truth["per_day"]
    assert desk.run().changed == []


@pytest.mark.parametrize("after", [0, 3])
def test_a_worker_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Its files are read in this process; nothing is lost, nothing is there twice."""
    work = workers._work

    def dies(reading: Any, share: list[Any], descriptor: int) -> None:
        work(reading, share[:after], descriptor)
        os._exit(9)

    (tmp_path / "a").mkdir()
    alone, _, truth = imported(tmp_path / "a", monkeypatch, 0)
    monkeypatch.setattr(workers, "_work", dies)
    (tmp_path / "b").mkdir()
    desk, done, _ = imported(tmp_path / "b", monkeypatch, 2)
    assert len(desk.events()) == len(alone.events())
    assert totals(desk.events("usage.recorded"))["totals"] == truth["totals"]
    assert not done.unreadable


def test_a_file_cut_short_by_a_death(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What had been told of a file before its worker died is not told again."""
    desk.write(prompt(), reply("m1", 4, stop="end_turn"), prompt("more", 2), reply("m2", 5))
    desk.write(reply("n1"), to=desk.file.with_name("e" + desk.file.name[1:]))
    real = workers.Workers._chunks

    def cut(self: Any, item: Any, worker: int) -> Any:
        for chunk in real(self, item, worker):
            chunk.end = None
            yield chunk
        yield from self.reading.afresh().file(item)

    monkeypatch.setattr(running, "worth", lambda _items: 2)
    monkeypatch.setattr(workers.Workers, "_chunks", cut)
    monkeypatch.setattr(workers, "_work", _one_chunk)
    desk.run()
    assert {e["message"] for e in desk.events("usage.recorded")} == {"m1", "m2", "n1"}
    assert len(desk.events()) == len({event["key"] for event in desk.events()})


def _one_chunk(reading: Any, share: list[Any], descriptor: int) -> None:
    """Tell every file's facts, and never that it ended."""
    import msgspec

    for item in share:
        for chunk in reading.file(item):
            chunk.end = None
            data = msgspec.msgpack.encode(chunk)
            os.write(descriptor, workers._LENGTH.pack(len(data)) + data)


@pytest.mark.parametrize(
    "sizes, many", [([1], False), ([9_000_000], False), ([5_000_000] * 2, True)]
)
def test_what_is_worth_it(sizes: list[int], many: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started for several files of some size, where there are cores for them."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1}, raising=False)

    class Item:
        def __init__(self, size: int) -> None:
            self.size = size

    items: list[Any] = [Item(size) for size in sizes]
    assert (workers.worth(items) == 2) is many
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0}, raising=False)
    assert workers.worth(items) == 0
