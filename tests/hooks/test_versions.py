"""Files left by another version of the journal cost no event and are repaired."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from journal.checkpoint import SNAPSHOT, Checkpoint, load_hints, load_snapshot, save_in_place
from journal.log.record import frame
from projections.prefilter import HINTS
from projections.views import VERSION
from tests.cases.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHAPES: dict[str, object] = {
    "list": [],
    "number": 7,
    "null": None,
    "text": "x",
    "nested": {"a": {"b": [1]}},
    "list of numbers": [1, 2],
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A session that has not been shown any message yet."""
    return _begun(World(tmp_path, inline=False))


@pytest.fixture
def inline(tmp_path: Path) -> World:
    """The same, with hooks that run in this process."""
    return _begun(World(tmp_path, inline=True))


def _begun(made: World) -> World:
    made.start()
    made.prompt()
    made.tool()
    made.stop()
    return made


def directory(world: World) -> Path:
    """Find the journal of the world's project."""
    (path,) = world.home.rglob("journal/*/active.jsonl")
    return path.parent


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_hints_of_another_shape(inline: World, shape: object) -> None:
    """With every hint replaced by something else, each call is recorded and hints are repaired."""
    folder = str(directory(inline))
    stored = load_snapshot(folder, VERSION)
    assert stored is not None
    odd = {name: shape for name in stored.hints if name != "format"} | {"format": HINTS}
    for _ in range(2):
        save_in_place(
            f"{folder}/{SNAPSHOT}", Checkpoint(stored.position, VERSION, stored.payload, odd)
        )
    for act in (inline.prompt, inline.tool, inline.stop):
        act()
    kinds = [event["type"] for event in inline.events()]
    assert kinds.count("prompt.submitted") == kinds.count("tool.finished") == 2
    assert kinds.count("turn.ended") == 2
    inline.start("resume")
    assert load_hints(folder, HINTS)[0].keys() == stored.hints.keys()
    assert load_hints(folder, HINTS)[0] != odd


def _opening(world: World, change: Callable[[dict[str, object]], None]) -> None:
    active = directory(world) / "active.jsonl"
    first, rest = active.read_bytes().split(b"\n", 1)
    fields = json.loads(first)
    del fields["crc"]
    change(fields)
    active.write_bytes(frame(fields.pop("seq"), fields) + rest)


def test_a_log_of_a_later_format_is_left_alone(world: World) -> None:
    """An older version adds nothing to a newer log, says so, and keeps the events in the spool."""
    _opening(world, lambda fields: fields.update(format=2))
    active = directory(world) / "active.jsonl"
    before = active.read_bytes()
    world.tool()
    assert "format 2" in world.start().message
    assert active.read_bytes() == before
    _opening(world, lambda fields: fields.update(format=1))
    world.stop()
    kinds = [event["type"] for event in world.events()]
    assert kinds.count("tool.finished") == 2
    assert kinds.count("session.started") == 2
    assert "journal.gap" not in kinds
