"""What an import reads from a reply's usage beyond the four counts."""

from __future__ import annotations

import json

import pytest

from journal.history.importer.figures import figures_of, token_members
from journal.history.importer.records import line_of

FOUR = {"input_tokens": 1, "output_tokens": 2, "cache_creation_input_tokens": 30,
        "cache_read_input_tokens": 4}  # fmt: skip


@pytest.mark.parametrize("more,extra", [
    ({}, {}),
    ({"cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20}},
     {"cache_creation_1h_input_tokens": 20}),
    ({"cache_creation": {"ephemeral_1h_input_tokens": 31}}, {}),
    ({"cache_creation": {"ephemeral_1h_input_tokens": "x"}}, {}),
    ({"cache_creation": None, "speed": "standard"}, {}),
    ({"speed": "fast"}, {"speed": "fast"}),
    ({"speed": 3}, {}),
])  # fmt: skip
def test_cache_and_speed(more, extra):
    """Tokens in the one-hour cache and fast mode are read, unless implausible or of another type."""
    line = line_of(
        json.dumps({"type": "assistant", "message": {"usage": {**FOUR, **more}}}).encode()
    )
    figures = figures_of(line.message.usage)
    assert token_members(figures) == {**FOUR, **extra}
