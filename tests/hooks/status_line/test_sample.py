"""Which readings of the status line become events."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.log.append import Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

OTHER = "22222222-aaaa-4bbb-8ccc-000000000002"


def tokens(world: World) -> list[int]:
    """Return the tokens of the recorded readings."""
    return [event["tokens"] for event in world.events("pressure.sampled")]


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """A session that has begun."""
    made = make_world(inline=True)
    made.start()
    return made


def test_a_reading_is_recorded_when_it_is_new(world: World) -> None:
    """The line is drawn often; only another size, another session or a compaction makes an event."""
    for percent in (20, 20, 30, 30):
        world.bridge(percent)
    assert tokens(world) == [40_000, 60_000]
    world.bridge(30, sid=OTHER)
    world.bridge(30)
    assert tokens(world) == [40_000, 60_000, 60_000]
    world.compact()
    world.bridge(30)
    assert tokens(world) == [40_000, 60_000, 60_000, 60_000]


def test_an_unknown_size_is_no_reading(world: World) -> None:
    """Early in a session Claude Code does not know the size; that is not zero."""
    assert world.bridge(None) != ""
    assert tokens(world) == []


def test_a_held_lock_costs_the_event_and_not_the_line(world: World) -> None:
    """The next drawing records what this one could not."""
    with Writer(str(world.directory), world.iso):
        assert world.bridge(20) != ""
    assert tokens(world) == []
    world.bridge(20)
    assert tokens(world) == [40_000]


def test_it_has_the_branch_of_its_directory(world: World) -> None:
    """A reading is of the branch that is checked out where the session works."""
    (world.project / ".git" / "HEAD").write_text("ref: refs/heads/feature/tax\n")
    world.bridge(20)
    assert world.one("pressure.sampled")["branch"] == "feature/tax"
    os.unlink(world.project / ".git" / "HEAD")
    world.bridge(30)
    assert "branch" not in world.events("pressure.sampled")[-1]
