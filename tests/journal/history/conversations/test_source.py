"""The best source of a conversation: the transcript, the stored copy, or the journal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.conversations.resume import Transcripts
from journal.history.conversations.source import conversation_of
from journal.home import Project
from projections.digest import Digest
from projections.session import Session
from tests.support.journals import Journals

from .lines import SID, compacted, got, prompt_line, reply_line, use, written

if TYPE_CHECKING:
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

    def read(self, files: list[str] | None = None, **more: Any) -> Conversation:
        """Read the conversation."""
        session = Session(started="2026-11-20T10:00:00.000Z", title="Totals", files=files or [])
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


def test_a_path_behind_a_pattern_is_short_too(past: Past) -> None:
    """A call that names a pattern and a path shows the path as others do."""
    written(past.path, reply_line(2, use("Grep", "t1", pattern="tax", path="/home/dev/shop/till")))
    assert [entry.tool.about for entry in past.read().entries if entry.tool] == ["tax till"]


@pytest.mark.parametrize("above", ["/home/dev/shop", "/home/dev", "/"])
def test_paths_are_those_of_the_journal(past: Past, above: str) -> None:
    """In a session started below its project's directory, a file has one name in both sources."""
    name = os.path.relpath("/home/dev/shop/cart.py", above)
    moved = Path(past.directory).with_name(Project(above).name)
    past.directory = str(Path(past.directory).rename(moved))
    found = past.read(files=[name])
    assert [path for path in found.files if path.endswith("cart.py")] == [name]
    assert name in [entry.tool.about for entry in found.entries if entry.tool]


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


def test_what_a_compaction_keeps_does_not_leave_the_context(past: Past) -> None:
    """It counts for the next compaction, unless that keeps it as well."""
    kept = {"preservedMessages": {"uuids": ["assistant-6", "system-7"]}}
    written(
        past.path,
        *LINES[:6],
        *compacted(9, "Rounded.", **kept),
        *LINES[8:],
        *compacted(11, "Asked."),
    )
    made = [entry.compaction for entry in past.read().entries if entry.compaction]
    assert [each.replaced for each in made] == [4, 2]


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
