"""The project, session and settings that a program works with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.history.scope import ProjectScope

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a person with a project `shop`."""
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/totals\n")
    (tmp_path / "shop" / "src").mkdir()
    return {
        "HOME": str(tmp_path), "JOURNAL_HOME": str(tmp_path / "journal"),
        "JOURNAL_NOW": "2026-11-21T09:00:00.000Z",
    }  # fmt: skip


def test_the_project_is_that_of_the_directory(env: dict[str, str], tmp_path: Path) -> None:
    """A directory below a project belongs to it; without a journal nothing is made."""
    scope = ProjectScope(env, cwd=str(tmp_path / "shop" / "src"))
    assert scope.project.root == str(tmp_path / "shop")
    assert scope.directory == str(tmp_path / "journal" / scope.project.name)
    assert (scope.iso, scope.now) == ("2026-11-21T09:00:00.000Z", 1_795_251_600_000)
    assert not scope.exists()
    assert not (tmp_path / "journal").exists()


@pytest.mark.parametrize(
    ("given", "session", "current"),
    [({}, "", ""), ({"CLAUDE_CODE_SESSION_ID": "c"}, "", "c"),
     ({"JOURNAL_SESSION": " j ", "CLAUDE_CODE_SESSION_ID": "c"}, "", "j"),
     ({"JOURNAL_SESSION": " ", "CLAUDE_CODE_SESSION_ID": "c"}, "", "c"),
     ({"JOURNAL_SESSION": "j"}, "mine", "mine")],
)  # fmt: skip
def test_a_session_is_named_or_comes_from_claude_code(
    env: dict[str, str], given: dict[str, str], session: str, current: str
) -> None:
    """The caller's session comes first, then JOURNAL_SESSION, then Claude Code's; none is guessed."""
    assert ProjectScope({**env, **given}, cwd="/", session=session).current == current


def test_an_event_has_the_members_of_a_hooks(env: dict[str, str], tmp_path: Path) -> None:
    """Events name session, directory and branch as hooks do, without empty members; they are appended."""
    scope = ProjectScope(env, cwd=str(tmp_path / "shop"))
    event = scope.event("decision.recorded", "s-1", text="Round once", unit="")
    assert event == {
        "type": "decision.recorded", "v": 1, "sid": "s-1", "branch": "totals", "text": "Round once",
        **({"cwd": event["cwd"]} if "cwd" in event else {}),
    }  # fmt: skip
    assert scope.append(event) == [2]
    assert scope.exists()
    assert os.path.exists(f"{scope.directory}/active.jsonl")


def test_settings_are_those_of_hooks(env: dict[str, str], tmp_path: Path) -> None:
    """The home's configuration applies, and defaults where it says nothing."""
    (tmp_path / "journal").mkdir(mode=0o700)
    (tmp_path / "journal" / "config.toml").write_text('[append]\nsync = "always"\n')
    settings = ProjectScope(env, cwd=str(tmp_path / "shop"), stores=False).settings
    assert (settings["append.sync"], settings["capture.level"]) == ("always", "full")
