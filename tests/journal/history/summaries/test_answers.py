"""Findings of a session are read from whole answers if its transcript exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.summaries import backlog
from journal.history.summaries.backlog import with_findings
from projections.digest import Digest
from projections.finding import KeySentence
from projections.session import Session
from tests.journal.history.conversations.lines import SID, prompt_line, reply_line, written

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CAUSE = "The root cause is a stale index on orders."


def digest_with(path: Path) -> Digest:
    """Return a digest whose log names a transcript and has one finding of its own."""
    return Digest(
        sid=SID, session=Session(transcript=str(path)), findings=[KeySentence(3, "from the log")]
    )


def found(digest: Digest) -> list[str]:
    """Return the findings that a summary would use."""
    ((own, read),) = with_findings([digest])
    assert own is digest
    return [one.text for one in read.findings]


def test_the_end_of_a_long_answer_counts(tmp_path: Path) -> None:
    """A sentence beyond what the log stores of an answer is found, also in an earlier turn."""
    path = written(
        tmp_path / f"{SID}.jsonl", prompt_line(1, "Why is the export slow?"),
        reply_line(2, "I looked at the plan. " * 60 + CAUSE), prompt_line(3, "Fix it."), reply_line(4, "Done."),
    )  # fmt: skip
    assert CAUSE in found(digest_with(path))


def test_without_a_transcript_the_log_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the transcript is missing, misnamed or too large, the findings of the log are used."""
    other = written(tmp_path / "other.jsonl", prompt_line(1, "Why?"), reply_line(2, CAUSE))
    own = written(tmp_path / f"{SID}.jsonl", prompt_line(1, "Why?"), reply_line(2, CAUSE))
    assert found(digest_with(other)) == ["from the log"]
    assert found(digest_with(tmp_path / "gone" / f"{SID}.jsonl")) == ["from the log"]
    monkeypatch.setattr(backlog, "_ONE", own.stat().st_size - 1)
    assert found(digest_with(own)) == ["from the log"]


def test_a_chosen_sentence_is_redacted_with_its_answer(tmp_path: Path) -> None:
    """A secret is redacted from the answer's findings, and another sentence is still found."""
    secret = "x7Kq9LmP2vRt"
    answer = f"The root cause is DB_PASSWORD={secret} in .env. " + CAUSE
    path = written(
        tmp_path / f"{SID}.jsonl", prompt_line(1, "Why is it slow?"), reply_line(2, answer)
    )
    texts = found(digest_with(path))
    assert CAUSE in texts
    assert secret not in str(texts)
    assert "[redacted:" in str(texts)


def test_results_of_tools_are_passed_over(tmp_path: Path) -> None:
    """A tool's result gives no finding; an answer that quotes one does."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "The root cause is a typo."}
    quote = 'It prints {"type":"tool_result"} because the log in log.py is nested.'
    path = written(
        tmp_path / f"{SID}.jsonl", prompt_line(1, "Why?"), reply_line(2, call), prompt_line(3, [result]), reply_line(4, quote)
    )  # fmt: skip
    assert found(digest_with(path)) == [quote]
