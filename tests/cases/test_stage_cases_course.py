"""DC25, DC30: how a dev cycle begins, what a compaction says of it, and where it is resumed."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.workshop import THIRD, Workshop
from tests.cases.world import OTHER

CASES = Table()


@CASES.case("DC25")
def started_by_its_command(world: Workshop) -> None:
    """The explicit command starts one cycle, however often it comes and by whichever event."""
    world.start()
    for text in ("/journal:dev-cycle", "/dev-cycle", "/journal:dev-cycle add discounts"):
        world.prompt(text)
        world.hook("UserPromptExpansion", expansion_type="slash_command", command_args="",
                   command_name="journal:dev-cycle", command_source="plugin", prompt=text,
                   prompt_id=f"prompt-{world.turns}")  # fmt: skip
        world.order("stage", "start")
    assert len(world.events("stage.started")) == 1
    view = world.view("stage")
    assert (view["stage"], view["open"], view["status"]) == ("sprint", True, "open")
    world.left(80)
    assert "sprint is still open" in world.stop().context


@CASES.case("DC25-mention", silent_beside="DC25")
def mentioned(world: Workshop) -> None:
    """Mentioning the command does not run it: in a question, a list or another command's name."""
    world.start()
    for text in ("what does dev-cycle mean?", "what does /journal:dev-cycle do?", "dev-cycle",
                 "run /dev-cycle", " /dev-cycle", "/dev-cycles", "/other:dev-cycle",
                 "/dev-cycle-status", "<task-notification>/dev-cycle", "", "/"):  # fmt: skip
        assert not world.prompt(text).out
    world.tool("Skill", {"success": True}, skill="dev-cycle-help")
    assert not world.stop().out
    assert world.view("stage")["status"] == "none"


@CASES.case("DC30")
def told_after_a_compaction(world: Workshop) -> None:
    """SessionStart(compact), which the model reads, names the stage; PostCompact prints nothing."""
    world.start()
    world.order("stage", "start")
    assert not world.compacting().out
    text = world.start("compact").context
    assert "stage sprint, open" in text
    assert not world.compacted().out
    assert world.view("stage")["review_rounds"] == 2


@CASES.case("DC30-stopped")
def stopped_before_a_compaction(world: Workshop) -> None:
    """A cycle that stopped for lack of room is named after the compaction that made room."""
    world.start()
    world.left(80)
    world.done("sprint")
    world.order("stage", "stop", "--reason", "context_budget")
    text = world.compact().context
    assert "was stopped at sprint (too little context was left, " in text
    assert "left to do: audit, ship, retrospective. If the user wants to continue" in text
    assert "`journal stage resume`" in text


@CASES.case("DC30-guidance")
def told_to_the_summary(world: Workshop) -> None:
    """With guidance on, the compaction is asked to keep the stage in its summary."""
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.order("stage", "start")
    assert "stage sprint" in world.compacting().out


@CASES.case("DC30-none", silent_beside="DC30-guidance")
def nothing_to_tell(world: Workshop) -> None:
    """Without a cycle no stage is named, and three review rounds are the rule."""
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.prompt("add codes")
    assert not world.compacting().out
    assert "stage" not in world.start("compact").context
    assert not world.compacted().out
    assert world.view("stage")["review_rounds"] == 3


@CASES.case("resumed")
def resumed_elsewhere(world: Workshop) -> None:
    """A start names a stopped cycle; resumed by command, it ends in the session it came from."""
    world.start()
    world.left(20)
    world.done("sprint")
    world.stop()
    world.end()
    offered = world.start(sid=OTHER).context
    assert "journal stage resume" in offered
    assert "stage sprint (stopped" in offered
    world.order("stage", "resume", sid=OTHER)
    assert world.cycle()["moved_to"] == OTHER
    assert (world.cycle(OTHER)["stage"], len(world.cycle(OTHER)["spans"])) == ("audit", 2)
    assert "journal stage resume" not in world.start(sid=THIRD).text
    world.left(80, sid=OTHER)
    assert "journal stage finish audit" in world.stop(sid=OTHER).context
    world.prompt()
    assert not world.stop().out


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop)
