"""Tokens whose form names their issuer."""

from __future__ import annotations

import pytest

from journal.redaction.tokens import TOKENS, end_of_token
from tests.journal.redaction.rows import check_row


@pytest.mark.parametrize("name", [row[0] for row in TOKENS])
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    check_row(name)


@pytest.mark.parametrize(
    ("text", "end", "whole"),
    [("abc", 3, 3), ("abcdef", 3, 6), ("abc def", 3, 3), ("abc.def", 3, 3), ("abc_D-9", 3, 7)],
)
def test_a_token_goes_to_the_end_of_its_run(text: str, end: int, whole: int) -> None:
    """An issuer may lengthen its tokens: letters, digits, `_` and `-` behind one belong to it."""
    assert end_of_token(text, end) == whole
