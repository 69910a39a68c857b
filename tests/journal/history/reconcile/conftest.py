"""A world whose hooks are lost, and what a whole session of it counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hooks.background import run_background
from tests.journal.history.reconcile.recorded import Recorded

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = (3, 5, 1, 3, 2, 2)
"""Prompts, tools, failures, turns, compactions and attempts of `Recorded.session`."""


@pytest.fixture
def world(tmp_path: Path) -> Recorded:
    """Return a world whose hooks run in this process."""
    return Recorded(tmp_path / "world", inline=True)


def background(world: Recorded, event: str = "Stop", **env: str) -> None:
    """Run the background handler as Claude Code does."""
    data = {"hook_event_name": event, "session_id": world.sid, "cwd": str(world.project)}
    run_background(json.dumps(data).encode(), {**world.env(), **env})
