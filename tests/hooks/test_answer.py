"""A hook whose views are too far behind the log still gives Claude back what was compacted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.log.seal import seal
from tests.cases.world import World
from tests.hooks.test_unlocked import locked

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A journal with a compressed segment and no snapshot, in which a session has worked since."""
    made = World(tmp_path, inline=True)
    made.start()
    made.prompt("Write the importer of suppliers")
    made.compact()
    seal(str(made.directory), made.iso)
    made.prompt("Now write the exporter of orders")
    made.tool("Write", file_path=str(made.project / "exports.py"))
    made.compacting()
    (made.directory / "snapshot").unlink()
    return made


def test_a_recovery_does_not_wait_for_the_background(world: World) -> None:
    """It tells what the log's end has, and nothing that only the whole log shows; its hook is recorded."""
    text = world.start("compact").context
    assert "exporter of orders" in text
    assert "exports.py" in text
    assert "compaction 2" not in text
    assert "supplier" not in text
    injected = world.one("context.injected")
    assert (injected["what"], injected["hook"]) == ("recovery", "SessionStart")
    assert not (world.directory / "snapshot").exists()


def test_it_is_told_once(world: World) -> None:
    """Once the views are whole again, no hook repeats the recovery."""
    assert world.start("compact").context
    world.resumed_views()
    world.order("status")
    assert "exporter of orders" not in world.prompt().context


def test_other_messages_wait_for_the_whole_log(world: World) -> None:
    """A prompt gets no answer from the log's end alone, nor does another session's start."""
    world.read(95)
    assert not world.prompt().context


def test_nor_for_the_lock(world: World) -> None:
    """While another process holds the lock, too, the log's end is told, and later recorded once."""
    with locked(world):
        assert "exporter of orders" in world.start("compact").context
        assert not world.prompt().context
    world.resumed_views()
    world.stop()
    assert world.one("context.injected")["what"] == "recovery"


@pytest.mark.parametrize("compress", [False, True])
def test_the_end_goes_on_before_the_last_seal(world: World, *, compress: bool) -> None:
    """Right after a seal the end of the log is in the sealed segment; a packed one takes too long."""
    seal(str(world.directory), world.iso, compress=compress)
    assert ("exporter of orders" in world.start("compact").context) is not compress
