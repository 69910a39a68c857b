"""A hook answers while another process holds the lock; its messages are recorded later, once."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DECISION = "Prices are rounded to cents once, in cart.total"


@pytest.fixture(
    params=[True, pytest.param(False, marks=pytest.mark.long)], ids=["inline", "process"]
)
def world(tmp_path: Path, request: pytest.FixtureRequest) -> World:
    """A session with a decision."""
    made = World(tmp_path, inline=request.param)
    made.start()
    made.prompt("Round the prices in the cart")
    made.append({"type": "decision.recorded", "v": 1, "sid": made.sid, "text": DECISION})
    return made


@contextmanager
def locked(world: World) -> Iterator[None]:
    """Hold the lock of the project's journal as a stopped process would."""
    (path,) = world.home.rglob("journal/*/lock")
    descriptor = os.open(path, os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


def recoveries(world: World) -> int:
    """Count the recoveries that the log records as injected."""
    return sum(event["what"] == "recovery" for event in world.events("context.injected"))


def test_the_recovery_comes_while_the_lock_is_taken(world: World) -> None:
    """A start after a compaction is answered from checkpoint and log, without the lock."""
    world.compacting()
    with locked(world):
        assert DECISION in world.start("compact").context
        assert recoveries(world) == 0
    world.stop()
    assert recoveries(world) == 1
    assert [event["source"] for event in world.events("session.started")] == ["startup", "compact"]


def test_it_is_said_once(world: World) -> None:
    """Once the spool is in the log, a repeated start does not repeat the recovery."""
    world.compacting()
    with locked(world):
        assert DECISION in world.start("compact").context
    assert DECISION not in world.start("compact").context


def test_a_compaction_that_found_the_lock_taken_is_recovered_from(world: World) -> None:
    """Even if the compaction's own event is still in the spool, the next start knows about it."""
    with locked(world):
        world.compacting()
    assert DECISION in world.start("compact").context


def test_a_lock_taken_all_along(world: World) -> None:
    """With the lock held during the compaction too, recovery comes immediately, and once."""
    with locked(world):
        world.compacting()
        assert DECISION in world.start("compact").context
    world.stop()
    assert recoveries(world) == 1


def test_a_hook_with_nothing_to_say_stays_silent(world: World) -> None:
    """Without a compaction a tool call under a held lock is recorded later and prints nothing."""
    with locked(world):
        assert not world.tool().out
    world.stop()
    assert len(world.events("tool.finished")) == 1
