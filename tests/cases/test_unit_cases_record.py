"""PL03 to PL05, PL09 to PL11: what the journal records of a unit of work by itself."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.units import SECOND, begin, trail
from tests.cases.workshop import Workshop
from tests.cases.world import SID

CASES = Table()


def checkpointed(world: Workshop, trigger: str) -> None:
    """A compaction saves one checkpoint, whatever triggered it."""
    world.start()
    begin(world)
    world.compacting(trigger)
    assert [e["cause"] for e in world.events("checkpoint.saved")] == ["compact"]
    assert world.one("compact.started")["trigger"] == trigger
    assert trail(world)["checkpoint"] == f"cp-{world.one('checkpoint.saved')['seq']}"
    assert "user-entity" in world.start("compact").context


for _name, _trigger in (("PL03", "auto"), ("PL04", "manual")):

    def _checkpointed(world: Workshop, trigger: str = _trigger) -> None:
        checkpointed(world, trigger)

    _checkpointed.__doc__ = checkpointed.__doc__
    CASES.case(_name)(_checkpointed)


@CASES.case("PL03-levels")
def checkpointed_at_levels(world: Workshop) -> None:
    """Each pressure level that is crossed saves one checkpoint as well."""
    world.start()
    for percent, causes in ((45, 0), (65, 1), (66, 1), (78, 2), (79, 2)):
        world.reading(percent)
        world.prompt()
        assert len(world.events("checkpoint.saved")) == causes, percent
    assert {event["cause"] for event in world.events("checkpoint.saved")} == {"pressure"}


@CASES.case("PL05")
def counted_once(world: Workshop) -> None:
    """However many hooks report a compaction, each even twice, it counts once."""
    world.start()
    begin(world)
    for number in (1, 2):
        for _ in range(2):
            world.now -= SECOND
            world.compacting()
        world.hook("Notification", notification_type="compact", message="Compacting")
        fork = {"agent_id": "f", "agent_type": "", "stop_hook_active": False}
        for _ in range(2):
            world.now -= SECOND
            world.hook("SubagentStop", last_assistant_message="<summary>S</summary>", **fork)
        said = []
        for _ in range(2):
            world.now -= SECOND
            said.append(bool(world.start("compact").out))
        for _ in range(2):
            world.now -= SECOND
            world.compacted(summary=f"S{number}")
        world.hook("Notification", notification_type="idle_prompt", message="compacted")
        assert said[1] is False
        found = trail(world)
        assert (found["compactions"], found["attempts"]) == (number, number)
        assert world.view("recovery")["compactions"] == number
        assert len(world.events("checkpoint.saved")) == number
        assert world.views()["lineage"]["sessions"].keys() == {SID}
        world.after(minutes=1).stop()


@CASES.case("PL09")
def decided(world: Workshop) -> None:
    """Decisions and notes are events of the session; a decision names its unit of work."""
    world.start()
    world.order("decide", "Before any unit")
    assert "unit" not in world.one("decision.recorded")
    begin(world)
    world.order("decide", "Ids are", "UUIDs")
    event = world.one("decision.recorded")
    assert (event["text"], event["unit"], event["sid"]) == ("Ids are UUIDs", "user-entity", SID)
    world.order("note", "ask about the old ids")
    assert world.one("flow.noted")["text"] == "ask about the old ids"
    world.prompt("what about the old ids?")
    assert trail(world)["prompts"][0][1] == "what about the old ids?"


@CASES.case("PL09-refused", silent_beside="PL09")
def other_types(world: Workshop) -> None:
    """Input that is not such a command is refused, and nothing is written."""
    world.start()
    before = world.types()
    for words in (("decide", "  "), ("decide",), ("note", ""), ("escalate", "x"), ("event", "x"),
                  ("unit", "decide", "x"), ("unit", "start")):  # fmt: skip
        assert world.run(*words).code == 2, words
    assert world.types() == before


@CASES.case("PL10")
def failing_tests(world: Workshop) -> None:
    """Failing tests are recorded as such and named after a compaction; the hook prints nothing."""
    world.start()
    begin(world)
    output = "test_cart.py::test_total FAILED\n=== 1 failed, 3 passed in 0.12s ==="
    assert not world.tool("Bash", {"stdout": output}, command="pytest -q").out
    assert world.one("tool.finished")["tests"] == "failed"
    reply = world.hook("PostToolUseFailure", tool_name="Bash", tool_use_id="t", is_interrupt=False,
                       tool_input={"command": "pytest -q"}, error=f"Exit code 1\n{output}")  # fmt: skip
    assert not reply.out
    failed = world.one("tool.failed")
    assert (failed["tests"], failed["target"]) == ("failed", "pytest -q")
    assert "test_cart.py::test_total FAILED" in world.compact().context


@CASES.case("PL10-passing", silent_beside="PL10")
def passing_tests(world: Workshop) -> None:
    """Passing tests are not a failure, nor is a file whose text mentions one."""
    world.start()
    world.tool("Bash", {"stdout": "4 passed in 0.1s"}, command="pytest")
    assert world.one("tool.finished")["tests"] == "passed"
    world.tool("Bash", {"stdout": "=== 1 failed ==="}, command="cat notes.txt")
    assert "tests" not in world.one("tool.finished")
    assert not world.compact().out


@CASES.case("PL11")
def changed_file(world: Workshop) -> None:
    """An edit is one event that names the changed file, odd names included."""
    world.start()
    for name in ("cart.py", 'a "quoted" \\ name.py', "名前.py"):
        assert not world.tool("Edit", {"filePath": name}, file_path=str(world.project / name)).out
        event = world.one("tool.finished")
        assert (event["target"], event["changed"]) == (name, True)
    world.tool("Read", file_path=str(world.project / "read.py"))
    assert trail(world)["files"] == ["名前.py", 'a "quoted" \\ name.py', "cart.py"]


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop)
