"""The text of the status line fits into any width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks.status_line.text import Facts, compose
from journal.text import short_count, width


@given(
    st.integers(0, 2_000_000) | st.none(), st.integers(1, 2_000_000) | st.none(), st.text(),
    st.text(), st.text(), st.integers(1, 120), st.booleans(),
)  # fmt: skip
def test_a_line_fits(tokens, point, model, state, stage, columns, colour):
    """The line is a single line, printable except for colour, and never wider than asked for."""
    facts = Facts()
    facts.tokens, facts.point, facts.model, facts.stage = tokens, point, model, stage
    facts.state, facts.untested = f"off: {state}", model
    facts.level = "urgent"
    text = compose(facts, columns, colour=colour)
    for mark in ("\x1b[31m", "\x1b[33m", "\x1b[0m"):
        text = text.replace(mark, "")
    assert text.isprintable()
    assert width(text) <= columns


@pytest.mark.parametrize("tokens, text", [
    (0, "0"), (999, "999"), (1_000, "1k"), (1_499, "1k"), (1_500, "2k"), (999_499, "999k"),
    (999_500, "1.0M"), (1_250_000, "1.2M"),
])  # fmt: skip
def test_short(tokens, text):
    """Token counts take about four characters."""
    assert short_count(tokens) == text
