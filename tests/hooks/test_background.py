"""What the start of a session does in the background to the log's files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from hooks.background import run_background
from journal.log.read import Reader
from journal.log.seal import seal
from journal.log.segment import segments
from tests.cases.world import SID, World

if TYPE_CHECKING:
    from pathlib import Path

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
