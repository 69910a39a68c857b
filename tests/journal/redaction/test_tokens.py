"""Tokens whose form names their issuer."""

from __future__ import annotations

import re

import pytest

from journal.redaction import redact
from journal.redaction.tokens import TOKENS, end_of_token, start_of_token
from tests.journal.redaction.rows import check_row


def test_row_redacts_its_example_and_keeps_its_counter_example() -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    for name, *_ in TOKENS:
        check_row(name)


@pytest.mark.parametrize(
    ("text", "end", "whole"),
    [("abc", 3, 3), ("abcdef", 3, 6), ("abc def", 3, 3), ("abc.def", 3, 3), ("abc_D-9", 3, 7)],
)
def test_a_token_goes_to_the_end_of_its_run(text: str, end: int, whole: int) -> None:
    """An issuer may lengthen its tokens: letters, digits, `_` and `-` behind one belong to it."""
    assert end_of_token(text, end) == whole


@pytest.mark.parametrize(("text", "start"), [("t vSZu-Xli", 2), ("t next-Xli", 7), ("vS.Xli", 3)])
def test_a_token_begins_where_its_run_does(text: str, start: int) -> None:
    """Letters of both cases with a hyphen behind belong to a token; a word before it does not."""
    assert start_of_token(text, text.index("Xli")) == start


@pytest.mark.parametrize("text", [
    "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n§\n§\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
    "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..§.§.§",
    "1385dfb81968ec984302505048861c80" + "FFFFNRAL",
])  # fmt: skip
def test_variants_of_a_format_go_whole(text: str) -> None:
    """A key of SSH2 has four hyphens, an encrypted token of JSON may have an empty part."""
    clean = redact(f"got {text.replace('§', 8 * 'aZ1q')} back")
    assert re.fullmatch(r"got \[redacted:[\w-]+\] back", clean)
