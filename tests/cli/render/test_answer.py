"""An answer as text: each part under who gets it."""

from __future__ import annotations

import pytest

from cli.render.answer import answer_lines
from projections.messages.message import Answer


@pytest.mark.parametrize(("part", "recipient"), [
    ("context", "to Claude:"),
    ("message", "to you:"),
    ("plain", "to the summary:"),
    ("block", "to you, and the command does not run:"),
])  # fmt: skip
def test_recipient(part, recipient):
    """Each part of an answer is under the one who reads it."""
    assert list(answer_lines(Answer(**{part: "hello"}), 80)) == [recipient, "> hello"]
