"""Subagents of a session: their transcripts, and their places in its conversation."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.history.conversations.model import Entry, ToolCall
from journal.history.conversations.subagents import insert, subagents, use_of

if TYPE_CHECKING:
    from pathlib import Path


def test_they_are_in_the_order_in_which_they_ended(tmp_path: Path) -> None:
    """Only files of subagents count."""
    folder = tmp_path / "subagents"
    folder.mkdir()
    for name, ended in (("agent-b", 1), ("agent-a", 2), ("other", 3)):
        (folder / f"{name}.jsonl").write_text("{}\n")
        os.utime(folder / f"{name}.jsonl", (ended, ended))
    assert [(agent, os.path.basename(path)) for agent, path in subagents(str(tmp_path))] == [
        ("b", "agent-b.jsonl"), ("a", "agent-a.jsonl"),
    ]  # fmt: skip
    assert subagents(str(tmp_path / "none")) == []


@pytest.mark.parametrize(
    ("text", "use"),
    [('{"toolUseId": "t1"}', "t1"), ('{"toolUseId": 1}', ""), ("{}", ""), ("[]", ""), ("{", ""),
     ('{"toolUseId": "t1"}' + " " * 65536, ""), (None, "")],
)  # fmt: skip
def test_the_call_that_started_one(tmp_path: Path, text: str | None, use: str) -> None:
    """It is read from the file beside the transcript, whatever that contains."""
    if text is not None:
        (tmp_path / "agent-a.meta.json").write_text(text)
    assert use_of(str(tmp_path / "agent-a.jsonl")) == use


def main() -> list[Entry]:
    """Return a conversation of three calls; the first has no ID."""
    return [
        Entry("tool", at="1", text="p", tool=ToolCall()),
        Entry("tool", at="2", text="one", tool=ToolCall(use="t1")),
        Entry("tool", at="4", text="two", tool=ToolCall(use="t2")),
    ]


@pytest.mark.parametrize(
    ("use", "began", "texts"),
    [("t1", "9", ["p", "one", "side", "two"]), ("t2", "0", ["p", "one", "two", "side"]),
     ("", "3", ["p", "one", "side", "two"]), ("t9", "3", ["p", "one", "side", "two"]),
     ("", "2", ["p", "one", "side", "two"]), ("", "9", ["p", "one", "two", "side"])],
)  # fmt: skip
def test_a_subagent_follows_its_call(use: str, began: str, texts: list[str]) -> None:
    """Without a known call its time decides."""
    entries = main()
    insert(entries, [Entry("answer", at=began, text="side", agent="a")], use)
    assert [entry.text for entry in entries] == texts


def test_two_subagents_of_a_call_stay_apart() -> None:
    """The second one follows the first; one without entries changes nothing."""
    entries = main()
    for agent in ("a", "b"):
        insert(entries, [Entry("answer", at="3", text=agent, agent=agent)] * 2, "t1")
    insert(entries, [], "t1")
    assert [entry.text for entry in entries] == ["p", "one", "a", "a", "b", "b", "two"]
