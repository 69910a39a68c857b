"""The stage view as files: their contents, hidden from git, and without following links."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from journal.clock import millis
from tests.cases.world import World

if TYPE_CHECKING:
    from pathlib import Path

STATE = ".claude/dev-cycle.state.json"
BUDGET = ".claude/.context-budget.json"


@pytest.fixture
def shop(tmp_path: Path) -> World:
    """A session with a cycle and a reading."""
    made = World(tmp_path, inline=True)
    made.start()
    made.prompt()
    made.read(34.7)
    assert made.run("stage", "start", "--metric", "tests=41").code == 0
    return made


def _files(shop: World) -> tuple[dict, dict]:
    return tuple(json.loads((shop.project / name).read_text()) for name in (STATE, BUDGET))  # type: ignore[return-value]


def test_the_files_say_what_the_view_says(shop: World) -> None:
    """The files of a running cycle: stage, status, room and its time in Unix seconds."""
    view = shop.view("stage", "--write")
    state, budget = _files(shop)
    assert (state["stage"], state["status"], state["remaining_pct"]) == ("sprint", "open", 58.4)
    assert state["metrics"] == {"tests": 41}
    assert "skipped_stages" not in state
    assert budget == {"remaining": 58.4, "ts": millis(view["read_at"]) // 1000}


def test_a_stopped_cycle_says_why_and_what_was_left_out(shop: World) -> None:
    """They have the form older scripts expect, and still include the metrics."""
    shop.run("stage", "finish")
    shop.run("stage", "stop", "--reason", "context_budget")
    shop.read(75.15)
    shop.view("stage", "--write")
    state, budget = _files(shop)
    assert state["status"] == "stopped"
    assert state["stopped_reason"] == "context_budget"
    assert state["skipped_stages"] == ["audit", "ship", "retrospective"]
    assert state["remaining_pct"] == 58.4
    assert state["metrics"] == {"tests": 41}
    assert budget["remaining"] == 10.0


def test_unknown_room_writes_no_figure(shop: World) -> None:
    """An unknown reading leads to no file rather than a zero; known values are written."""
    shop.after(seconds=1000)
    said = shop.run("view", "stage", "--write")
    assert said.code == 0
    assert "unknown" in said.err
    assert not (shop.project / BUDGET).exists()
    assert json.loads((shop.project / STATE).read_text())["remaining_pct"] is None


def test_without_a_cycle_nothing_is_written(tmp_path: Path) -> None:
    """Without a cycle or a session the command says so and writes no file."""
    shop = World(tmp_path, inline=True)
    shop.start()
    for sid in ("", None):
        said = shop.run("view", "stage", "--write", sid=sid)
        assert said.code == 0
        assert "not written" in said.err
    assert not (shop.project / ".claude").exists()
    shop.run("stage", "start")
    shop.run("view", "stage", "--write")
    assert (shop.project / STATE).exists()


def test_only_the_stage_view_has_files(shop: World) -> None:
    """Another view, or one of the past, is a usage error."""
    assert shop.run("view", "pressure", "--write").code == 2
    assert shop.run("view", "stage", "--write", "--until", "1").code == 2


def test_git_does_not_see_the_files(shop: World) -> None:
    """The files are listed in the repository's exclude file, once, and in no .gitignore."""
    exclude_file = shop.project / ".git" / "info" / "exclude"
    exclude_file.parent.mkdir()
    exclude_file.write_text("# mine\n*.bak")
    shop.view("stage", "--write")
    shop.view("stage", "--write")
    assert exclude_file.read_text() == f"# mine\n*.bak\n/{STATE}\n/{BUDGET}\n"
    assert not (shop.project / ".gitignore").exists()


LINKS = [
    pytest.param(".claude", id="folder"),
    pytest.param(STATE, id="file"),
]


@pytest.mark.parametrize("link", LINKS)
def test_no_link_is_followed(shop: World, link: str) -> None:
    """If a link is in the way nothing is written through it, and the command says so."""
    away = shop.base / "away"
    away.mkdir()
    target = away / "target"
    place = shop.project / link
    place.parent.mkdir(exist_ok=True)
    if link == ".claude":
        place.symlink_to(away, target_is_directory=True)
    else:
        target.write_text("theirs")
        place.symlink_to(target)
    said = shop.run("view", "stage", "--write")
    assert "not written" in said.err
    assert not (away / "dev-cycle.state.json").exists()
    if target.exists():
        assert target.read_text() == "theirs"
        assert place.is_symlink()
