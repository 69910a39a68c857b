"""What the start of a session does in the background to the log's files."""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING

import pytest

from hooks.background import run_background
from journal.history import prepare
from journal.history.replay import run
from journal.log.read import Reader
from journal.log.seal import seal
from journal.log.segment import segments
from tests.bench.corpus import session
from tests.cases.world import SID, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from journal.log.read import Batch

NOW = "2026-11-22T08:00:00.000Z"


def _start(world: World) -> None:
    data = {"session_id": SID, "cwd": str(world.project), "source": "startup",
            "hook_event_name": "SessionStart"}  # fmt: skip
    run_background(json.dumps(data).encode(), world.env())


def _plain(directory: str) -> list[bool]:
    return [not item.path.endswith(".gz") for item in segments(directory)]


def test_sealed_segments_are_compressed_one_a_start(tmp_path: Path) -> None:
    """A start compresses the oldest sealed segment of both logs, never the newest or active one."""
    world = World(tmp_path, inline=True)
    for number in range(3):
        world.start()
        world.prompt(f"request {number}")
        seal(str(world.directory), NOW, compress=False)
    before = [line for _, line in Reader(str(world.directory))]
    assert _plain(str(world.directory)) == [True] * 4
    _start(world)
    assert _plain(str(world.directory)) == [False, True, True, True]
    _start(world)
    assert _plain(str(world.directory)) == [False, False, True, True]
    _start(world)
    assert _plain(str(world.directory)) == [False, False, True, True]
    assert [line for _, line in Reader(str(world.directory))][: len(before)] == before
    assert not [name for name in os.listdir(world.directory) if name.endswith(".tmp")]


def test_files_of_killed_processes_are_removed(tmp_path: Path) -> None:
    """A start removes what killed processes left unfinished, but no event in the spool."""
    world = World(tmp_path, inline=True)
    world.start()
    folders = [world.journal, world.directory, world.directory / "conversations"]
    spool = world.directory / "spool"
    for folder in (*folders, spool):
        folder.mkdir(exist_ok=True)
        (folder / ".x.4194400-7f.tmp").write_bytes(b"half")
        os.utime(folder / ".x.4194400-7f.tmp", (0, 0))
    _start(world)
    assert not [folder for folder in folders if list(folder.glob("*.tmp"))]
    assert len(os.listdir(spool)) == 1


COMMANDS = (
    (),
    ("status",),
    ("sessions",),
    ("search", "parser"),
    ("stats",),
    ("usage",),
    *(("sql", f"select count(*) from {table}") for table in ("compactions", "turns", "events")),
)


@pytest.fixture
def grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return a project with sessions of 1,500 events in all; each start prepared a part of it."""
    monkeypatch.setattr(run, "SAVE_AFTER", 20_000)
    monkeypatch.setattr(prepare, "SAVE_AFTER", 20_000)
    monkeypatch.setattr(prepare, "STEP", 200_000)
    world = World(tmp_path, inline=True)
    world.start()
    for number in range(3):
        world.append(*session(random.Random(number), f"{number:032x}", 500))
        world.after(hours=1)
        _start(world)
    return world


def test_the_first_command_finds_everything_stored(
    grown: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command reads more than what came since the background handler, whichever is first."""
    read: list[int] = []
    batches = Reader.batches

    def counted(reader: Reader) -> Iterator[Batch]:
        for batch in batches(reader):
            read.append(len(batch))
            yield batch

    monkeypatch.setattr(Reader, "batches", counted)
    for words in COMMANDS:
        read.clear()
        assert grown.run(*words).code == 0
        assert sum(read) < 100, words


def test_a_start_with_little_new_stores_nothing_for_commands(grown: World) -> None:
    """What commands read is stored again only after the log has grown by a part of its size."""
    cache = grown.journal / "cache" / grown.directory.name
    _start(grown)
    before = {path: path.stat().st_ctime_ns for path in cache.rglob("*.*")}
    grown.prompt()
    _start(grown)
    assert {path: path.stat().st_ctime_ns for path in cache.rglob("*.*")} == before
