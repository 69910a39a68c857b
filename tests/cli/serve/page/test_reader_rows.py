"""Rows of the reader."""

from __future__ import annotations

import pytest

from cli.serve.page.reader_rows import compaction_rows, first_rows, reader_rows
from journal.history.conversations.model import Compacted, Conversation, Entry, ToolCall


@pytest.mark.parametrize("days", [1, 2])
def test_compactions_of_several_days_have_their_day(days: int) -> None:
    """The list of compactions names a day only where time alone would not say when."""
    rows = [
        part
        for day in range(days)
        for part in (
            {"kind": "day", "text": f"2026-11-2{day}"},
            {"kind": "compaction", "at": "09:30"},
        )
    ]
    wanted = ["09:30"] if days == 1 else ["2026-11-20 09:30", "2026-11-21 09:30"]
    assert [row["at"] for row in compaction_rows(rows)] == wanted


def test_each_kind_of_entry_has_its_row() -> None:
    """Texts are parts, a call has its outcome and whether it failed, and rows are numbered."""
    call = ToolCall(
        "Bash", "t1", "make", ok=False, outcome="exit 2", input="make", output="no rule"
    )
    found = Conversation(
        entries=[
            Entry("prompt", "2026-11-20T10:00:00.000Z", "fix `it`"),
            Entry("tool", "2026-11-20T10:00:01.000Z", tool=call),
            Entry(
                "compaction", "2026-11-20T10:00:02.000Z", compaction=Compacted("auto", summary="s")
            ),
        ]
    )
    rows = reader_rows(found)
    assert [row["id"] for row in rows] == list(range(len(rows)))
    by_kind = {row["kind"]: row for row in rows}
    assert "it" in str(by_kind["prompt"]["parts"])
    tool = by_kind["tool"]
    assert (tool["name"], tool["text"], tool["bad"], tool["use"]) == ("Bash", "make", True, "t1")
    assert tool["details"] == ["make", "no rule"]
    assert by_kind["compaction"]["parts"]


def test_a_long_text_is_drawn_in_part() -> None:
    """Of one text 20,000 characters are drawn, and how many more there are."""
    found = Conversation(entries=[Entry("answer", "2026-11-20T10:00:00.000Z", "x" * 20_001)])
    (row,) = (row for row in reader_rows(found) if row["kind"] == "answer")
    shown = str(row["parts"])
    assert "… 1 character more" in shown
    assert "x" * 20_000 in shown
    assert "x" * 20_001 not in shown


@pytest.mark.parametrize(
    "count, shown", [(0, 0), (1, 0), (2, 0), (3, 3), (4, 3), (5, 5), (6, 5), (7, 7), (9, 7)]
)
def test_a_heading_is_shown_with_its_text(count: int, shown: int) -> None:
    """A part of the rows does not end with a day or a speaker, unless the conversation does."""
    kinds = ("day", "speaker", "prompt", "speaker", "answer", "day", "speaker")
    rows = [{"kind": kind} for kind in kinds]
    assert first_rows(rows, count) == rows[:shown]
