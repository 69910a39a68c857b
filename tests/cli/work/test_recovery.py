"""What a compaction gives back of a session: save points and the recovery view."""

from __future__ import annotations

import pytest

from tests.cases.world import OTHER, World
from tests.cli.work.steps import begin


def test_a_checkpoint_is_saved_with_its_unit(shop: World) -> None:
    """Its summary comes back after a compaction, and later automatic ones keep it."""
    begin(shop)
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
    begin(shop)
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
    begin(shop)
    shop.start(sid=OTHER)
    view = shop.view("recovery", sid=OTHER)
    for name in ("checkpoint_id", "summary", "active_unit", "progress", "recovery_prompt"):
        assert view[name] is None
    assert view["pending_tasks"] == []
    assert shop.view("recovery")["recovery_prompt"] is not None


def test_the_block_is_bounded(shop: World) -> None:
    """With many long items the list is cut and says so."""
    begin(shop, *(word for n in range(90) for word in ("--item", f"{n} " + "長" * 400)))
    prompt = shop.view("recovery")["recovery_prompt"]
    assert "20 of 90 shown" in prompt
    assert len(prompt) < 9_600
