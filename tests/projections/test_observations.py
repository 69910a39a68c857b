"""Tool calls are recorded as bounded observations, even for unknown sessions or a held lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.log.append import Writer
from projections.digests import PROJECTION
from projections.fold import Fold
from tests.cases.table import OPTIONS
from tests.cases.world import OTHER, SID, World

if TYPE_CHECKING:
    from pathlib import Path

    from projections.digest import Digest

NOW = "2026-11-22T08:00:00.000Z"
MOST = 2048  # limit of one observation in bytes, whatever the tool returned


@pytest.fixture(
    params=[
        pytest.param(how, id=kind, marks=[] if kind == "inline" else [pytest.mark.long])
        for kind, how in OPTIONS.items()
    ]
)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    """A person's machine, in this process and by the command."""
    return World(tmp_path, **request.param)


def digests(world: World) -> dict[str, Digest]:
    """Return the digests of the world's sessions."""
    return Fold([PROJECTION]).feed(world.records()).states["digests"].sessions


def size(world: World, kind: str) -> int:
    """Return the size in bytes of the last record of a type."""
    return len(next(line for _, line in reversed(world.records()) if f'"{kind}"'.encode() in line))


def test_a_tool_call_is_an_observation(world: World) -> None:
    """CN05: a tool call is recorded with tool and command; its output as size and digest."""
    world.start()
    assert not world.tool(command="ls", response={"stdout": "cart.py\n" * 4000}).out
    event = world.one("tool.finished")
    assert (event["tool"], event["target"], event["output_size"]) == ("Bash", "ls", 32_000)
    assert size(world, "tool.finished") < MOST
    assert digests(world)[SID].session.tools == 1


def test_a_session_nobody_started(world: World) -> None:
    """CN06: a call of an unknown session is recorded, and the session exists from then on."""
    assert not world.tool(command="ls", sid=OTHER).out
    assert world.one("tool.finished")["sid"] == OTHER
    found = digests(world)[OTHER]
    assert (found.session.tools, found.session.started[:10]) == (1, "2026-11-21")
    world.start(sid=OTHER)
    assert list(digests(world)) == [OTHER]


def test_a_start_of_a_known_session(world: World) -> None:
    """CN03: a resumed session is the same session, listed once, with all it had."""
    world.start()
    world.prompt("make it right")
    world.end()
    world.start("resume")
    (found,) = digests(world).values()
    assert (found.prompts, found.session.sources) == (["make it right"], ["startup", "resume"])
    assert found.session.ended == ""


def test_the_store_is_held_by_another(world: World) -> None:
    """CN07: exit 0 and no output while nobody can append; the event is recorded afterwards."""
    world.start()
    with Writer(str(world.directory), NOW):
        reply = world.tool(command="ls")
    assert (reply.code, reply.out) == (0, "")
    world.tool(command="pwd")
    assert [event["target"] for event in world.events("tool.finished")] == ["ls", "pwd"]


@pytest.mark.parametrize("length", [501, 5_000, 200_000])
def test_a_title_that_is_too_long(length: int, world: World) -> None:
    """CN08: a title that is too long is cut and recorded, not refused or lost."""
    world.start()
    assert not world.tool(command="echo " + "x" * length).out
    event = world.one("tool.finished")
    assert event["target"].startswith("echo xxx")
    assert len(event["target"]) <= 200
    assert size(world, "tool.finished") < MOST


@pytest.mark.parametrize("sid", ["a@#!/../b", "x" * 300, "改行\n", ""])
def test_an_id_of_any_form(sid: str, world: World) -> None:
    """CN04: no id becomes a path, a broken record or a second session; an empty id is none."""
    world.start(sid=sid)
    world.tool(command="ls", sid=sid)
    found = digests(world)
    assert len(found) == (1 if sid else 0)
    assert len(world.events("tool.finished")) == 1
    assert sorted(path.name for path in world.base.iterdir()) == ["home"]
