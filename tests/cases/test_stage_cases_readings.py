"""DC02 to DC07, DC13, DC14, DC17: how much context a dev cycle has left, and which reading says so.

A reading comes from the status line (the documented source), from the transcript, or, in cases
about it, from a `context_window` in a hook's input, which the client does not send today.
"""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.workshop import Workshop
from tests.cases.world import OTHER, SID

CASES = Table()


def used(percent_left: object) -> dict:
    """Build the context_window of a hook input that has one."""
    return {
        "context_window": {"context_window_size": 200_000, "remaining_percentage": percent_left}
    }


@CASES.case("DC02")
def a_reading_is_kept(world: Workshop) -> None:
    """A reading is stored with its time; the view shows it with the stage it was taken in."""
    world.start()
    world.order("stage", "start")
    world.left(65.3)
    world.tool(command="ls")
    assert world.one("pressure.sampled")["tokens"] == 57_949
    view = world.view("stage")
    assert (view["stage"], view["remaining"]) == ("sprint", 65.3)
    assert view["read_at"].startswith("2026-11-21T09:00:0")
    assert "65.3% left until compaction" in world.order("stage", "status").out


@CASES.case("DC02-hook-input")
def a_reading_in_the_input(world: Workshop) -> None:
    """A reading in a tool call's own input is stored too, in case the client ever sends it."""
    world.start()
    world.order("stage", "start")
    world.tool()
    world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t",
               tool_response={"stdout": ""}, **used(65.3))  # fmt: skip
    assert world.one("pressure.sampled")["source"] == "hook"
    assert world.view("stage")["remaining"] == 58.4


@CASES.case("DC03")
def the_documented_input(world: Workshop) -> None:
    """The documented payload has no budget: the gate and the status call the budget unknown."""
    world.start()
    world.done("sprint")
    world.tool(command="ls")
    assert not world.events("pressure.sampled")
    view = world.view("stage")
    assert (view["remaining"], view["room"]) == (None, None)
    assert view["unknown"]
    assert "unknown" in world.order("stage", "status").out
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    assert "unknown" in reply.message
    world.prompt()
    assert not world.stop().out


@CASES.case("DC03-transcript")
def another_source(world: Workshop) -> None:
    """Without the status line, the last usage in the transcript is the reading."""
    world.start()
    world.done("sprint")
    world.reading(20)
    assert "journal stage start audit" in world.stop().context
    assert world.one("pressure.sampled")["source"] == "transcript"


@CASES.case("DC04")
def readings_side_by_side(world: Workshop) -> None:
    """Readings 5 s and 31 s apart are both recorded (no throttle is needed); the newest counts."""
    world.start()
    world.order("stage", "start")
    world.left(60)
    world.after(seconds=4).left(10)
    world.after(seconds=30).left(9)
    assert [e["tokens"] for e in world.events("pressure.sampled")] == [66_800, 150_300, 151_970]
    world.left(9)
    assert len(world.events("pressure.sampled")) == 3
    assert world.view("stage")["remaining"] == 9.0


@CASES.case("DC05", silent_beside="DC02-hook-input")
def other_tools(world: Workshop) -> None:
    """Agent, Skill and MCP tools are recorded like any other, without error and without reading."""
    world.start()
    world.order("stage", "start")
    for name in ("Agent", "Skill", "mcp__x__y"):
        world.tool(name, {"status": "completed"}, description="d", skill="tidy")
    assert [event["tool"] for event in world.events("tool.finished")] == [
        "Agent", "Skill", "mcp__x__y",
    ]  # fmt: skip
    assert not world.events("pressure.sampled", "hook.failed")
    assert world.cycle()["stage"] == "sprint"


@CASES.case("DC06")
def corrupt_store(world: Workshop) -> None:
    """A corrupt snapshot does no harm: the next reading is taken and acted on."""
    world.start()
    world.done("sprint")
    world.left(20)
    (world.directory / "snapshot").write_bytes(b'{"remaining": \x00\xff' * 300)
    world.left(65.3)
    world.tool(command="ls")
    assert world.view("stage")["remaining"] == 65.3
    assert "65.3%" in world.stop().context


@CASES.case("DC07", silent_beside="DC02-hook-input")
def no_number(world: Workshop) -> None:
    """A remaining percentage that is not a number, or impossible, is not a reading."""
    world.start()
    world.order("stage", "start")
    for value in ("x", "65", None, True, [], -1, 101, {"a": 1}):
        assert not world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"},
                              tool_response={}, tool_use_id=f"t{value}", **used(value)).out  # fmt: skip
    assert not world.events("pressure.sampled")
    assert world.view("stage")["remaining"] is None


@CASES.case("DC13")
def young_enough(world: Workshop) -> None:
    """A reading 100 s old is used, on both sides of the threshold."""
    for sid, left in ((SID, 3), (OTHER, 80)):
        world.start(sid=sid)
        world.done("sprint", sid=sid)
        world.prompt(sid=sid)
        world.left(left, sid=sid)
        world.after(seconds=99)
        world.stop(sid=sid)
    assert world.cycle()["status"] == "stopped"
    assert world.cycle(OTHER)["asked"] == ["next:audit"]


@CASES.case("DC13-open")
def too_old_for_an_open_stage(world: Workshop) -> None:
    """With an old reading the gate still asks about an open stage, and says the room is unknown."""
    world.start()
    world.order("stage", "start")
    world.prompt()
    world.left(3)
    world.after(seconds=300)
    assert "It is unknown how much context is left" in world.stop().context
    world.start(sid=OTHER)
    world.left(80, sid=OTHER)
    world.order("stage", "start", sid=OTHER)
    assert "unknown" not in world.stop(sid=OTHER).context


@CASES.case("DC13-stale")
def too_old(world: Workshop) -> None:
    """A reading 301 s old is unknown: no question, no stop, and one message to the person."""
    world.start()
    world.done("sprint")
    world.prompt()
    world.left(3)
    world.after(seconds=300)
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    assert "unknown" in reply.message
    assert not world.events("stage.stopped")


@CASES.case("DC14")
def newest_wins(world: Workshop) -> None:
    """A reading in the Stop's own input takes precedence over a stored one, however recent."""
    world.start()
    world.done("sprint")
    world.left(3)
    assert "journal stage start audit" in world.stop(**used(80)).context
    assert not world.events("stage.stopped")


@CASES.case("DC14-transcript")
def newest_of_two(world: Workshop) -> None:
    """So does the transcript's last reply: the status line's figure is from the turn before."""
    world.start()
    world.done("sprint")
    world.left(80)
    world.reading(80.995)
    assert "3.0%" in world.stop().message
    assert world.one("stage.stopped")["remaining"] == 3.0


@CASES.case("DC17")
def not_a_number(world: Workshop) -> None:
    """A Stop whose percentage is not a number counts as one without a reading, and says unknown."""
    world.start()
    world.done("sprint")
    reply = world.stop(**used("n/a"))
    assert "unknown" in reply.message
    assert not world.events("stage.stopped", "hook.failed")


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop)
