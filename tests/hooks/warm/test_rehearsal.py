"""A waiting process is warmed up by a call that never happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hooks.warm import rehearsal

if TYPE_CHECKING:
    import pytest

    from tests.cases.world import World


def test_a_rehearsal_appends_nothing(inline: World) -> None:
    """The log, and every file beside it, is as before."""
    inline.start()
    files = {path: path.read_bytes() for path in inline.journal.rglob("*") if path.is_file()}
    env = {
        **inline.env(),
        "CLAUDE_PROJECT_DIR": str(inline.project),
        "CLAUDE_CODE_SESSION_ID": inline.sid,
    }
    rehearsal.rehearse(env)
    found = {path: path.read_bytes() for path in inline.journal.rglob("*") if path.is_file()}
    changed = {
        path.name for path in files.keys() | found.keys() if files.get(path) != found.get(path)
    }
    assert changed <= {"settings.cache"}


def test_a_rehearsal_goes_up_to_the_log(inline: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It prepares the event of a tool call, as a call does."""
    inline.start()
    prepared: list[str] = []
    real = rehearsal.prepare_all

    def prepare(events: list[dict[str, str]], now: str) -> object:
        prepared.extend(event["type"] for event in events)
        return real(events, now)

    monkeypatch.setattr(rehearsal, "prepare_all", prepare)
    rehearsal.rehearse({**inline.env(), "CLAUDE_PROJECT_DIR": str(inline.project)})
    assert "tool.finished" in prepared


def test_an_error_is_ignored(inline: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a home that cannot be used nor any other error stops the process that waits."""
    (inline.project / "file").write_text("")
    rehearsal.rehearse({"JOURNAL_HOME": str(inline.project / "file" / "x")})

    def failing(*_: object) -> None:
        failed.append(True)
        raise OSError

    failed: list[bool] = []
    monkeypatch.setattr(rehearsal, "prepare_all", failing)
    inline.start()
    rehearsal.rehearse({**inline.env(), "CLAUDE_PROJECT_DIR": str(inline.project)})
    assert failed == [True]
