"""Sections and sentences of a summary that Claude wrote."""

from __future__ import annotations

import pytest

from projections.extract import best, section, work_section
from tests.projections.digested import COMPACT
from tests.support.rows import each


@each(
    ("text", "what", "found"),
    [
        (COMPACT, "work", "The rounding of cart lines moved"),
        (COMPACT, "pending", "Round the tax as well"),
        ("## Next steps\nship it\n## Other\nx", "pending", "ship it"),
        ("**Current Work**\nthe cart\n**Notes**\nx", "work", "the cart"),
        ("現在の作業:\nカートを直した。\n残り:\n税", "work", "カートを直した。"),
        ("현재 작업:\n장바구니\n남은 작업:\n세금", "pending", "세금"),
        ("1. Primary request: codes. 2. Decision: cents. 3. Pending: tests.", "pending", "tests."),
        ("1. Primary request: codes. 2. Decision: cents. 3. Pending: tests.", "decided", "cents."),
        ("Just text without any heading.", "work", ""),
        ("I like progress: it is good", "work", ""),
    ],
)
def test_sections(text: str, what: str, found: str) -> None:
    """A section is found by its heading, numbered, marked up or plain; prose has none."""
    got = section(text, what)
    assert found in got
    assert bool(got) == bool(found)


def test_the_best_sentences() -> None:
    """The best sentences are about the request and its files, in the text's order and words."""
    text = (
        "I looked around a little. The cart total now rounds each line. It was a nice day. "
        "The cart total has a test for zero lines. Bye then."
    )
    found = best(text, "round the cart total", 2, 100)
    assert found == [
        "The cart total now rounds each line.", "The cart total has a test for zero lines.",
    ]  # fmt: skip
    text = "少し見ました。カートの合計は行ごとに丸めます。今日は晴れ。カートの合計にテストがある。"
    assert best(text, "カートの合計を丸める", 1, 100) == ["カートの合計は行ごとに丸めます。"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. Primary request: codes. 2. Decision: cents. 3. Pending: tests.", ""),
        ("Request: codes\nNotes:\nThe cart was made.\nPending:\ntests", "The cart was made."),
        ("The cart was made. Now the tests.", "The cart was made. Now the tests."),
        (COMPACT, "The rounding of cart lines moved into money.py."),
    ],
)
def test_what_a_summary_says_was_done(text: str, found: str) -> None:
    """The work is a summary's section about it, else what is not request, decision or pending."""
    got = work_section(text).strip()
    assert found in got
    assert bool(got) == bool(found)


def test_changes_are_the_work() -> None:
    """Of a summary without a section about the work, the one about changes counts alone."""
    assert work_section("## Notes\nNothing.\n## Changes\nThe cart rounds.") == "\nThe cart rounds."
