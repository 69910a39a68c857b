"""What a log tells of each session: when hooks recorded it, and which facts it has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.history.reconcile import logged
from tests.journal.history.reconcile.conftest import background

if TYPE_CHECKING:
    from tests.journal.history.reconcile.recorded import Recorded


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_history_from_before_the_journal_is_left_to_the_import(
    world: Recorded, source: str
) -> None:
    """In a resumed or forked session only what came after its first recorded start is added."""
    world.lost = range(100)
    world.ask("before the journal")
    world.run_tool("before")
    world.answer_silently()
    world.after(minutes=5).start(source)
    world.ask("after")
    world.run_tool("later")
    world.answer()
    world.reconcile()
    assert [event.get("text") or event["target"] for event in world.added] == ["after", "later"]


def test_a_session_without_a_start_is_left_to_the_import(world: Recorded) -> None:
    """A session without a recorded start is not compared."""
    world.ask("before")
    world.lost = range(100)
    world.run_tool("ls")
    world.answer()
    assert world.reconcile() == []


def test_what_ran_with_the_journal_off_stays_out(world: Recorded) -> None:
    """The part of a transcript between an end and the next start is skipped: hooks were off."""
    world.session()
    world.end()
    world.lost = range(100)
    world.after(minutes=5).ask("without the journal")
    world.run_tool("secret")
    world.answer_silently()
    world.after(minutes=5).start("resume")
    world.ask("with it again")
    world.answer()
    world.reconcile()
    assert [event.get("text") for event in world.added] == ["with it again"]


def test_what_was_not_to_be_recorded_does_not_come_back(world: Recorded) -> None:
    """A turn that ended while capture was off is not added once it is on again."""
    world.session()
    world.order("config", "set", "capture.level", "off")
    world.ask("between us")
    world.run_tool("secret")
    world.answer()
    background(world)
    world.order("config", "set", "capture.level", "full")
    world.ask("on again")
    world.answer()
    background(world)
    assert world.added == []


@pytest.mark.parametrize("most", [6, 8, 4_000])
def test_a_long_session_is_not_read_in_again(
    world: Recorded, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Of a session with more ids than are remembered nothing returns from its transcript.

    Without the checkpoint, which `journal redact` deletes, a secret would return with it.
    """
    monkeypatch.setattr(logged, "_IDS", most)
    world.session()
    assert world.reconcile() == []
    os.unlink(world.journal / "cache" / world.directory.name / "live" / "reconciled")
    assert world.reconcile() == []
    world.prompt("one more")
    world.after(seconds=1).line("user", "one more")
    world.lost = range(world.calls, world.calls + 1)
    world.run_tool("pytest -q")
    world.answer()
    assert len(world.reconcile()) == 1


def test_a_long_log_without_transcripts_is_read_once(
    world: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read is stored on the way, even if no transcript has anything new."""
    monkeypatch.setattr(logged, "_STEP", 1_000)
    world.session()
    world.transcript().unlink()
    background(world)
    stored = logged.LoggedSessions(str(world.directory))
    assert stored.position is not None
    assert stored.position.seq > len(world.events()) // 2
