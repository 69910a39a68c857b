"""`journal unit …`: a unit of work and its checklist."""

from __future__ import annotations

import pytest

from cli.work.unit import match
from cli.write import RefusedError
from tests.cases.world import OTHER, World
from tests.cli.work.conftest import PLAN
from tests.cli.work.steps import begin


def _current(shop: World, sid: str = "") -> dict:
    return shop.view("unit", sid=sid)["current"]


def test_a_unit_takes_its_items_from_a_task_list(shop: World) -> None:
    """Items already done count: the progress is the real n of m."""
    begin(shop)
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
    begin(shop, "--item", "Test", "--item", "Write", "--item", "Test")
    assert [item["text"] for item in _current(shop)["items"]] == ["Test", "Write", "Test (2)"]
    assert shop.run("unit", "check", "3").code == 0
    assert [item["done"] for item in _current(shop)["items"]] == [False, False, True]


def test_beginning_twice_is_beginning_once(shop: World) -> None:
    """The same unit again appends nothing; with other items it restarts and keeps what is done."""
    begin(shop)
    begin(shop)
    assert len(shop.events("unit.started")) == 1
    (shop.project / "plan.md").write_text(PLAN.replace("[x]", "[ ]") + "- [ ] Docs\n")
    begin(shop)
    assert len(shop.events("unit.started")) == 2
    assert _current(shop)["progress"] == "3/6 done (50%)"


BAD = [
    pytest.param(["start", " "], 2, "not a valid name", id="blank-name"),
    pytest.param(["start", "u", "--items", "plan.md", "--item", "x"], 2, "combined", id="both"),
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
    begin(shop)
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
    begin(shop)
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
    for text in close or ["its items: 1. "]:
        assert text in caught.value.remedy


def test_finishing_says_what_is_open(shop: World) -> None:
    """A unit with open items can be finished; it then is no longer the current one."""
    begin(shop)
    said = shop.run("unit", "finish")
    assert said.code == 0
    assert "2 of 5 items still open" in said.out
    view = shop.view("unit")
    assert view["current"] is None
    assert view["units"][0]["finished"] is True
    assert shop.run("unit", "finish").code == 1


def test_the_clients_tasks_are_not_checked_by_the_command(shop: World) -> None:
    """Claude Code's own tasks are tracked by themselves, and the command says so."""
    shop.tool("TodoWrite", {"ok": 1}, todos=[{"content": "t1", "status": "pending"}])
    said = shop.run("unit", "check", "t1")
    assert said.code == 1
    assert "own task list by itself" in said.err


def test_a_unit_goes_through_a_compaction(shop: World) -> None:
    """A compaction returns n of m and the open items; another session gets nothing."""
    begin(shop)
    shop.run("decide", "UUID v7 for ids")
    told = shop.compact().context
    for text in ("user-entity", "3/5 done (60%)", '- [ ] "Update"', '- [ ] "Delete"', "UUID v7"):
        assert text in told
    assert "user-entity" not in shop.start("compact", sid=OTHER).context
