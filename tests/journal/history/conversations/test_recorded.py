"""A conversation as the events of a journal have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.conversations.recorded import decisions_in, read_journal, records_of
from projections.digest import Digest
from projections.session import Compaction, Session
from tests.support.journals import SID, Journals

if TYPE_CHECKING:
    from pathlib import Path

EVENTS: list[dict[str, Any]] = [
    {"type": "session.started", "source": "startup"},
    {"type": "prompt.submitted", "text": "fix it", "size": 6, "key": "k1"},
    {"type": "prompt.submitted", "text": "fix it", "size": 6, "key": "k1"},
    {"type": "tool.finished", "tool": "Bash", "use": "t1", "target": "make", "output_size": 7},
    {"type": "tool.failed", "tool": "Edit", "use": "t2", "error": "no\nsuch file"},
    {"type": "decision.recorded", "text": "Round once"},
    {"type": "turn.ended", "message": "Done.", "size": 5_005},
    {"type": "usage.recorded", "key": "u1", "input_tokens": 2, "output_tokens": 1},
    {"type": "usage.recorded", "key": "u1", "input_tokens": 2, "output_tokens": 9},
    {"type": "turn.ended", "message": "of another session", "sid": "other"},
    {"type": "compact.finished", "summary": "We fixed it.", "size": 12},
    {"type": "prompt.submitted", "text": "", "size": 300},
    {"type": "turn.failed", "error": "overloaded", "message": "try later"},
]
COMPACTION = Compaction(
    trigger="auto", tokens=168_000, after=12_000, seq=12, done_seq=12, summary_seq=12
)


@pytest.fixture
def directory(tmp_path: Path) -> str:
    """Return a journal with a session of one compaction."""
    return str(Journals.of(str(tmp_path)).write(EVENTS).parent)


def digest(**more: Any) -> Digest:
    """Return the digest of the session."""
    session = Session(compacted=[COMPACTION])
    return Digest(sid=SID, session=session, first=2, seq=14, **more)


def test_each_event_is_an_entry(directory: str) -> None:
    """Prompts, answers, calls, decisions and compactions are shown in order, repeats once."""
    entries, _ = read_journal(digest(), directory)
    assert [(entry.kind, entry.seq, entry.text) for entry in entries] == [
        ("prompt", 3, "fix it"), ("tool", 5, ""), ("tool", 6, ""), ("decision", 7, "Round once"),
        ("answer", 8, "Done."), ("compaction", 12, ""),
        ("prompt", 13, "(300 characters; the text is not recorded)"),
        ("note", 14, "overloaded: try later"),
    ]  # fmt: skip
    calls = [(call.name, call.about, call.ok, call.outcome) for call in
             (entry.tool for entry in entries) if call]  # fmt: skip
    assert calls == [("Bash", "make", True, "7 characters"), ("Edit", "", False, "no such file")]
    assert entries[4].cut == 5_000
    compaction = entries[5].compaction
    assert compaction is not None
    assert (compaction.trigger, compaction.before, compaction.summary) == (
        "auto", 168_000, "We fixed it.",
    )  # fmt: skip


def test_the_last_record_of_a_reply_counts(directory: str) -> None:
    """Tokens are those of each reply's last record; without replies there are none."""
    assert read_journal(digest(), directory)[1] == {
        "input_tokens": 2, "output_tokens": 9, "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }  # fmt: skip
    assert read_journal(digest(of=SID, seqs=[3]), directory)[1] == {}


def test_only_decisions(directory: str) -> None:
    """The decisions of a session are read alone, with their time and event."""
    (decision,) = decisions_in(digest(), directory)
    assert (decision.text, decision.seq, decision.at) == (
        "Round once",
        7,
        "2026-11-21T10:00:06.000Z",
    )


def test_a_part_has_its_own_events(directory: str) -> None:
    """Of an exported part only its events are read, and no compaction is counted."""
    part = digest(of=SID, seqs=[5, 8])
    assert [seq for seq, _ in records_of(part, directory)] == [5, 8]
    assert [entry.kind for entry in read_journal(part, directory)[0]] == ["tool", "answer"]


def test_records_after_another(directory: str) -> None:
    """Reading goes on after a seq, and ends with the last event of an ended session."""
    assert [seq for seq, _ in records_of(digest(), directory, after=12)] == [13, 14]
    ended = Digest(sid=SID, session=Session(ended="x"), first=2, seq=8)
    assert [seq for seq, _ in records_of(ended, directory)][-1] == 8


def test_an_answer_to_a_question(tmp_path: Path) -> None:
    """What the user answered stands beside the question."""
    call = {
        "type": "tool.finished",
        "tool": "AskUserQuestion",
        "choices": [["Red?", "Blue", "Red"]],
    }
    directory = str(Journals.of(str(tmp_path)).write([EVENTS[0], call]).parent)
    (entry,) = read_journal(digest(), directory)[0][:1]
    assert entry.tool is not None
    assert entry.tool.outcome == '"Red?": "Blue"'
