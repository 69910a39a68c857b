"""Texts of people and models are cut into sentences without markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.prose import (
    is_announcement,
    is_request,
    is_substantial,
    opening,
    sentences,
)
from tests.support.rows import each


@each(
    ("text", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See cart.py for e.g. the total. Then stop.", ["See cart.py for e.g. the total.",
                                                        "Then stop."]),
        ("Version 2.1 is out", ["Version 2.1 is out"]),
        ("It turns 31.02. into March. Use 2.1. Then go.", ["It turns 31.02. into March.",
                                                           "Use 2.1.", "Then go."]),
        ("# Plan\n- first thing\n- second thing", ["Plan", "first thing", "second thing"]),
        ("- only cents\n  and no floats\nFirst step: pay.py", ["only cents and no floats",
                                                             "First step: pay.py"]),
        ("1. only cents\nand no floats", ["1. only cents and no floats"]),
        ("one line\nof a paragraph\n\nanother", ["one line of a paragraph", "another"]),
        ("直してください。「はい」と言った。次", ["直してください。", "「はい」と言った。", "次"]),
        ("```\nx = 1\n```\nwhy?", ["why?"]),
        ("---\n***\n", []),
        ("", []),
        ("Thanks! Now fix it.", ["Now fix it."]),
        ("1. First do this. 2. Then that.", ["1. First do this.", "2. Then that."]),
        ("**Cause**: the cache. Next", ["Cause: the cache.", "Next"]),
        ("Nothing is logged.** Here is why", ["Nothing is logged.", "Here is why"]),
        ("Match src/**/*.py and **all** of `a ** b`", ["Match src/**/*.py and all of `a ** b`"]),
        ("2**10 entries, a ** b", ["2**10 entries, a ** b"]),
        ("これは**重要**です", ["これは重要です"]),
        ("`Point` has `x`. Then", ["`Point` has `x`.", "Then"]),
        ("Call `f. It` fails. See `g`", ["Call f.", "It fails.", "See `g`"]),
        ("Building //... takes 41 min... or so. Why? Go ./... Next", [
            "Building //... takes 41 min... or so.", "Why?", "Go ./...", "Next"]),
        ("See Sec. 5.2 and Fig. 3 there. It took 5 sec. Then", [
            "See Sec. 5.2 and Fig. 3 there.", "It took 5 sec.", "Then"]),
        ("It is off. --stamp is on. ~/scans is read-only. ~~", [
            "It is off.", "--stamp is on.", "~/scans is read-only."]),
        ("यह ठीक है। आगे बढ़ो। هل هو؟ نعم هو", ["यह ठीक है।", "आगे बढ़ो।", "هل هو؟", "نعم هو"]),
        ("Before\n| a | b |\n|---|---|\n| 1 | 2 |\nAfter", ["Before", "After"]),
    ],
)  # fmt: skip
def test_sentences(text: str, found: list[str]) -> None:
    """Text is cut at sentences, paragraphs and items; code, rules and greetings are left out."""
    assert list(sentences(text)) == found


@given(st.text(max_size=2000), st.integers(2, 200))
def test_an_opening_is_of_the_text(text: str, most: int) -> None:
    """An opening is one bounded line, and its words occur in the text in that order."""
    found = opening(text, most)
    assert len(found) <= most
    assert "\n" not in found
    found, text = ("".join(sign for sign in part if sign not in "*`") for part in (found, text))
    at = 0
    for word in found.rstrip("…").split():
        assert (at := text.find(word, at) + len(word)) >= len(word)


@each(
    ("text", "found"),
    [
        (
            "Implement the following plan:\n\n# Discount codes\n\n## Context",
            "Discount codes",
        ),
        ("Implement the plan:\n\n# Plan: Codes", "Implement the plan: Codes"),
        ("Implement the plan:\n\n# Planned codes", "Implement the plan: Planned codes"),
        ("Why does this happen: it fails. Tell me.", "Why does this happen: it fails."),
        (
            "以下の計画を実装してください\N{FULLWIDTH COLON}\n\n割引コード",
            "以下の計画を実装してください\N{FULLWIDTH COLON}割引コード",
        ),
        ("Fix this:\n```\nTraceback\n```", "Fix this:"),
        ("Fix it. Then this: that.", "Fix it."),
        ("Help! These are stacked. Do them.", "Help! These are stacked."),
        ("Fix:\n\nthe cart.", "Fix: the cart."),
        ("Go", "Go"),
    ],
)
def test_an_opening_says_something(text: str, found: str) -> None:
    """A first sentence that ends in a colon or is one word comes with the next one, if any."""
    assert opening(text, 80) == found


@given(st.text(max_size=300))
def test_a_request_is_one_or_not(text: str) -> None:
    """For any text it is decided whether it says something; blanks never do."""
    assert is_request(text) in (True, False)
    assert not is_request(" " * len(text))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("It has two parts:", True),
        ("次の通りです\N{FULLWIDTH COLON}", True),
        ("Let me look at the cache.", True),
        ("Now let me look at the cache.", True),
        ("But first, I need to clear the cache.", True),
        ("OK, so I'll clear it.", True),
        ("Now lets the cache through.", False),
        ("But if you clear it, the totals differ.", False),
        ("The cache lets me look.", False),
        ("Found: the cache is stale.", False),
    ],
)
def test_announcements(text: str, is_one: bool) -> None:
    """A sentence that only says what comes next is told from one that says something."""
    assert is_announcement(text) is is_one


@each(
    ("text", "is_one"),
    [
        ("go on with it", False), ("fix cart.py", True), ("run test_cart", True), ("cart.py", False),
        ("/probe:hello now", False), ("cart.pyを直す", True), ("続けて", False),
        ("add dark mode", True), ("Fix the login bug.", True), ("fix it now", False), ("test", False),
        ("测试要覆盖空购物车", True), ("没问题\N{FULLWIDTH COMMA}继续下一步", False),
    ],
)  # fmt: skip
def test_a_request_with_a_name_says_what_is_wanted(text: str, is_one: bool) -> None:
    """A few words are enough if one names a file or an identifier, or they say what to do."""
    assert is_substantial(text) == is_one
