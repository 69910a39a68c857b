"""PL01, PL02, PL07, PL12 to PL17: what Claude gets back of a unit of work."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.units import SECOND, begin, trail
from tests.cases.workshop import THIRD, Workshop
from tests.cases.world import OTHER, SID

CASES = Table()


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
        world.now -= SECOND
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


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop, "PL01")
