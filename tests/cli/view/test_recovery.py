"""The recovery view and its block."""

from __future__ import annotations

from tests.cases.world import OTHER, World
from tests.cli.work.steps import begin


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


def test_recovery_holds_what_was_told(played):
    """The recovery view has the request, files, decisions and the recovery text."""
    data = played.journal("view", "recovery", "--session", "c00f").data
    assert data["checkpoint_id"] == "cp-23"
    assert data["recent_files"] == ["discount.py", "cart.py"]
    assert data["key_decisions"] == ["Prices are rounded to cents once, in cart.total."]
    assert (data["compactions"], data["attempts"], data["told"]) == (1, 1, True)
    assert "make test_expired_code_is_refused pass" in data["compaction"]["summary"]
    assert "Yes, make the failing test pass." in data["recovery_prompt"]
