"""What commands that record share: their session, and texts that are too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.scope import Scope
from cli.write import bounded, needed_session, transaction, writing_session
from journal.errors import UsageError

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def scope(workspace: Workspace, session: str = "", **env: str) -> Scope:
    """Return the scope of a command."""
    return Scope({**workspace.env, **env}, session=session, cwd=str(workspace.project))


def test_the_session_of_an_event(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    """It is that of --session, by the beginning of its id too, or Claude Code's; else there is none."""
    workspace.hook("SessionStart", "abcd-1", source="startup")
    assert writing_session(scope(workspace, "abc")) == "abcd-1"
    assert writing_session(scope(workspace, "new-one")) == "new-one"
    assert writing_session(scope(workspace, CLAUDE_CODE_SESSION_ID="c")) == "c"
    assert writing_session(scope(workspace)) == ""


@pytest.mark.parametrize(
    ("words", "recorded"),
    [(("note", "x"), True), (("decide", "x"), True), (("checkpoint", "x"), True),
     (("unit", "start", "u"), True), (("unit", "start", "u", "--session", "s"), False),
     (("unit", "discard", "u"), False), (("stage", "abandon", "cycle-1"), False)],
    ids=str,
)  # fmt: skip
def test_an_event_without_a_session_is_said(words, recorded, workspace: Workspace) -> None:
    """A command warns about an event of no session once it is recorded, not when it refuses."""
    assert ("recorded for the project only" in workspace.journal(*words).err) is recorded


def test_some_events_need_a_session(workspace: Workspace) -> None:
    """Without one the error says how to name it."""
    assert needed_session(scope(workspace, "s"), "a unit") == "s"
    with pytest.raises(
        UsageError, match="a unit belongs to a session, and none is given"
    ) as caught:
        needed_session(scope(workspace), "a unit")
    assert "--session ID" in caught.value.remedy


def test_a_text_that_is_cut_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A text within the limit is recorded whole; a longer one is cut, with a warning."""
    assert bounded("short", 10, "the note") == "short"
    assert capsys.readouterr().err == ""
    assert len(bounded("x" * 2_000, 1_000, "the note")) == 1_000
    said = capsys.readouterr().err
    assert "recorded only the first 1,000 of 2,000 characters of the note" in said


def test_a_refusal_creates_no_journal(workspace: Workspace) -> None:
    """A command that only changes what is there holds no lock of a journal that is not there."""
    with transaction(scope(workspace), "s", create=False) as journal:
        assert (journal.seqs, journal.next_seq) == ([], 1)
    assert not workspace.home.exists()
    with transaction(scope(workspace), "s") as journal:
        assert journal.record("decision.recorded", text="x") == 2
    assert workspace.directory.exists()
