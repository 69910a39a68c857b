"""What the summary of a compaction lost is told once: as early as the summary is known."""

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
    """Give a session that changed two files and took a decision, about to be compacted."""
    made = World(tmp_path, inline=True)
    made.start()
    for name in ("cart.py", "discount.py"):
        made.tool("Write", file_path=str(made.project / name), content="x")
    made.append({"type": "decision.recorded", "v": 1, "sid": made.sid, "text": DECISION})
    return made


def injected(world: World) -> list[str]:
    """Name what Claude was told, the request to keep the decision in the summary left out."""
    kinds = [event["what"] for event in world.events("context.injected")]
    return [kind for kind in kinds if kind != "guidance"]


def fork(world: World, summary: str) -> None:
    """Let the compaction's own subagent end, which carries the summary before anything else."""
    reply = world.hook("SubagentStop", agent_id="a1", agent_type="", last_assistant_message=summary)
    assert not reply.out


def test_with_the_recovery_when_the_summary_came_before(world: World) -> None:
    """The compaction's subagent carries the summary early: the recovery says what it lost."""
    world.compacting()
    fork(world, POOR)
    said = world.start("compact").context
    assert "does not mention" in said
    assert said.index(DECISION) < said.index("discount.py")
    world.hook("PostCompact", trigger="auto", compact_summary=POOR)
    assert "does not mention" not in world.prompt().said


@pytest.mark.parametrize("first", ["prompt", "tool"])
def test_at_the_next_chance_when_it_came_after(world: World, first: str) -> None:
    """PostCompact lands after the recovery: the first prompt or tool call tells it, once."""
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
    """A summary that mentions everything is no news."""
    world.compacting()
    fork(world, RICH)
    assert "does not mention" not in world.start("compact").context
    world.hook("PostCompact", trigger="auto", compact_summary=RICH)
    assert not world.prompt().said
    assert injected(world) == ["recovery"]


def test_another_session_hears_nothing_of_it(world: World) -> None:
    """What one session's summary lost is told to that session alone."""
    world.compacting()
    world.start("compact")
    world.hook("PostCompact", trigger="auto", compact_summary=POOR)
    world.start(sid=OTHER)
    assert not world.prompt(sid=OTHER).said
    assert DECISION in world.prompt().said
