"""How the digests of two logs become the rows of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.search.ranking import Filter
from tests.journal.history.search.held import anew, state

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.history.search.conftest import Home


def test_hooks_and_transcript_tell_of_one_session(home: Home, tmp_path: Path) -> None:
    """A session in both logs is one: the hooks' facts stand, and the title that ranks higher."""
    home.session("both", "from the transcript", imported=True)
    home.tell(
        "both", ("session.titled", {"title": "Told by transcript", "source": "ai"}), imported=True
    )
    home.session("alone", "an old history", imported=True)
    assert home.found("history") == ["alone"]
    assert home.index.find("alone")[0].digest.imported
    home.session("both", "seen by the hooks", over=False)
    assert home.index.update() == 1
    (past,) = home.index.find("both")
    assert past.digest.prompts == ["seen by the hooks"]
    assert past.digest.session.title == "Told by transcript"
    assert not past.digest.imported
    assert [item.digest.sid for item in home.index.sessions(Filter(status="open"))] == ["both"]
    assert len(home.index.sessions()) == 2
    assert state(home.index) == anew(home, tmp_path)


def test_a_summary_of_an_imported_session(home: Home) -> None:
    """A summary in the live log and its session in the imported log are one session."""
    home.session("old", "an old history", imported=True)
    home.tell("", ("session.summarized", {"of": "old", "upto": 4, "title": "Ancient times",
                                          "summary": "How it all began."}))  # fmt: skip
    assert home.found("ancient") == ["old"]
    digest = home.index.find("old")[0].digest
    assert (digest.prompts, digest.summary) == (["an old history"], "How it all began.")


def test_what_a_command_adds_to_an_imported_session_does_not_open_it(home: Home) -> None:
    """A decision in the live log is of the session in the imported log, which is over."""
    home.session("old", "an old history", imported=True)
    home.tell("old", ("decision.recorded", {"text": "keep the cache"}))
    (past,) = home.index.sessions(Filter(status="completed"))
    digest = past.digest
    assert (digest.prompts, digest.decisions) == (["an old history"], ["keep the cache"])
    assert digest.imported
    home.session("old", "resumed", over=False)
    home.index.update()
    assert [item.digest.sid for item in home.index.sessions(Filter(status="open"))] == ["old"]


def test_an_exported_part_is_a_session(home: Home) -> None:
    """An exported part is found beside the session it came from."""
    home.session("whole", "parser and lexer")
    home.tell("whole", ("session.exported", {"of": "whole", "title": "Only the lexer", "seqs": [3],
                                             "summary": "The lexer was split off."}))  # fmt: skip
    assert home.found("lexer split")[0] == "whole.5"
