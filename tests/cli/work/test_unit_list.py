"""The list of units."""

from __future__ import annotations

from tests.cases.world import OTHER, SID, World
from tests.cli.work.steps import begin


def test_the_list_shows_units_and_the_clients_tasks(shop: World) -> None:
    """Newest first, the current one marked; of one session, or of all without a session."""
    begin(shop)
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


def test_without_a_session_a_unit_is_the_projects(shop: World) -> None:
    """Without a session the command says so, and the unit is shown without one."""
    said = shop.run("unit", "start", "u", "--item", "a", sid=None)
    assert said.code == 0
    assert "no session" in said.err
    assert shop.one("unit.started")["sid"] == ""
    assert shop.view("unit")["current"] is None
