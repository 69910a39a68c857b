"""What an entry of a conversation says of itself."""

from __future__ import annotations

import pytest

from journal.history.conversations.model import Skipped, ToolCall


@pytest.mark.parametrize(
    ("call", "changes"),
    [(ToolCall("Edit", ok=True), True), (ToolCall("Write", ok=True), True),
     (ToolCall("Edit", ok=False), False), (ToolCall("Edit"), False), (ToolCall("Read", ok=True), False)],
)  # fmt: skip
def test_a_call_that_succeeded_may_have_changed_a_file(call: ToolCall, changes: bool) -> None:
    """A refused or failed call changed none, and neither did one whose result is unknown."""
    assert call.changes is changes


def test_only_texts_that_are_there_are_shown() -> None:
    """Input and output are empty unless they were asked for."""
    assert ToolCall("Bash").texts == []
    assert ToolCall("Bash", input="ls", output="").texts == ["ls"]


@pytest.mark.parametrize("name", ["broken", "long", "torn", "damaged"])
def test_anything_unreadable_counts(name: str) -> None:
    """A conversation of which any part was left out is not whole."""
    assert not Skipped()
    assert Skipped(**{name: 1})
