"""`journal stage status` and the stage view: where a cycle stands, and what is left."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cases.world import OTHER, SID, World
from tests.cli.work.steps import stage

if TYPE_CHECKING:
    from pathlib import Path


def test_the_room_that_remains_is_kept_with_each_stage(shop: World) -> None:
    """The room at a stage's start and end is a percentage; without a reading it is unknown."""
    said = shop.run("stage", "start")
    assert "unknown (no reading yet)" in said.out
    assert "remaining" not in shop.one("stage.started")
    shop.read(30)
    said = shop.run("stage", "finish")
    assert "64.1% left until compaction, enough for audit (50% is needed)" in said.out
    assert shop.one("stage.finished")["remaining"] == 64.1
    view = shop.view("stage")
    assert (view["remaining"], view["needed"], view["room"]) == (64.1, 50, True)
    assert view["spans"][0]["remaining_before"] is None
    assert view["spans"][0]["remaining_after"] == 64.1


def test_a_stale_reading_is_unknown(shop: World) -> None:
    """After five minutes of activity a reading is unknown; time spent waiting does not count."""
    shop.prompt()
    shop.read(30)
    shop.after(seconds=400)
    view = shop.view("stage")
    assert (view["remaining"], view["room"]) == (None, None)
    assert "too old" in view["unknown"]
    shop.read(31)
    shop.stop()
    shop.after(seconds=4000)
    assert shop.view("stage")["remaining"] == 62.9


def test_all_views_agree_how_old_a_reading_is(shop: World) -> None:
    """Waiting ends with the next prompt: from then on every view counts the time as activity."""
    shop.prompt()
    shop.read(30)
    shop.stop()
    shop.after(seconds=4000)
    shop.prompt()
    shop.tool("Bash", command="make")
    assert (shop.view("stage")["remaining"], shop.view("pressure")["known"]) == (64.1, True)
    shop.after(seconds=400)
    shop.tool("Bash", command="make test")
    assert (shop.view("stage")["remaining"], shop.view("pressure")["known"]) == (None, False)


def test_a_session_never_sees_anothers_open_cycle(shop: World) -> None:
    """Its view has no cycle of another session; without a session all are listed."""
    stage(shop, "start --metric tests=41")
    for begin in (lambda: None, lambda: shop.start(sid=OTHER)):  # not in the journal, then in it
        begin()
        raw = json.dumps(shop.view("stage", sid=OTHER))
        assert SID not in raw
        assert "tests" not in raw
    assert shop.view("stage", sid=OTHER)["status"] == "none"
    assert shop.view("stage", sid=None)["sessions"][SID]["metrics"] == {"tests": 41}


def test_review_rounds_are_fewer_within_a_cycle(shop: World) -> None:
    """Two rounds while a cycle is open; three before, after and in other sessions."""
    shop.start(sid=OTHER)
    assert shop.view("stage")["review_rounds"] == 3
    stage(shop, "start")
    assert shop.view("stage")["review_rounds"] == 2
    assert shop.view("stage", sid=OTHER)["review_rounds"] == 3
    stage(shop, "stop")
    assert shop.view("stage")["review_rounds"] == 3


def test_the_thresholds_in_force_are_in_the_view(shop: World) -> None:
    """They are as configured, also in tokens; a long window's apply once its size is known."""
    config = shop.project / ".claude" / "journal.toml"
    config.parent.mkdir()
    config.write_text("[stage.thresholds]\nsprint = 90000\n[stage.thresholds_long]\naudit = 7\n")
    stage(shop, "start")
    assert shop.view("stage")["thresholds"] == {"sprint": 90000, "audit": 30, "ship": 15}
    shop.read(30)
    view = shop.view("stage")
    assert (view["room"], view["limit"]) == (True, 167_000)
    shop.reading(30, model="claude-opus-4-8")
    shop.after(seconds=1).tool("Bash", command="true")
    assert shop.view("stage")["thresholds"] == {"sprint": 90000, "audit": 7, "ship": 15}


def test_the_answer_of_a_step_is_the_view(shop: World) -> None:
    """With --json a step prints what it appended and the current cycle."""
    said = shop.run("stage", "start", "--json")
    assert said.data["appended"] == [shop.one("stage.started")["seq"]]
    assert (said.data["stage"], said.data["open"]) == ("sprint", True)
    assert shop.run("stage", "status", "--json").data["cycle"] == said.data["cycle"]
    assert "sprint is open; next: audit" in shop.run("stage", "status").out


def test_status_where_there_is_nothing(tmp_path: Path) -> None:
    """Without a journal the command says so and creates none; so do refusals."""
    shop = World(tmp_path, inline=True)
    assert "No dev cycle" in shop.run("stage", "status").out
    assert shop.run("stage", "finish").code == 1
    assert not shop.journal_exists()
