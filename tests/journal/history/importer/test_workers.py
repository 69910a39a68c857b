"""Several processes import the same facts as one, in the same order, once."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.importer import workers
from journal.history.importer.reader import TranscriptReader
from tests.cases.world import ROOT
from tests.journal.history.importer.conftest import Sandbox, totals
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from pathlib import Path

SHAPE: dict[str, Any] = {"sessions": 9, "entries": 80, "projects": 3, "copies": 0.6, "torn": 1}


def imported(top: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> tuple[Sandbox, Any, Any]:
    """Import one corpus with `count` processes; return sandbox, import and truth."""
    sandbox = Sandbox(top)
    truth = write(sandbox.client, seed=21, **SHAPE)
    monkeypatch.setattr(workers, "_TASK", 1)  # one file per task
    monkeypatch.setattr(workers, "worker_count", lambda _items: count)
    return sandbox, sandbox.run(), truth


@pytest.fixture(scope="module")
def one_process(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sandbox, Any, Any]:
    """Import the corpus once with one process; return sandbox, import and truth."""
    with pytest.MonkeyPatch.context() as patch:
        return imported(tmp_path_factory.mktemp("alone"), patch, 0)


@pytest.mark.parametrize(
    "count", [pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long), 3]
)
def test_the_same_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, one_process: Any
) -> None:
    """Events, their order, counts and the state equal those of one process."""
    alone, one, _ = one_process
    sandbox, done, truth = imported(tmp_path, monkeypatch, count)
    assert one.sink.repeated
    plain = [{**event, "transcript": ""} for event in alone.events()]
    assert [{**event, "transcript": ""} for event in sandbox.events()] == plain
    assert done.sink.added == one.sink.added
    assert (done.lines, done.size, done.torn) == (one.lines, one.size, one.torn)
    assert done.sink.repeated == one.sink.repeated
    usage = sandbox.events("usage.recorded")
    assert totals(usage)["per_day"] == truth["per_day"]
    assert sandbox.run().changed == []


@pytest.mark.parametrize("after", [pytest.param(0, marks=pytest.mark.long), 3])
def test_a_worker_that_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, one_process: Any
) -> None:
    """If a worker dies, this process reads the rest; nothing is lost or doubled."""
    alone, one, truth = one_process
    read, parent, started = TranscriptReader.read, os.getpid(), []

    def dies(self: TranscriptReader, item: Any) -> Any:
        started.append(item)
        if os.getpid() != parent and len(started) > after:
            os._exit(9)
        yield from read(self, item)

    monkeypatch.setattr(TranscriptReader, "read", dies)
    sandbox, done, _ = imported(tmp_path, monkeypatch, 2)
    assert started
    assert [{**event, "transcript": ""} for event in sandbox.events()] == [
        {**event, "transcript": ""} for event in alone.events()
    ]
    assert done.sink.added == one.sink.added
    assert totals(sandbox.events("usage.recorded"))["totals"] == truth["totals"]
    assert not done.unreadable


def test_workers_end_with_a_killed_import(tmp_path: Path) -> None:
    """If the parent is killed, its workers end too."""
    program = (
        "import os, sys, time\n"
        "from journal.history.importer import workers\n"
        "from journal.history.importer.reader import read_files\n"
        "class Slow:\n"
        "    def read(self, item):\n"
        "        os.write(1, b'%d\\n' % os.getpid())\n"  # one write, whether buffered or not
        "        time.sleep(60)\n"
        "        yield\n"
        "class Item:\n"
        "    size = workers._TASK\n"
        "workers.worker_count = lambda _items: 2\n"
        "list(read_files(Slow(), [Item(), Item()]))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as running:
        assert running.stdout is not None
        pids = [int(running.stdout.readline()) for _ in range(2)]
        running.kill()
        assert running.stdout.read() == ""  # the pipe closes when the last worker ends
    assert len(set(pids)) == 2


def test_a_hook_s_process_has_workers_too() -> None:
    """The background handler imports msgspec without all its parts."""
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from hooks.packages import ready\n"
        "assert ready()\n"
        "from journal.history.importer import workers\n"
        "from journal.history.importer.reader import Chunk, read_files\n"
        "class Reader:\n"
        "    def read(self, item):\n"
        "        yield Chunk([], item.size)\n"
        "class Item:\n"
        "    size = workers._TASK\n"
        "workers.worker_count = lambda _items: 2\n"
        "for _, chunks, alone in read_files(Reader(), [Item(), Item()]):\n"
        "    print(alone, *(chunk.at == Item.size for chunk in chunks))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("False True\n" * 2, "")


@pytest.mark.parametrize(
    "sizes, many", [([1], False), ([9_000_000], False), ([5_000_000] * 2, True)]
)
def test_what_is_worth_it(sizes: list[int], many: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started only for several files of some size and with several cores."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1}, raising=False)

    class Item:
        def __init__(self, size: int) -> None:
            self.size = size

    items: list[Any] = [Item(size) for size in sizes]
    assert (workers.worker_count(items) == 2) is many
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0}, raising=False)
    assert workers.worker_count(items) == 0
