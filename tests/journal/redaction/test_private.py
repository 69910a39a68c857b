"""Passages that a user marked as private."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.redaction.private import without_private

CASES = {
    "a <private>b</private> c": "a [private] c",
    "<PRIVATE>b</Private>": "[private]",
    "a <private>b": "a [private]",
    "a <private>b <private>c</private> d</private> e": "a [private] e",
    "<private>a</private><private>b</private>": "[private][private]",
    "İ <private>b</private> c": "İ [private] c",
    "no tag < here": "no tag < here",
    "the end of it</private> c": "[private] c",
    "b</private> c <private>d</private>": "[private] c [private]",
}


@pytest.mark.parametrize("text", CASES)
def test_passages(text: str) -> None:
    """A passage is replaced whole, nested ones included; without an end, to the end of the text."""
    assert without_private(text) == CASES[text]


@given(st.lists(st.sampled_from(["<private>", "</private>", "Q", "a ", "İ", "<"])))
def test_nothing_private_comes_through(parts: list[str]) -> None:
    """A Q between the tags is never in the result; a Q outside them always is.

    A text whose first tag is a closing one begins within a passage.
    """
    tags = [at for at, part in enumerate(parts) if "private" in part]
    if tags and parts[tags[0]] == "</private>":
        parts = ["<private>", *parts]
    depth, shown = 0, 0
    for part in parts:
        depth += part == "<private>"
        depth -= part == "</private>" and depth > 0
        shown += part == "Q" and not depth
    assert without_private("".join(parts)).count("Q") == shown
