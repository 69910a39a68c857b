"""Edits of progress files and checklists through the hook command: which events they cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.workfiles.progress_file import file_name
from tests.cases.world import OTHER, SID, World

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """# Progress

**Skill**: discover
**Phase**: 2 — Who
**Output**: docs/plans/01.md
**Next Action**: Ask who uses it

## Completed phases

### Phase 1 (Why)

Orders get lost.
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a world with a started session."""
    made = World(tmp_path, inline=True)
    made.start()
    return made


def _edit(world: World, name: str, text: str, before: str | None = None, **more: object) -> None:
    path = world.project / "docs" / "plans" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    world.tool("Write" if before is None else "Edit",
               {"filePath": str(path), "originalFile": before}, file_path=str(path), **more)  # fmt: skip


def test_an_edit_of_the_own_file_is_saved(world: World) -> None:
    """The phases and head written into the session's own file become its progress."""
    _edit(world, file_name(SID), TEXT)
    state = world.views()["progress"]["sessions"][SID]
    assert (state["skill"], state["phase"], state["name"]) == ("discover", "2", "Who")
    assert state["next"] == "Ask who uses it"
    assert [phase["summary"] for phase in state["phases"]] == ["Orders get lost."]
    assert state["path"] == f"docs/plans/{file_name(SID)}"


def test_only_what_is_new_is_told_again(world: World) -> None:
    """A second edit records only the new phase; an edit that changes nothing records nothing."""
    _edit(world, file_name(SID), TEXT)
    seen = len(world.events("progress.saved"))
    more = TEXT.replace("2 — Who", "3 — Scope") + "\n### Phase 2 (Who)\n\nShop staff.\n"
    _edit(world, file_name(SID), more, TEXT)
    new = world.events("progress.saved")[seen:]
    assert [event.get("summary") for event in new] == ["Shop staff.", None]
    _edit(world, file_name(SID), more + "\n", more)
    assert len(world.events("progress.saved")) == seen + len(new)


FOREIGN = [
    pytest.param(file_name(OTHER), id="another-session"),
    pytest.param(".cpm-progress.md", id="without-a-session"),
    pytest.param(".cpm-progress-" + SID + ".txt", id="another-ending"),
    pytest.param("../" + file_name(SID), id="another-folder"),
]


@pytest.mark.parametrize("name", FOREIGN)
def test_another_file_is_not_the_sessions_progress(world: World, name: str) -> None:
    """Editing another file does not change the session's progress; editing its own does."""
    _edit(world, name, TEXT)
    assert world.events("progress.saved") == []
    _edit(world, file_name(SID), TEXT)
    assert world.events("progress.saved")


def test_a_subagents_edit_does_not_speak_for_the_session(world: World) -> None:
    """A subagent's edit is not the session's progress; the main thread's edit is."""
    _edit(world, file_name(SID), TEXT, agent_id="a1")
    assert world.views()["progress"].get("sessions", {}) == {}
    _edit(world, file_name(SID), TEXT)
    assert SID in world.views()["progress"]["sessions"]


def test_a_secret_in_a_file_does_not_reach_the_journal(world: World) -> None:
    """A phase's summary is redacted before it is recorded."""
    _edit(world, file_name(SID), TEXT.replace("Orders", "AKIAIOSFODNN7EXAMPLE orders"))
    raw = (world.directory / "active.jsonl").read_text()
    assert "AKIAIOSFODNN7EXAMPLE" not in raw
    assert "get lost" in raw


@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_a_file_without_a_session_is_named_as_nobodys(tmp_path: Path, source: str) -> None:
    """A start names a file without a session as unowned, and it is not the session's progress."""
    world = World(tmp_path, inline=True)
    assert ".cpm-progress.md" not in world.start(source).text
    folder = world.project / "docs" / "plans"
    folder.mkdir(parents=True)
    (folder / ".cpm-progress.md").write_text(TEXT)
    if source == "compact":
        world.compacting()
    said = world.after(minutes=10).start(source).context
    assert '"docs/plans/.cpm-progress.md" ("discover", phase "2 Who")' in said
    assert "not this session's own" in said
    assert world.views()["progress"].get("sessions", {}) == {}


PLAN = "# Plan\n\n- [ ] read\n- [ ] write\n- [x] think\n"


def _unit(world: World, file: str = "plan.md") -> None:
    (world.project / file).write_text(PLAN)
    world.append({"type": "unit.started", "unit": "u1", "title": "User entity", "file": file,
                  "items": ["[ ] read", "[ ] write", "[x] think"]})  # fmt: skip


def _items(world: World) -> dict[str, bool]:
    unit = world.views()["unit"]["sessions"][SID]["units"][0]
    return {item["text"]: item.get("done", False) for item in unit["items"]}


def test_an_edit_of_the_checklist_checks_items_off(world: World) -> None:
    """Checking a box checks the item off, clearing it reopens it; edits of other files do nothing."""
    _unit(world)
    path = world.project / "plan.md"
    path.write_text(PLAN.replace("[ ] read", "[x] read").replace("[x] think", "[ ] think"))
    world.tool("Edit", {"filePath": "x"}, file_path=str(world.project / "cart.py"))
    assert world.events("unit.item.checked") == []
    world.tool("Edit", {"filePath": str(path)}, file_path=str(path))
    assert _items(world) == {"read": True, "write": False, "think": False}
    told = world.events("unit.item.checked")
    assert [(event["item"], event.get("done", True)) for event in told] == [
        ("read", True), ("think", False),
    ]  # fmt: skip
    world.tool("Edit", {"filePath": str(path)}, file_path=str(path))
    assert len(world.events("unit.item.checked")) == 2


def test_later_edits_are_seen_from_the_small_part_alone(world: World) -> None:
    """With no new records in the log, an edit of a followed file is still read."""
    _unit(world)
    world.prompt()
    path = world.project / "plan.md"
    path.write_text(PLAN.replace("[ ] write", "[x] write"))
    world.tool("Edit", {"filePath": str(path)}, file_path=str(path))
    assert _items(world)["write"] is True


def test_a_compaction_looks_at_the_checklists(world: World) -> None:
    """PreCompact reads boxes that were ticked outside Claude Code."""
    (world.journal / "config.toml").write_text("[precompact]\nguidance = true\n")
    _unit(world)
    world.prompt()
    (world.project / "plan.md").write_text(PLAN.replace("[ ]", "[x]"))
    reply = world.compacting()
    assert "3/3 done (100%)" in reply.text
    assert _items(world) == {"read": True, "write": True, "think": True}


def test_another_sessions_checklist_is_not_touched(world: World) -> None:
    """An edit in one session checks nothing off in another session's unit; in its own it does."""
    _unit(world)
    path = world.project / "plan.md"
    path.write_text(PLAN.replace("[ ]", "[x]"))
    world.tool("Edit", {"filePath": str(path)}, file_path=str(path), sid=OTHER)
    assert _items(world) == {"read": False, "write": False, "think": True}
    world.tool("Edit", {"filePath": str(path)}, file_path=str(path))
    assert all(_items(world).values())
