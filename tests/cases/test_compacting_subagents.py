"""A summary belongs to the thread whose compaction it is of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cases.world import World

SUB = {"agent_id": "a1", "agent_type": "Explore"}


def forked(world: World, summary: str) -> None:
    """Deliver a summary as Claude Code does first: by a fork with an id of its own."""
    world.hook("SubagentStop", agent_id="fork", agent_type="", stop_hook_active=False,
               last_assistant_message=f"<summary>{summary}</summary>")  # fmt: skip


def agents(world: World) -> list[str]:
    """List the threads of the summaries so far, "" for the main one."""
    return [event.get("agent", "") for event in world.events("compact.summarized")]


def test_a_subagent_has_its_summary(world: World) -> None:
    """What a subagent's compaction keeps is no summary of the session."""
    world.worked()
    world.compacting()
    forked(world, "MAIN-1")
    world.start("compact")
    world.compacted(summary="MAIN-1")
    world.compacting(**SUB)
    forked(world, "SUB-1")
    world.compacted(summary="SUB-1", **SUB)
    assert agents(world) == ["", "a1"]
    assert "SUB-1" not in json.dumps(world.view("recovery"))
    world.end()
    assert "SUB-1" not in world.run("get", world.sid).out


def test_a_compaction_that_failed_takes_no_later_summary(world: World) -> None:
    """The summary belongs to the newest compaction without one; a failed one may precede it."""
    world.worked()
    world.compacting()  # fails
    world.compacting(**SUB)
    forked(world, "SUB-1")
    world.after(minutes=1).compacting(**SUB)  # fails
    world.after(minutes=1).compacting()
    forked(world, "MAIN-1")
    text = world.start("compact").context
    assert agents(world) == ["a1", ""]
    assert f"journal #{world.events('compact.summarized')[-1]['seq']}" in text


def test_two_threads_compact_at_once(world: World) -> None:
    """Each of two summaries goes to a thread of its own."""
    world.worked()
    world.compacting()
    world.compacting(**SUB)
    forked(world, "X")
    forked(world, "Y")
    assert sorted(agents(world)) == ["", "a1"]
