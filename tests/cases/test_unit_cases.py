"""PL01 to PL17: units of work, checkpoints, and what Claude gets back after a compaction.

The three kinds of PL09 are here: a decision (`journal decide`), a request (the prompt itself) and
something to raise with the person (`journal note`); no command takes a type of event.
"""

from __future__ import annotations

from datetime import timedelta

from tests.cases.table import Table
from tests.cases.workshop import THIRD, Workshop
from tests.cases.world import OTHER, SID

CASES = Table()
_SECOND = timedelta(seconds=1)  # same time as the call before: the hook is registered twice
PLAN = "# User entity\n\n- [x] Create\n- [x] Read\n- [x] List\n- [ ] Update\n- [ ] Delete\n"


def begin(world: Workshop, sid: str = "") -> None:
    """Begin a unit of work with a checklist of five items, three of them done."""
    (world.project / "plan.md").write_text(PLAN)
    world.order("unit", "start", "user-entity", "--title", "User entity", "--items", "plan.md",
                sid=sid)  # fmt: skip


def trail(world: Workshop, sid: str = SID) -> dict:
    """Return what the recovery view holds of a session."""
    return world.views()["recovery"]["sessions"][sid]


@CASES.case("PL01", silent_beside="PL02")
def no_unit(world: Workshop) -> None:
    """Without a unit a start is recorded and silent: it does not explain units each time."""
    for source in ("startup", "resume"):
        assert not world.start(source).out
        world.prompt()
    assert [event["source"] for event in world.events("session.started")] == ["startup", "resume"]


@CASES.case("PL01-unit")
def unit_at_a_resume(world: Workshop) -> None:
    """A unit in progress is named when its session is resumed, and to no other session."""
    world.start()
    begin(world)
    world.end()
    text = world.start("resume").context
    assert "user-entity" in text
    assert "3/5 done (60%)" in text
    assert "user-entity" not in world.start(sid=OTHER).text


@CASES.case("PL02-once")
def items_once(world: Workshop) -> None:
    """The recovery names an open item once, also where the summary does not mention it."""
    world.start()
    begin(world)
    world.compacting()
    world.hook("SubagentStop", agent_id="f", agent_type="", stop_hook_active=False,
               last_assistant_message="<summary>Nothing of the plan.</summary>")  # fmt: skip
    text = world.start("compact").context
    assert text.count('"Update"') == text.count('"Delete"') == 1


@CASES.case("PL02")
def recovered(world: Workshop) -> None:
    """Recovery has summary, unit, n of m, open items, files, decisions and the request."""
    world.start()
    world.prompt("finish the user entity")
    begin(world)
    world.tool("Edit", file_path=str(world.project / "user.py"))
    world.order("decide", "Ids are UUIDs, not serials")
    world.order("checkpoint", "--summary", "The table is there, the form is next")
    world.compacting()
    text = world.start("compact").context
    for part in ("The table is there, the form is next", "user-entity", "User entity",
                 "3/5 done (60%)", '- [ ] "Update"', '- [ ] "Delete"', "user.py",
                 "Ids are UUIDs, not serials", "finish the user entity"):  # fmt: skip
        assert part in text, part
    assert "Create" not in text
    view = world.view("recovery")
    assert view["checkpoint_id"] == f"cp-{world.one('checkpoint.saved')['seq']}"
    assert (view["active_unit"], view["progress"]) == ("user-entity", "3/5 done (60%)")
    assert view["pending_tasks"] == ["Update", "Delete"]
    assert view["recent_files"] == ["user.py"]
    assert view["key_decisions"] == ["Ids are UUIDs, not serials"]
    assert view["summary"] == "The table is there, the form is next"
    for part in ("cp-", "3/5 done (60%)", "- [ ] Update", "finish the user entity"):
        assert part in view["recovery_prompt"], part


@CASES.case("PL02-tasks")
def recovered_task_list(world: Workshop) -> None:
    """Claude Code's own task list counts as such a checklist, without any command."""
    world.start()
    todos = [{"content": text, "status": status, "activeForm": text} for text, status in
             (("Create", "completed"), ("Update", "in_progress"), ("Delete", "pending"))]  # fmt: skip
    world.tool("TodoWrite", {"newTodos": todos}, todos=todos)
    text = world.compact().context
    assert "1/3 done (33%)" in text
    assert '- [ ] "Update"' in text
    assert "Create" not in text


@CASES.case("PL02-checked")
def recovered_as_it_is_now(world: Workshop) -> None:
    """An item counts as checked by command, by an edit of the file, or by a change outside both."""
    world.start()
    begin(world)
    world.order("unit", "check", "Update")
    path = world.project / "plan.md"
    assert "- [x] Update" in path.read_text()
    path.write_text(path.read_text().replace("[ ] Delete", "[x] Delete") + "- [ ] Docs\n")
    world.tool("Edit", {"originalFile": ""}, file_path=str(path))
    assert world.view("unit")["current"]["progress"] == "5/6 done (83%)"
    path.write_text(path.read_text() + "- [ ] Tests\n")
    text = world.compact().context
    assert "5/7 done (71%)" in text
    assert '- [ ] "Tests"' in text


@CASES.case("PL02-foreign", silent_beside="PL02")
def not_anothers(world: Workshop) -> None:
    """Another session gets none of it: no unit, file or decision is assigned to it by guess."""
    world.start()
    begin(world)
    world.order("decide", "Ids are UUIDs")
    world.start(sid=OTHER)
    world.compacting(sid=OTHER)
    assert not world.start("compact", sid=OTHER).out
    world.tool("Edit", sid=THIRD, file_path=str(world.project / "cart.py"))
    assert "files" not in trail(world)
    assert world.view("unit", sid=OTHER)["current"] is None


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
            world.now -= _SECOND
            world.compacting()
        world.hook("Notification", notification_type="compact", message="Compacting")
        fork = {"agent_id": "f", "agent_type": "", "stop_hook_active": False}
        for _ in range(2):
            world.now -= _SECOND
            world.hook("SubagentStop", last_assistant_message="<summary>S</summary>", **fork)
        said = []
        for _ in range(2):
            world.now -= _SECOND
            said.append(bool(world.start("compact").out))
        for _ in range(2):
            world.now -= _SECOND
            world.compacted(summary=f"S{number}")
        world.hook("Notification", notification_type="idle_prompt", message="compacted")
        assert said[1] is False
        found = trail(world)
        assert (found["compactions"], found["attempts"]) == (number, number)
        assert world.view("recovery")["compactions"] == number
        assert len(world.events("checkpoint.saved")) == number
        assert world.views()["lineage"]["sessions"].keys() == {SID}
        world.after(minutes=1).stop()


@CASES.case("PL07", silent_beside="PL07-compaction")
def idle(world: Workshop) -> None:
    """A notification that only contains similar words does not announce a compaction."""
    world.start()
    begin(world)
    for kind, text in (
        ("idle_prompt", "waiting"), ("permission_prompt", "Claude wants to summarize"),
        ("permission_prompt", "allow: truncate the log, compact the table"),
        ("auth_success", "context limit"), ("", "compact"), ("compaction_help", "compact"),
    ):  # fmt: skip
        reply = world.hook("Notification", notification_type=kind, message=text)
        assert not reply.out, kind
    assert len(world.events("notification.received")) == 6
    assert world.view("recovery")["compactions"] == 0


@CASES.case("PL07-compaction")
def announced(world: Workshop) -> None:
    """A notification that announces a compaction is answered; the next start still recovers.

    Today's client sends none. What is said before a compaction may not survive it.
    """
    world.start()
    begin(world)
    world.compacting()
    announcing = {"notification_type": "compact", "message": "Compacting"}
    assert "3/5 done (60%)" in world.hook("Notification", **announcing).context
    assert "3/5 done (60%)" in world.start("compact").context
    assert not world.hook("Notification", **announcing).out
    assert trail(world)["compactions"] == 1


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


@CASES.case("PL12", silent_beside="PL02")
def before_a_tool(world: Workshop) -> None:
    """PreToolUse gets no answer and records nothing: the client decides about every edit."""
    world.start()
    begin(world)
    before = world.types()
    for tool in ("Edit", "Write", "Bash"):
        reply = world.hook("PreToolUse", tool_name=tool, tool_input={"file_path": "x"},
                           tool_use_id="t")  # fmt: skip
        assert not reply.out
    assert world.types() == before


@CASES.case("PL16")
def ended(world: Workshop) -> None:
    """The end of a session is one event and affects no other session's work."""
    for sid in (SID, OTHER):
        world.start(sid=sid)
        begin(world, sid=sid)
        world.save(sid=sid)
        world.order("stage", "start", sid=sid)
    before = world.views()
    for _ in range(2):
        world.now -= _SECOND
        assert not world.end().out
    assert len(world.events("session.ended")) == 1
    after = world.views()
    for name in ("unit", "progress", "stage"):
        assert after[name] == before[name]
    assert not after["lineage"]["sessions"][OTHER].get("ended")
    assert after["lineage"]["sessions"][SID]["ended"]


@CASES.case("PL17")
def first_request(world: Workshop) -> None:
    """A session's request is the text of its prompts, from the first one; machine prompts aside."""
    world.start()
    world.prompt("add discount codes")
    world.prompt("<task-notification>done</task-notification>")
    view = world.view("recovery")
    assert view["last_request"]["text"] == "add discount codes"
    text = world.compact().context
    assert 'Last request (2026-11-21 09:00 UTC): "add discount codes"' in text


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop, "PL01", "PL02", "PL12")
