"""What a compaction's summary left out is reported once, as soon as the summary is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cases.world import OTHER, World

if TYPE_CHECKING:
    from pathlib import Path

DECISION = "Prices are rounded to cents once, in cart.total"
POOR = "<analysis>scratch: discount.py</analysis><summary>Worked on cart.py.</summary>"
RICH = f"<summary>Worked on cart.py and discount.py. {DECISION}.</summary>"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A session that changed two files, made a decision and is about to be compacted."""
    made = World(tmp_path, inline=True)
    made.start()
    for name in ("cart.py", "discount.py"):
        (made.project / name).write_text("x", encoding="utf-8")
        made.tool("Write", file_path=str(made.project / name), content="x")
    made.append({"type": "decision.recorded", "v": 1, "sid": made.sid, "text": DECISION})
    return made


def injected(world: World) -> list[str]:
    """List the texts put before Claude, except the request to keep the decision in the summary."""
    kinds = [event["what"] for event in world.events("context.injected")]
    return [kind for kind in kinds if kind != "guidance"]


def fork(world: World, summary: str) -> None:
    """End the compaction's own subagent, which delivers the summary before any other hook."""
    reply = world.hook("SubagentStop", agent_id="a1", agent_type="", last_assistant_message=summary)
    assert not reply.out


def test_with_the_recovery_when_the_summary_came_before(world: World) -> None:
    """If the summary comes before the recovery, the recovery says what the summary left out."""
    world.compacting()
    fork(world, POOR)
    said = world.start("compact").context
    assert "does not mention" in said
    assert said.index(DECISION) < said.index("discount.py")
    world.hook("PostCompact", trigger="auto", compact_summary=POOR)
    assert "does not mention" not in world.prompt().text


@pytest.mark.parametrize("first", ["prompt", "tool"])
def test_at_the_next_chance_when_it_came_after(world: World, first: str) -> None:
    """If PostCompact comes after the recovery, the next prompt or tool call reports it, once."""
    world.compacting()
    assert "does not mention" not in world.start("compact").context
    world.hook("PostCompact", trigger="auto", compact_summary=POOR)
    said = getattr(world, first)().context
    assert DECISION in said
    assert "discount.py" in said
    assert "cart.py" not in said.replace(DECISION, "")
    assert not world.prompt().context
    assert injected(world) == ["recovery", "dropped"]


def test_silent_when_nothing_was_lost(world: World) -> None:
    """A summary that mentions everything leads to no report, at no compaction."""
    for _ in range(2):
        world.compacting()
        fork(world, RICH)
        assert not world.start("compact").context
        world.hook("PostCompact", trigger="auto", compact_summary=RICH)
    assert not world.prompt().text
    assert injected(world) == []


def test_another_session_hears_nothing_of_it(world: World) -> None:
    """What one session's summary left out is reported to that session alone."""
    world.compacting()
    world.start("compact")
    world.hook("PostCompact", trigger="auto", compact_summary=POOR)
    world.start(sid=OTHER)
    assert not world.prompt(sid=OTHER).text
    assert DECISION in world.prompt().text


@pytest.mark.parametrize("comes", ["before", "after"])
def test_a_file_that_is_gone_is_not_told_as_changed(world: World, comes: str) -> None:
    """A changed file that no longer exists at the compaction is told as gone, with no summary too."""
    (world.project / "discount.py").unlink()
    world.compacting()
    if comes == "before":
        fork(world, POOR)
    said = world.start("compact").context
    assert "Changed, not in the working tree now: discount.py" in said
    assert ("Files changed: cart.py" in said) == (comes == "after")
    world.hook("PostCompact", trigger="auto", compact_summary=POOR)
    assert "discount.py" not in world.prompt().text
