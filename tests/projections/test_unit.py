"""A session's units of work, their items, and Claude Code's own task list."""

from __future__ import annotations

import pytest

from projections.unit import Unit, Work, current, hints
from tests.projections.timeline import fed, view

START = {"type": "unit.started", "unit": "u", "title": "Cart", "items": ["[x] codes", "[ ] tests"]}


def unit_of(*events: dict) -> Unit | None:
    """Return the current unit of session w."""
    return current(fed(*events)["unit"].sessions.get("w"))


def items_of(*events: dict) -> list[tuple[str, bool]]:
    """Return text and state of the current unit's items."""
    found = unit_of(*events)
    return [(item.text, item.done) for item in found.items] if found else []


def checked(item: str, *, done: bool = True, unit: str = "u") -> dict:
    """Build the event of an item checked off or, without `done`, opened again."""
    return {"type": "unit.item.checked", "unit": unit, "item": item, "done": done}


ITEMS: dict[str, tuple[list[dict], list[tuple[str, bool]]]] = {
    "as given": ([START], [("codes", True), ("tests", False)]),
    "checked": ([START, checked("tests")], [("codes", True), ("tests", True)]),
    "twice": ([START, checked("tests"), checked("tests")], [("codes", True), ("tests", True)]),
    "opened again": ([START, checked("codes", done=False)], [("codes", False), ("tests", False)]),
    "an item nobody listed": ([START, checked("docs")],
                              [("codes", True), ("tests", False), ("docs", True)]),
    "of another unit": ([START, checked("tests", unit="v")], [("codes", True), ("tests", False)]),
    "started again": ([START, checked("tests"), {**START, "items": ["codes", "tests", "docs"]}],
                      [("codes", True), ("tests", True), ("docs", False)]),
    "started again without items": ([START, {**START, "items": []}],
                                    [("codes", True), ("tests", False)]),
}  # fmt: skip


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_has_the_state_of_its_last_event(name: str) -> None:
    """Items count once, keep their order, and stay done when their unit is started again."""
    events, found = ITEMS[name]
    assert items_of(*events) == found


def test_the_current_unit_is_the_newest_unfinished_one() -> None:
    """A finished unit makes room for the one before it, in the end for Claude Code's tasks."""
    second = {"type": "unit.started", "unit": "v", "title": "Tax"}
    end = {"type": "unit.finished", "unit": "v"}
    tasks = {"type": "tool.finished", "tool": "TodoWrite", "items": [["1", "write", "pending"]]}
    assert unit_of(START, second).unit == "v"  # type: ignore[union-attr]
    assert unit_of(START, second, end).unit == "u"  # type: ignore[union-attr]
    assert unit_of(second, end) is None
    assert unit_of(second, end, tasks).unit == "tasks"  # type: ignore[union-attr]
    assert unit_of({**tasks, "items": [["1", "write", "completed"]]}) is None
    assert current(None) is None
    assert current(Work()) is None


def test_a_unit_that_another_session_takes_over_is_finished_in_the_first() -> None:
    """It is open in one session only, and the first one names the other."""
    taken = {**START, "sid": "x", "from_sid": "w"}
    sessions = fed(START, taken)["unit"].sessions
    assert [(unit.finished, unit.moved_to) for unit in sessions["w"].units] == [(True, "x")]
    assert current(sessions["x"]).unit == "u"


TASKS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "a whole list replaces the last": ("todos write test / 09:01 todos test",
                                       [("test", "pending")]),
    "a task is created and updated": ("task 1 pending / 09:01 task 1 completed",
                                      [("T", "completed")]),
    "a deleted task is gone": ("task 1 pending / 09:01 task 2 pending / 09:02 task 1 deleted",
                               [("T", "pending")]),
    "a subagent's list is its own": ("todos write by x", []),
}  # fmt: skip


@pytest.mark.parametrize("name", TASKS)
def test_claude_codes_own_tasks(name: str) -> None:
    """The task tools' lists and changes give the session's tasks."""
    text, found = TASKS[name]
    work = view("unit", f"09:00 {text}").sessions.get("a", Work())
    assert [(item.text, item.status) for item in work.tasks] == found


def test_hints_name_the_checklists_of_open_units() -> None:
    """An edit of such a file checks items off; a finished unit's file is an ordinary one."""
    of_file = {**START, "file": "plan.md"}
    assert hints(fed(of_file)["unit"]) == ["plan.md"]
    assert hints(fed(of_file, {"type": "unit.finished", "unit": "u"})["unit"]) == []
    assert hints(fed(START)["unit"]) == []
