"""`journal unit`, `checkpoint`, `guard`, and the recovery view built from them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.work.unit import match
from cli.write import RefusedError
from tests.cases.world import OTHER, ROOT, SID, World

if TYPE_CHECKING:
    from pathlib import Path

    from freezegun.api import FrozenDateTimeFactory

PLAN = "# User entity\n\n- [x] Create\n- [x] Read\n- [x] List\n- [ ] Update\n- [ ] Delete\n"


@pytest.fixture
def shop(tmp_path: Path, clock: FrozenDateTimeFactory) -> World:
    """A session that has started, with a checklist in its project."""
    made = World(tmp_path, inline=True, clock=clock)
    made.start()
    (made.project / "plan.md").write_text(PLAN)
    return made


def _begin(shop: World, *more: str) -> None:
    said = shop.run("unit", "start", "user-entity", "--title", "User entity",
                    *(more or ("--items", "plan.md")))  # fmt: skip
    assert said.code == 0, said.err


def _current(shop: World, sid: str = "") -> dict:
    return shop.view("unit", sid=sid)["current"]


def test_a_unit_takes_its_items_from_a_task_list(shop: World) -> None:
    """Items already done count: the progress is the real n of m."""
    _begin(shop)
    unit = _current(shop)
    assert (unit["done"], unit["total"], unit["percent"]) == (3, 5, 60)
    assert unit["progress"] == "3/5 done (60%)"
    assert unit["file"] == "plan.md"
    assert [item["text"] for item in unit["items"]] == [
        "Create",
        "Read",
        "List",
        "Update",
        "Delete",
    ]


def test_items_can_be_given_one_by_one(shop: World) -> None:
    """Items with the same text stay distinct."""
    _begin(shop, "--item", "Test", "--item", "Write", "--item", "Test")
    assert [item["text"] for item in _current(shop)["items"]] == ["Test", "Write", "Test (2)"]
    assert shop.run("unit", "check", "3").code == 0
    assert [item["done"] for item in _current(shop)["items"]] == [False, False, True]


def test_beginning_twice_is_beginning_once(shop: World) -> None:
    """The same unit again appends nothing; with other items it restarts and keeps what is done."""
    _begin(shop)
    _begin(shop)
    assert len(shop.events("unit.started")) == 1
    (shop.project / "plan.md").write_text(PLAN.replace("[x]", "[ ]") + "- [ ] Docs\n")
    _begin(shop)
    assert len(shop.events("unit.started")) == 2
    assert _current(shop)["progress"] == "3/6 done (50%)"


BAD = [
    pytest.param(["start", " "], 2, "not a valid name", id="blank-name"),
    pytest.param(["start", "u", "--items", "plan.md", "--item", "x"], 2, "exclude", id="both"),
    pytest.param(["start", "u", "--items", "none.md"], 3, "none.md", id="no-file"),
    pytest.param(["start", "u", "--items", "cart.py"], 3, "no task list", id="no-list"),
    pytest.param(["check", "x"], 1, "no unit is open", id="check-none"),
    pytest.param(["finish"], 1, "no unit is open", id="finish-none"),
    pytest.param(["finish", "other"], 1, "no open unit other", id="finish-unknown"),
]


@pytest.mark.parametrize("words, code, what", BAD)
def test_what_does_not_fit_is_refused(shop: World, words: list[str], code: int, what: str) -> None:
    """It is refused with the reason, and nothing is appended."""
    (shop.project / "cart.py").write_text("x = 1\n")
    seen = shop.types()
    said = shop.run("unit", *words)
    assert said.code == code
    assert what in said.err
    assert shop.types() == seen


def test_checking_sets_the_box_in_the_file_too(shop: World) -> None:
    """The next edit of the file therefore does not reopen the item; --undo clears both."""
    _begin(shop)
    said = shop.run("unit", "check", "upd")
    assert said.code == 0, said.err
    assert "4/5 done (80%)" in said.out
    assert "- [x] Update" in (shop.project / "plan.md").read_text()
    path = shop.project / "plan.md"
    path.write_text(path.read_text() + "\nA remark.\n")
    shop.tool("Edit", {"filePath": str(path)}, file_path=str(path))
    assert _current(shop)["done"] == 4
    assert len(shop.events("unit.item.checked")) == 1
    assert shop.run("unit", "check", "Update", "--undo").code == 0
    assert "- [ ] Update" in path.read_text()
    assert _current(shop)["done"] == 3
    again = shop.run("unit", "check", "Update", "--undo")
    assert again.code == 0
    assert "already open" in again.out
    assert len(shop.events("unit.item.checked")) == 2


def test_a_file_that_is_a_link_is_not_written(shop: World) -> None:
    """The item is checked in the journal, and the linked file stays as it was."""
    real = shop.base / "away.md"
    real.write_text(PLAN)
    _begin(shop)
    (shop.project / "plan.md").unlink()
    (shop.project / "plan.md").symlink_to(real)
    said = shop.run("unit", "check", "Update")
    assert said.code == 0
    assert "stays as it is" in said.err
    assert real.read_text() == PLAN
    assert _current(shop)["done"] == 4


MATCHES = [
    pytest.param("Update", 0, id="exact"),
    pytest.param("2", 1, id="number"),
    pytest.param("#3", 2, id="number-with-sign"),
    pytest.param("delete the", 1, id="beginning-any-case"),
    pytest.param("migration", 2, id="part"),
    pytest.param("4", 3, id="a-text-that-is-a-number"),
    pytest.param("  Update ", 0, id="blanks"),
]
TEXTS = ["Update", "Delete the entity", "Write the migration", "4", "Delete nothing else"]


@pytest.mark.parametrize("wanted, index", MATCHES)
def test_an_item_is_meant_by_text_beginning_or_number(wanted: str, index: int) -> None:
    """An exact text comes first, then a number, then a unique beginning."""
    assert match(TEXTS, wanted) == index


UNCLEAR = [
    pytest.param("Delete", ["2. Delete the entity", "5. Delete nothing else"], id="two"),
    pytest.param("Updaet", ["1. Update"], id="typo"),
    pytest.param("6", [], id="no-such-number"),
    pytest.param("zzzz", [], id="nothing-close"),
    pytest.param("", [], id="blank"),
]


@pytest.mark.parametrize("wanted, close", UNCLEAR)
def test_what_is_not_clear_is_refused_with_what_is_close(wanted: str, close: list[str]) -> None:
    """An ambiguous item is refused with similar ones, without guessing."""
    with pytest.raises(RefusedError) as caught:
        match(TEXTS, wanted)
    for text in close:
        assert text in caught.value.remedy


def test_finishing_says_what_is_open(shop: World) -> None:
    """A unit with open items can be finished; it then is no longer the current one."""
    _begin(shop)
    said = shop.run("unit", "finish")
    assert said.code == 0
    assert "2 of 5 items still open" in said.out
    view = shop.view("unit")
    assert view["current"] is None
    assert view["units"][0]["finished"] is True
    assert shop.run("unit", "finish").code == 1


def test_the_list_shows_units_and_the_clients_tasks(shop: World) -> None:
    """Newest first, the current one marked; of one session, or of all without a session."""
    _begin(shop)
    shop.run("unit", "start", "second", "--item", "a")
    shop.tool("TodoWrite", {"ok": 1}, todos=[{"content": "t1", "status": "completed"},
                                            {"content": "t2", "status": "pending"}])  # fmt: skip
    shop.run("unit", "start", "theirs", "--item", "x", sid=OTHER)
    rows = shop.run("unit", "list", "--json").data
    assert [(row["unit"], row["current"]) for row in rows] == [
        ("second", True), ("user-entity", False), ("tasks", False),
    ]  # fmt: skip
    assert rows[2]["progress"] == "1/2 done (50%)"
    assert {row["session"] for row in shop.run("unit", "list", "--json", sid=None).data} == {
        SID,
        OTHER,
    }
    assert shop.run("unit", "list").out.splitlines()[1].startswith("*")


def test_the_clients_tasks_are_not_checked_by_the_command(shop: World) -> None:
    """Claude Code's own tasks are tracked by themselves, and the command says so."""
    shop.tool("TodoWrite", {"ok": 1}, todos=[{"content": "t1", "status": "pending"}])
    said = shop.run("unit", "check", "t1")
    assert said.code == 1
    assert "own task list by itself" in said.err


def test_without_a_session_a_unit_is_the_projects(shop: World) -> None:
    """Without a session the command says so, and the unit is shown without one."""
    said = shop.run("unit", "start", "u", "--item", "a", sid=None)
    assert said.code == 0
    assert "no session" in said.err
    assert shop.one("unit.started")["sid"] == ""
    assert shop.view("unit")["current"] is None


def test_a_unit_goes_through_a_compaction(shop: World) -> None:
    """A compaction returns n of m and the open items; another session gets nothing."""
    _begin(shop)
    shop.run("decide", "UUID v7 for ids")
    told = shop.compact().context
    for text in ("user-entity", "3/5 done (60%)", '- [ ] "Update"', '- [ ] "Delete"', "UUID v7"):
        assert text in told
    assert "user-entity" not in shop.start("compact", sid=OTHER).context


def test_a_checkpoint_is_saved_with_its_unit(shop: World) -> None:
    """Its summary comes back after a compaction, and later automatic ones keep it."""
    _begin(shop)
    said = shop.run("checkpoint", "--summary", "Create and Read work", "--json")
    event = shop.one("checkpoint.saved")
    assert said.data["checkpoint_id"] == f"cp-{event['seq']}"
    assert (event["cause"], event["unit"]) == ("asked", "user-entity")
    assert "Create and Read work" in shop.compact().context
    view = shop.view("recovery")
    assert view["summary"] == "Create and Read work"
    assert view["checkpoint_id"] == f"cp-{shop.one('checkpoint.saved')['seq']}"
    assert shop.one("checkpoint.saved")["cause"] == "compact"


@pytest.mark.parametrize(
    "words",
    [("Now", "Update"), ("-",), ("--summary", "Now Update"), ("--summary", "-")],
)
def test_ways_to_give_the_text_of_a_checkpoint(shop: World, words: tuple[str, ...]) -> None:
    """The text is words after the command, --summary, or stdin for -."""
    shop.run("checkpoint", *words, stdin="Now\nUpdate\n")
    assert shop.view("recovery")["summary"] == "Now Update"


def test_two_texts_of_a_checkpoint(shop: World) -> None:
    """A text given in both ways is a usage error."""
    assert shop.run("checkpoint", "now", "--summary", "later").code == 2


def test_the_recovery_view_has_the_members_of_its_design(shop: World) -> None:
    """checkpoint_id, summary, active_unit, progress, pending_tasks, recent_files, key_decisions."""
    shop.prompt("implement the user entity")
    _begin(shop)
    shop.run("decide", "UUID v7 for ids")
    shop.run("decide", "soft delete")
    shop.tool("Edit", {"ok": 1}, file_path=str(shop.project / "user.go"))
    shop.tool("Write", {"ok": 1}, file_path=str(shop.project / "user_test.go"))
    shop.run("checkpoint", "--summary", "Create and Read work")
    shop.compact()
    view = shop.view("recovery")
    assert view["active_unit"] == "user-entity"
    assert view["progress"] == "3/5 done (60%)"
    assert view["pending_tasks"] == ["Update", "Delete"]
    assert view["recent_files"] == ["user_test.go", "user.go"]
    assert view["key_decisions"] == ["soft delete", "UUID v7 for ids"]
    assert view["last_request"]["text"] == "implement the user entity"
    assert (view["compactions"], view["attempts"]) == (1, 1)
    assert view["recovery_prompt"].split("\n", 1)[0].startswith("## Recovery (journal #")
    for text in (
        "**Last state**: Create and Read work", "**Active unit**: user-entity, User entity",
        "**Progress**: 3/5 done (60%)", "**Remaining**:\n- [ ] Update\n- [ ] Delete",
        "**Key decisions**:\n- soft delete\n- UUID v7 for ids",
        "**Recent files**:\n- user_test.go\n- user.go", "**Last request**: implement the user entity",
    ):  # fmt: skip
        assert text in view["recovery_prompt"]


def test_a_session_that_did_nothing_has_nothing_to_recover(shop: World) -> None:
    """Unknown members are null, and no text is invented."""
    _begin(shop)
    shop.start(sid=OTHER)
    view = shop.view("recovery", sid=OTHER)
    for name in ("checkpoint_id", "summary", "active_unit", "progress", "recovery_prompt"):
        assert view[name] is None
    assert view["pending_tasks"] == []
    assert shop.view("recovery")["recovery_prompt"] is not None


def test_the_block_is_bounded(shop: World) -> None:
    """With many long items the list is cut and says so."""
    _begin(shop, *(word for n in range(90) for word in ("--item", f"{n} " + "長" * 400)))
    prompt = shop.view("recovery")["recovery_prompt"]
    assert "20 of 90 shown" in prompt
    assert len(prompt) < 9_600


def test_a_guard_runs_once_a_session(shop: World) -> None:
    """RUN, then SKIP; RUN for another name or another session."""
    answers = [shop.run("guard", *words, sid=sid).out.strip() for words, sid in (
        (["greet"], ""), (["greet"], ""), (["other"], ""), (["greet"], OTHER), (["greet"], OTHER),
    )]  # fmt: skip
    assert answers == ["RUN", "SKIP", "RUN", "RUN", "SKIP"]
    assert [event["what"] for event in shop.events("advice.given")] == [
        "guard:greet", "guard:other", "guard:greet",
    ]  # fmt: skip


def test_a_guard_without_a_session_remembers_nothing(shop: World) -> None:
    """Without a session it answers RUN each time, and records no event."""
    seen = shop.types()
    assert [shop.run("guard", "greet", sid=None).out for _ in range(2)] == ["RUN\n", "RUN\n"]
    assert shop.types() == seen


def test_a_guard_is_silent_while_another_plugins_loop_is_active(shop: World) -> None:
    """It answers SUPPRESS without an event, so it can still run after the loop."""
    loop = shop.project / ".claude" / "ralph-loop.local.md"
    loop.parent.mkdir()
    loop.write_text("---\nactive: true\niteration: 3\nmax_iterations: 9\n---\ngo\n")
    assert shop.run("guard", "greet").out == "SUPPRESS\n"
    assert shop.events("advice.given") == []
    loop.unlink()
    assert shop.run("guard", "greet").out == "RUN\n"


@pytest.mark.parametrize("name", ["", "a b", 'x"', "x" * 65, "a/b", "漢"])
def test_a_guards_name_is_a_word(shop: World, name: str) -> None:
    """Any other name is a usage error."""
    assert shop.run("guard", name).code == 2
    assert shop.run("guard", "a.b:c-d_1").code == 0


def test_of_many_guards_at_once_one_runs(shop: World) -> None:
    """Of processes that ask at the same time exactly one gets RUN in the session."""
    env = {**shop.env({"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": SID}),
           "PYTHONPATH": str(ROOT)}  # fmt: skip
    asked = [
        subprocess.Popen([sys.executable, "-m", "cli", "guard", "greet"], env=env, cwd=shop.project,
                         stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]  # fmt: skip
    answers = sorted(process.communicate(timeout=60)[0].strip() for process in asked)
    assert answers == ["RUN", *["SKIP"] * 5]


def test_of_many_starts_and_resumes_at_once_one_happens(shop: World) -> None:
    """Of two sessions that resume one stopped cycle exactly one gets it."""
    shop.run("stage", "start")
    shop.run("stage", "stop")
    asked = []
    for number in range(4):
        env = {**shop.env({"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": f"s-{number}"}),
               "PYTHONPATH": str(ROOT)}  # fmt: skip
        asked.append(subprocess.Popen(
            [sys.executable, "-m", "cli", "stage", "resume"], env=env, cwd=shop.project,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))  # fmt: skip
    codes = sorted(process.wait(timeout=60) for process in asked)
    assert codes == [0, 1, 1, 1]
    assert len(shop.events("stage.resumed")) == 1
