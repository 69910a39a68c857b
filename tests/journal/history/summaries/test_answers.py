"""What a session found out is read from whole answers where its transcript is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.summaries import answers
from journal.history.summaries.answers import with_findings
from projections.digest import Digest
from projections.finding import Finding
from projections.session import Session
from tests.journal.history.conversations.lines import SID, asked, said, written

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CAUSE = "The root cause is a stale index on orders."


def digest_with(path: Path) -> Digest:
    """Make a session whose log names a transcript, and has one finding of its own."""
    return Digest(
        sid=SID, session=Session(transcript=str(path)), findings=[Finding(3, "from the log")]
    )


def found(digest: Digest) -> list[str]:
    """Give the findings a summary is made with."""
    ((own, read),) = with_findings([digest])
    assert own is digest
    return [one.text for one in read.findings]


def test_the_end_of_a_long_answer_counts(tmp_path: Path) -> None:
    """The sentence stands behind more words than a log has of an answer, turns before the last."""
    path = written(
        tmp_path / f"{SID}.jsonl", asked(1, "Why is the export slow?"),
        said(2, "I looked at the plan. " * 60 + CAUSE), asked(3, "Fix it."), said(4, "Done."),
    )  # fmt: skip
    assert CAUSE in found(digest_with(path))


def test_without_a_transcript_the_log_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleted, of another name, or too large to be read in the background: what the log has stays."""
    other = written(tmp_path / "other.jsonl", asked(1, "Why?"), said(2, CAUSE))
    own = written(tmp_path / f"{SID}.jsonl", asked(1, "Why?"), said(2, CAUSE))
    assert found(digest_with(other)) == ["from the log"]
    assert found(digest_with(tmp_path / "gone" / f"{SID}.jsonl")) == ["from the log"]
    monkeypatch.setattr(answers, "_ONE", own.stat().st_size - 1)
    assert found(digest_with(own)) == ["from the log"]
