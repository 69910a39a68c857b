"""Sessions to summarize, and the command that does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cases.world import SID, World
from tests.support.command import Result, run_command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A person's machine, hooks called in this process."""
    return World(tmp_path, inline=True)


@pytest.fixture
def journal(world: World) -> Callable[..., Result]:
    """Run `journal summarize` in this process, in the world's environment."""

    def run(*words: str) -> Result:
        env = world.env({"COLUMNS": "100", "NO_COLOR": "1"})
        return run_command(["summarize", *words], env, world.project)

    return run


def work(world: World, sid: str = SID, prompt: str = "make the totals right") -> None:
    """Run a session that asks, edits and ends."""
    world.sid = sid
    world.start()
    world.prompt(prompt)
    world.tool("Edit", file_path=str(world.project / "cart.py"))
    world.stop()
    world.end()


def made(world: World) -> list[tuple[str, str]]:
    """Return sessions and engines of the summaries in the log."""
    return [(event["of"], event["engine"]) for event in world.events("session.summarized")]
