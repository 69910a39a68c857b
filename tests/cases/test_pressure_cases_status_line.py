"""PX02 to PX10, XX08 with the status line: its readings warn as those of the transcript do."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.world import World

CASES = Table()


@CASES.case("PX02-bridge")
def info_from_the_status_line(world: World) -> None:
    """A reading from the status line alone leads to the same notice."""
    world.start()
    assert world.bridge(65)
    reply = world.prompt()
    for part in ("info", "22.2% left until compaction", "130,000 of 167,000"):
        assert part in reply.context, part
    assert world.one("pressure.sampled")["source"] == "statusline"


@CASES.case("PX03-bridge")
def urgent_from_the_status_line(world: World) -> None:
    """With the status line alone, info and then urgent are reported once each."""
    world.start()
    world.bridge(65)
    assert "info" in world.prompt().context
    world.bridge(78)
    assert "urgent" in world.prompt().context
    assert [event["level"] for event in world.events("advice.given")] == ["info", "urgent"]


@CASES.case("PX04-bridge", silent_beside="PX02-bridge")
def calm_by_the_status_line(world: World) -> None:
    """At 45 % by the status line there is no notice."""
    world.start()
    world.bridge(45)
    assert not world.prompt().out


@CASES.case("PX05-bridge", silent_beside="PX02-bridge")
def status_updates_do_not_rearm(world: World) -> None:
    """Three status updates and three prompts at 65 %, transcript included, give one notice."""
    world.start()
    world.bridge(65)
    assert world.prompt().context
    for percent in (65, 66, 65):
        world.bridge(percent)
        world.reading(65)
        assert not world.prompt().out
        world.stop()
    assert len(world.events("advice.given")) == 1


@CASES.case("newest-wins")
def newest_wins(world: World) -> None:
    """The newest reading counts, whatever its source, and no reading is recorded twice."""
    world.start()
    world.reading(40)
    world.prompt()
    world.after(seconds=30).bridge(65)
    assert "info" in world.prompt().context
    world.after(seconds=30).reading(78)
    assert "urgent" in world.tool().context
    world.bridge(78)
    world.tool()
    sampled = [event["tokens"] // 2000 for event in world.events("pressure.sampled")]
    assert sampled in ([40, 65, 78], [40, 65, 78, 78])


@CASES.case("PX10-bridge")
def again_by_the_status_line(world: World) -> None:
    """A drop seen only by the status line re-arms the levels."""
    world.start()
    world.bridge(65)
    assert world.prompt().context
    world.bridge(20)
    world.bridge(65)
    assert "info" in world.prompt().context


@CASES.case("XX08", silent_beside="PX02-bridge")
def unknown_is_not_zero(world: World) -> None:
    """Null percentages and the zeros after a compaction are unknown: no reading, no reset."""
    world.start()
    world.bridge(None)
    assert not world.prompt().out
    assert not world.events("pressure.sampled")
    assert "tokens" not in world.views()["pressure"].get("sessions", {}).get(world.sid, {})
    world.bridge(65)
    assert world.prompt().context
    for unknown in (None, 0):
        world.bridge(unknown)
        assert not world.prompt().out
    assert [event["tokens"] for event in world.events("pressure.sampled")] == [130_000]


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World, "PX03-bridge")
