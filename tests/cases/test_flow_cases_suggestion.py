"""PX27 to PX33: when a Stop suggests to save the work log as learnings."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.world import World

CASES = Table()


@CASES.case("PX27", silent_beside="PX29")
def kept_going(world: World) -> None:
    """A Stop that a hook itself caused gets no answer, so there is no loop."""
    world.flow(3)
    world.worked()
    assert not world.stop(stop_hook_active=True).out
    assert world.events("turn.ended")[-1]["continued"] is True
    assert world.stop().message


@CASES.case("PX27-background", silent_beside="PX29")
def background(world: World) -> None:
    """A Stop while a background task still runs does not count as the end of the work."""
    world.flow(3)
    world.worked()
    task = {"id": "a", "type": "subagent", "status": "running"}
    assert not world.stop(background_tasks=[task]).out
    assert world.stop().message


@CASES.case("PX28", silent_beside="PX29")
def no_session(world: World) -> None:
    """A Stop without a session, or with invalid JSON, prints nothing."""
    world.flow(3)
    world.start()
    for sid in ("", ...):
        assert not world.hook("Stop", session_id=sid, stop_hook_active=False).out
    assert not world.feed(b"{nonsense", "Stop").out
    assert world.one("hook.failed")["error"]


@CASES.case("PX29")
def suggests(world: World) -> None:
    """The person gets the suggestion to promote once per lineage; it never blocks."""
    world.flow(3)
    world.worked()
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    for part in ("3 work-log entries", "not saved as learnings", "/journal:compound"):
        assert part in reply.message, part
    world.prompt()
    assert not world.stop().out
    world.end("clear")
    fresh = "33333333-aaaa-4bbb-8ccc-000000000003"
    world.start("clear", sid=fresh)
    world.prompt(sid=fresh)
    assert not world.stop(sid=fresh).out


@CASES.case("PX29-first", silent_beside="PX29")
def not_the_first_turn(world: World) -> None:
    """A first turn, and each turn of a session that changed nothing, ends without a suggestion."""
    world.flow(3)
    world.start()
    for _ in range(3):
        world.prompt()
        world.tool("Read", file_path=str(world.project / "cart.py"))
        assert not world.stop().out


@CASES.case("PX29-compound", silent_beside="PX29")
def not_after_its_own_command(world: World) -> None:
    """The turn that runs /journal:compound gets no suggestion; the next turn does."""
    world.flow(3)
    world.worked()
    world.hook("UserPromptExpansion", command_name="journal:compound", command_args="",
               expansion_type="slash_command", prompt="/journal:compound")  # fmt: skip
    assert not world.stop().out
    world.prompt()
    assert world.stop().message


@CASES.case("PX29-again")
def suggests_after_work(world: World) -> None:
    """Work after a compound brings the suggestion back: one promotion does not end it for good."""
    world.flow(3)
    world.worked()
    assert world.stop().message
    world.compound()
    world.prompt()
    assert not world.stop().out
    world.flow(5, newest=22)
    world.prompt()
    assert "2 work-log entries" in world.stop().message


@CASES.case("PX29-phase")
def after_a_phase(world: World) -> None:
    """After a phase has ended the suggestion goes to the model."""
    world.flow(3)
    world.start()
    world.prompt()
    world.tool("Skill", skill="praxis:implement")
    reply = world.stop()
    assert '"implement" phase' in reply.context
    assert "decision" not in reply.output


@CASES.case("PX31")
def check_not_used(world: World) -> None:
    """A design workflow that skips its understanding check gets one reminder."""
    world.start()
    world.prompt()
    world.tool("Skill", skill="praxis:design")
    reply = world.stop()
    assert "understanding-check" in reply.message
    assert "decision" not in reply.output
    world.prompt()
    assert not world.stop().out


@CASES.case("PX31-used", silent_beside="PX31")
def check_used(world: World) -> None:
    """There is no reminder once the check was used, under any plugin's name."""
    world.start()
    world.prompt()
    world.tool("Skill", skill="design")
    world.tool("Skill", skill="praxis:understanding-check")
    assert not world.stop().out


@CASES.case("PX31-alike", silent_beside="PX31")
def look_alikes(world: World) -> None:
    """Skills whose names only look similar are not taken for the check."""
    world.start()
    world.prompt()
    for name in ("designer", "re-design", "praxis:design-notes", "design:praxis"):
        world.tool("Skill", skill=name)
    assert not world.stop().out


@CASES.case("PX32")
def two_skills(world: World) -> None:
    """Two skills make two events, in order."""
    world.start()
    world.tool("Skill", skill="praxis:X")
    world.tool("Skill", skill="Y")
    assert [event["target"] for event in world.events("tool.finished")] == ["praxis:X", "Y"]
    assert world.views()["compound"]["sessions"][world.sid]["used"] == ["Y", "praxis:X"]


@CASES.case("PX33", silent_beside="PX31")
def no_skill(world: World) -> None:
    """Without a session or a skill name no skill event is recorded, and nothing fails."""
    world.start()
    world.tool("Skill", sid="", skill="design")
    for skill in ("", " ", None, 7, ["design"]):
        assert not world.tool("Skill", skill=skill).out
    world.tool("Skill", other="design")
    assert not world.feed(b'{"hook_event_name":"PostToolUse",', "PostToolUse").out
    assert world.views()["compound"].get("sessions", {}) == {}
    assert not world.stop().out


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World)
