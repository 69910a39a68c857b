"""PX01 to PX10: warnings by the readings of the transcript, each level once."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.world import OTHER, World

CASES = Table()


def warn(world: World, percent: float) -> None:
    """Record a reading of that size and let the hook warn about it."""
    world.reading(percent)
    assert world.prompt().context
    world.stop()


@CASES.case("PX01", silent_beside="PX02")
def no_reading(world: World) -> None:
    """Without a reading a prompt gets no warning."""
    world.start()
    assert not world.prompt().out


@CASES.case("PX02")
def info(world: World) -> None:
    """At 65 % of the window one notice names the room left and the reading, and suggests saving."""
    world.flow(3)
    world.start()
    tokens = world.reading(65)
    reply = world.prompt()
    left = "22.2% left until compaction"
    for part in ("info", left, f"{tokens:,} of 167,000", "3 work-log entries", "/journal:compound"):
        assert part in reply.context, part
    assert "urgent" not in reply.context
    assert left in reply.message
    assert "/journal:compound" in reply.message
    assert world.one("advice.given")["level"] == "info"


@CASES.case("PX02-unread")
def no_claim_about_what_was_not_read(world: World) -> None:
    """The notice does not call a work log empty that appeared within the turn."""
    world.start()
    world.prompt()
    world.flow(3)
    world.reading(65)
    reply = world.tool("Write", file_path=str(world.project / ".claude/context/progress.md"))
    assert "info" in reply.context
    assert "work log" not in reply.context


@CASES.case("PX03")
def urgent(world: World) -> None:
    """At 78 %, after the info notice, one urgent notice names the room left."""
    world.start()
    warn(world, 65)
    world.reading(78)
    reply = world.prompt()
    for part in ("urgent", "6.6% left until compaction", "156,000 of 167,000"):
        assert part in reply.context, part
    assert [event["level"] for event in world.events("advice.given")] == ["info", "urgent"]


@CASES.case("PX04", silent_beside="PX02")
def calm(world: World) -> None:
    """At 45 % there is no notice."""
    world.start()
    world.reading(45)
    assert not world.prompt().out
    assert world.one("pressure.sampled")["tokens"] == 90_000


@CASES.case("PX05", silent_beside="PX02")
def info_once(world: World) -> None:
    """The info notice is not repeated at 65 %, neither by a prompt nor by a tool call."""
    world.start()
    warn(world, 65)
    assert not world.prompt().out
    assert not world.tool().out
    world.reading(66)
    assert not world.prompt().out


@CASES.case("PX06", silent_beside="PX03")
def urgent_once(world: World) -> None:
    """The urgent notice given at 78 % is not repeated at 80 %."""
    world.start()
    warn(world, 78)
    world.reading(80)
    assert not world.prompt().out
    assert [event["level"] for event in world.events("advice.given")] == ["urgent"]


@CASES.case("PX06-past")
def past_the_threshold(world: World) -> None:
    """Past the threshold the person is not told to choose a moment: it may be too late."""
    world.start()
    world.reading(84)
    message = world.prompt().message
    assert "Claude Code may compact before its next answer" in message
    assert "/compact" not in message


@CASES.case("PX08", silent_beside="PX02")
def corrupt_reading(world: World) -> None:
    """A corrupt transcript gives no reading: no output, exit 0, and the prompt is recorded."""
    world.start()
    world.reading(65)
    world.transcript().write_bytes(b'{"type":"assistant","usage":\x00\xff{{{\n' * 50)
    assert not world.prompt().out
    assert world.events("prompt.submitted")
    assert not world.events("pressure.sampled")


@CASES.case("PX08-snapshot")
def corrupt_snapshot(world: World) -> None:
    """A corrupt snapshot only costs time: the level is still reported, once."""
    world.start()
    (world.directory / "snapshot").write_bytes(b"\x00rubbish" * 4096)
    warn(world, 65)
    (world.directory / "snapshot").write_bytes(b"")
    assert not world.prompt().out
    (world.directory / "snapshot").unlink()
    world.reading(78)
    assert "urgent" in world.prompt().context


@CASES.case("PX10")
def again_after_a_drop(world: World) -> None:
    """After the reading has fallen below a level, crossing the level is reported again."""
    world.start()
    warn(world, 65)
    world.reading(20)
    assert not world.prompt().out
    world.stop()
    world.reading(65)
    assert "info" in world.prompt().context


@CASES.case("PX10-compaction")
def again_after_a_compaction(world: World) -> None:
    """After a compaction a level is reported again, even if no reading below it was taken."""
    world.start()
    warn(world, 65)
    world.compact()
    world.after(seconds=5).reading(66)
    assert "info" in world.prompt().context


@CASES.case("PX10-between", silent_beside="PX10")
def between_the_levels(world: World) -> None:
    """Falling from urgent to info and staying there does not repeat the info notice."""
    world.start()
    warn(world, 78)
    world.reading(65)
    assert not world.prompt().out
    world.stop()
    world.reading(78)
    assert "urgent" in world.prompt().context


@CASES.case("mid-turn")
def mid_turn(world: World) -> None:
    """A level crossed within a turn is reported at the next tool call, the turn's last chance."""
    world.start()
    world.reading(45)
    world.prompt()
    world.reading(78)
    assert "urgent" in world.tool("Read", file_path="x").context
    assert not world.tool("Read", file_path="y").out


@CASES.case("subagent", silent_beside="mid-turn")
def in_a_subagent(world: World) -> None:
    """A subagent's tool calls are recorded and never get a warning."""
    world.start()
    world.reading(78)
    assert not world.tool(agent_id="a1").out
    assert world.one("tool.finished")["agent"] == "a1"
    assert "urgent" in world.tool().context


@CASES.case("stale", silent_beside="fresh")
def stale(world: World) -> None:
    """A reading older than five minutes of activity counts as unknown."""
    world.start()
    world.reading(65)
    world.after(seconds=310)
    assert not world.prompt().out


@CASES.case("fresh")
def fresh(world: World) -> None:
    """A reading that is old only because the person was away still counts."""
    world.start()
    world.reading(65)
    world.stop()
    world.after(hours=3)
    assert "info" in world.prompt().context


@CASES.case("foreign", silent_beside="PX02")
def foreign(world: World) -> None:
    """A reading of one session is not used for another session of the same project."""
    world.start()
    world.start(sid=OTHER)
    world.reading(78)
    assert not world.prompt(sid=OTHER).out
    assert "urgent" in world.prompt().context


@CASES.case("compound-quiets", silent_beside="PX03")
def compound_quiets(world: World) -> None:
    """A compound answers the urgent notice; only a later reading brings it back."""
    world.flow(2)
    world.start()
    world.prompt()
    world.reading(78)
    world.stop()
    world.compound()
    assert not world.prompt().out
    world.after(seconds=2).reading(79)
    assert "urgent" in world.prompt().context


@CASES.case("XX08-compacted", silent_beside="PX10-compaction")
def unknown_after_a_compaction(world: World) -> None:
    """Between a compaction and the next reply the pressure is unknown, whatever it was before."""
    world.start()
    world.bridge(78)
    assert world.prompt().context
    world.compact()
    world.bridge(None)
    assert not world.prompt().out
    gauge = world.views()["pressure"]["sessions"][world.sid]
    assert "tokens" not in gauge
    assert gauge["unknown"]


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World, "PX02")
