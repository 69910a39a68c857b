"""After /clear: a compaction gives back what it dropped, nothing of the conversation before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.world import OTHER

if TYPE_CHECKING:
    from tests.cases.world import World

FAILED = {"tool_name": "Bash", "tool_input": {"command": "pytest imports"}, "tool_use_id": "t1",
          "error": "Exit code 1\nFAILED imports - assert 3 == 4"}  # fmt: skip


def worked(world: World) -> None:
    """Work on an importer, which leaves a request, a file, a failure and a decision."""
    world.start()
    world.prompt("Write the importer of suppliers and never touch legacy.py")
    world.tool("Write", file_path=str(world.project / "imports.py"))
    world.hook("PostToolUseFailure", **FAILED)
    world.order("decide", "Prices are cents")
    world.stop(last_assistant_message="The importer is half done.")


def test_a_cleared_conversation_does_not_come_back(world: World) -> None:
    """Decisions hold on; requests, files and failures from before /clear are not told."""
    worked(world)
    world.end("clear")
    world.sid = OTHER
    world.start("clear")
    world.prompt("Write a post about the sale of this summer")
    world.tool("Write", file_path=str(world.project / "post.md"))
    world.stop()
    world.compacting()
    text = world.start("compact").context
    for part in ("Prices are cents", "post.md", "sale of this summer"):
        assert part in text
    for part in ("importer", "legacy.py", "imports.py", "pytest"):
        assert part not in text


def test_a_decision_of_the_terminal_reaches_the_session_that_goes_on(world: World) -> None:
    """A session that continues an ended one is not over itself."""
    worked(world)
    world.end("clear")
    world.sid = OTHER
    world.start("clear")
    world.prompt("Write a post about the sale of this summer")
    world.order("decide", "Posts are short", sid=None)
    assert "Posts are short" in world.prompt("go on").context
