"""What the person is told if the journal or its messages are off."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hooks.context import Context
from hooks.unavailable import capture_off, is_announced
from journal.log.append import Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

OFF = '[capture]\nlevel = "off"\n'


def told(world: World) -> str:
    """Return what is told about switched-off recording."""
    text = capture_off(Context(world.env(), str(world.project)))
    return str(json.loads(text)["systemMessage"]) if text else ""


def test_a_project_that_switches_recording_off_is_reported_once(
    make_world: Callable[..., World],
) -> None:
    """The person hears it once for each project, since a cloned repository may have done it."""
    world = make_world()
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "journal.toml").write_text(OFF)
    assert ".claude/journal.toml" in told(world)
    assert told(world) == ""
    world.project = world.home / "other"
    (world.project / ".git").mkdir(parents=True)
    assert told(world) != ""
    assert (world.journal / "capture-off").stat().st_mode & 0o777 == 0o600


def test_ones_own_settings_are_not_reported(make_world: Callable[..., World]) -> None:
    """Who switched recording off for all projects knows it."""
    world = make_world()
    world.journal.mkdir(mode=0o700, parents=True)
    (world.journal / "config.toml").write_text(OFF)
    assert told(world) == ""


@pytest.mark.parametrize("block", [64, 4 * 1024 * 1024], ids=["across blocks", "one block"])
def test_an_announcement_is_found_by_session(
    make_world: Callable[..., World], monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Each session is told once: the event is found wherever it stands, and for its session only."""
    monkeypatch.setattr("journal.transcript.usage.BLOCK", block)
    world = make_world(inline=True)
    world.start()
    directory = str(world.directory)
    assert not is_announced(directory, "")
    with Writer(directory, world.iso) as writer:
        writer.append({"type": "advice.given", "v": 1, "sid": world.sid, "what": "answers-off"})
        writer.append({"type": "prompt.submitted", "v": 1, "sid": "b", "text": "answers-off"})
        assert is_announced(directory, world.sid)
        assert is_announced(directory, "")
        assert not is_announced(directory, "b")
