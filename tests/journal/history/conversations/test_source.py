"""The best source of a conversation: the transcript, the stored copy, or the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.conversations.resume import Transcripts
from journal.history.conversations.source import conversation_of
from projections.digest import Digest
from projections.session import Session
from tests.support.journals import Journals

from .lines import SID, compacted, got, prompt_line, reply_line, use, written

if TYPE_CHECKING:
    from pathlib import Path

    from journal.history.conversations.model import Conversation

LINES = [
    prompt_line(1, "fix the total"),
    reply_line(2, use("Edit", "t1", file_path="/home/dev/shop/cart.py")),
    got(3, "t1", "ok"),
    reply_line(4, use("Edit", "t2", file_path="/home/dev/shop/till.py")),
    got(5, "t2", "ok"),
    reply_line(6, "Both round now."),
    *compacted(9, "We made cart.py round."),
    prompt_line(10, "and now?"),
]


class Past:
    """A session in a journal, and perhaps in a transcript."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.path = top / "claude" / "projects" / "-home-dev-shop" / f"{SID}.jsonl"
        written(self.path, *LINES)
        events: list[dict[str, Any]] = [
            {"type": "prompt.submitted", "text": "fix the", "size": 13, "sid": SID},
            {"type": "decision.recorded", "text": "Round once", "sid": SID,
             "ts": "2026-11-20T10:00:04.500Z"},
        ]  # fmt: skip
        self.directory = str(Journals.of(str(top / "home")).write(events).parent)

    def read(self, **more: Any) -> Conversation:
        """Read the conversation."""
        session = Session(started="2026-11-20T10:00:00.000Z", title="Totals")
        digest = Digest(sid=SID, session=session, first=2, seq=3, **more)
        found = Transcripts({"CLAUDE_CONFIG_DIR": str(self.top / "claude")})
        return conversation_of(digest, self.directory, found, project="shop")


@pytest.fixture
def past(tmp_path: Path) -> Past:
    """Return a session with a transcript."""
    return Past(tmp_path)


def test_the_transcript_comes_first(past: Past) -> None:
    """While it exists the transcript is read, with paths relative to the session's directory."""
    found = past.read()
    assert (found.source, found.path, found.whole) == ("transcript", str(past.path), True)
    assert (found.title, found.project, found.directory) == ("Totals", "shop", "/home/dev/shop")
    assert found.files == ["till.py", "cart.py"]
    assert [entry.tool.about for entry in found.entries if entry.tool] == ["cart.py", "till.py"]


def test_a_decision_stands_where_it_was_made(past: Past) -> None:
    """Decisions of the journal are put between the entries of the transcript, by time."""
    found = past.read()
    kinds = [entry.kind for entry in found.entries]
    assert kinds == ["prompt", "tool", "tool", "decision", "answer", "compaction", "prompt"]
    assert found.decisions == ["Round once"]


def test_a_compaction_knows_what_it_dropped(past: Past) -> None:
    """What the summary does not mention of the changed files and decisions before it is dropped."""
    (made,) = (entry.compaction for entry in past.read().entries if entry.compaction)
    assert made.replaced == 5
    assert (made.dropped.paths, made.dropped.decisions) == (["till.py"], ["Round once"])


def test_without_a_transcript_the_journal_is_read(past: Past) -> None:
    """A deleted or empty transcript leaves the beginnings that the journal has."""
    past.path.write_text("")
    assert past.read().source == "journal"
    past.path.unlink()
    found = past.read()
    assert (found.source, found.whole, found.path) == ("journal", False, "")
    assert [(entry.kind, entry.text) for entry in found.entries] == [
        ("prompt", "fix the"), ("decision", "Round once"),
    ]  # fmt: skip
    assert found.entries[0].cut == 6


def test_a_part_is_read_from_the_journal(past: Past) -> None:
    """An exported part has no transcript of its own."""
    found = past.read(of=SID, seqs=[2])
    assert (found.source, [entry.kind for entry in found.entries]) == ("journal", ["prompt"])
