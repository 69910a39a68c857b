"""What a session sees of skill progress: its own, and what others left."""

from __future__ import annotations

import json

import pytest

from journal.workfiles.progress_file import file_name
from tests.cases.workshop import THIRD
from tests.cases.world import OTHER, SID, World
from tests.cli.work.steps import save


def test_a_session_sees_its_own_and_lists_the_others(shop: World) -> None:
    """CURRENT, FRESH and STALE by age; another's state is never shown as one's own."""
    save(shop, sid=OTHER)
    shop.after(hours=72)
    save(shop, sid=THIRD)
    shop.after(hours=1)
    save(shop)
    rows = shop.run("progress", "list", "--json").data
    assert [(row["class"], row["session"]) for row in rows] == [
        ("CURRENT", SID), ("FRESH", THIRD), ("STALE", OTHER),
    ]  # fmt: skip
    text = shop.run("progress", "list").out
    assert [line.split()[0] for line in text.splitlines()[1:]] == ["CURRENT", "FRESH", "STALE"]
    unseen = shop.view("progress", sid="44444444-aaaa-4bbb-8ccc-000000000004")
    assert (unseen["state"], len(unseen["others"])) == (None, 3)
    assert shop.view("progress", sid=None)["sessions"].keys() == {SID, OTHER, THIRD}
    shown = shop.run("progress", "show").out
    assert shown.startswith("discover, phase 1")


AGES = [(71, "FRESH"), (72, "STALE")]


@pytest.mark.parametrize("hours, kind", AGES)
def test_the_age_counts_from_the_last_write(shop: World, hours: int, kind: str) -> None:
    """Saved again, an old state is fresh; one's own is CURRENT at any age."""
    save(shop, sid=OTHER)
    shop.after(hours=100)
    save(shop, 2, sid=OTHER)
    shop.after(hours=hours)
    assert shop.run("progress", "list", "--json").data[0]["class"] == kind
    assert shop.run("progress", "list", "--json", sid=OTHER).data[0]["class"] == "CURRENT"


def test_it_is_offered_and_told_again(shop: World) -> None:
    """A compaction returns state, phases and file; /clear offers it; other sessions are told."""
    save(shop)
    told = shop.compact()
    assert "Found 1." in told.context
    assert "Do 2" in told.context
    assert f"docs/plans/{file_name(SID)}" in told.context
    other = shop.after(minutes=10).start(sid=OTHER)
    assert "FRESH" in other.context
    assert "Found 1." not in other.context
    shop.end("clear")
    cleared = shop.start("clear", sid=THIRD)
    assert f"journal progress adopt {SID}" in cleared.context
    view = shop.view("progress", sid=THIRD)
    assert view["state"] is None
    assert view["adoptable"]["session"] == SID
    assert shop.run("progress", "adopt", SID, sid=THIRD).code == 0


def test_saving_prints_one_json_object(shop: World) -> None:
    """It has the appended seqs and the state."""
    said = shop.run("progress", "save", "--skill", "s", "--phase", "1", "--json")
    assert said.data["appended"] == [shop.one("progress.saved")["seq"]]
    assert said.data["state"]["skill"] == "s"
    assert json.loads(shop.run("progress", "show", "--json").out)["state"]["phase"] == "1"
