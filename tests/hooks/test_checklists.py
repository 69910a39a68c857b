"""A unit's items follow its checklist file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cases.world import World

LIST = "# Cart\n\n- [ ] codes\n- [ ] tests\n"


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """A session with a unit of work whose checklist is `plan.md`."""
    made = make_world(inline=True)
    (made.project / "plan.md").write_text(LIST)
    made.start()
    made.order("unit", "start", "Cart", "--items", "plan.md")
    return made


def edit(world: World, text: str, name: str = "plan.md", **more: str) -> None:
    """Write a file of the project as Claude would."""
    path: Path = world.project / name
    path.write_text(text)
    world.tool("Write", file_path=str(path), **more)


def checked(world: World) -> list[tuple[str, bool]]:
    """Return (item, done) of the events that checked items."""
    return [(event["item"], event.get("done", True)) for event in world.events("unit.item.checked")]


def test_an_edit_checks_items_off(world: World) -> None:
    """A checked box is one event; unchecking it is another; the same text again is none."""
    edit(world, LIST.replace("[ ] codes", "[x] codes"))
    edit(world, LIST.replace("[ ] codes", "[x] codes"))
    assert checked(world) == [("codes", True)]
    edit(world, LIST)
    assert checked(world) == [("codes", True), ("codes", False)]


@pytest.mark.parametrize("case", ["another file", "a subagent", "finished", "another session"])
def test_only_the_sessions_own_open_units_change(world: World, case: str) -> None:
    """Another file, a subagent, a finished unit and another session check nothing off."""
    if case == "finished":
        world.order("unit", "finish")
    before = len(checked(world))
    done = LIST.replace("[ ]", "[x]")
    if case == "another file":
        edit(world, done, "other.md")
    elif case == "a subagent":
        edit(world, done, agent_id="x")
    elif case == "another session":
        edit(world, done, sid="another-session")
    else:
        edit(world, done)
    assert len(checked(world)) == before


def test_what_changed_elsewhere_is_read_before_a_compaction(world: World) -> None:
    """A box that an editor checked counts at the next PreCompact."""
    (world.project / "plan.md").write_text(LIST.replace("[ ] tests", "[x] tests"))
    world.prompt()
    assert checked(world) == []
    world.compacting()
    assert checked(world) == [("tests", True)]


def test_a_file_that_is_gone_changes_nothing(world: World) -> None:
    """Items stay as they are while the file cannot be read."""
    (world.project / "plan.md").unlink()
    world.compacting()
    assert checked(world) == []
