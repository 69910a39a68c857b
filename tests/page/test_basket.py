"""The context area as a value: a table of changes, and the law they keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.serve.page.basket import Item, keys, meter, place, remove, shift, toggle


def item(key: str) -> Item:
    """Make a session to put in."""
    return Item(key, f"Title of {key}", "shop")


ABC = (item("a"), item("b"), item("c"))


@pytest.mark.parametrize(
    "changed, wanted",
    [
        pytest.param(place((), item("a")), "a", id="first"),
        pytest.param(place(ABC, item("d")), "abcd", id="last-without-a-place"),
        pytest.param(place(ABC, item("d"), 0), "dabc", id="before-the-first"),
        pytest.param(place(ABC, item("d"), 2), "abdc", id="before-the-third"),
        pytest.param(place(ABC, item("d"), 99), "abcd", id="behind-the-end"),
        pytest.param(place(ABC, item("d"), -5), "dabc", id="before-the-beginning"),
        pytest.param(place(ABC, item("b")), "abc", id="there-already"),
        pytest.param(place(ABC, item("a"), 3), "bca", id="moved-to-the-end"),
        pytest.param(place(ABC, item("a"), 2), "bac", id="moved-before-the-third"),
        pytest.param(place(ABC, item("c"), 0), "cab", id="moved-to-the-front"),
        pytest.param(place(ABC, item("b"), 1), "abc", id="dropped-on-itself"),
        pytest.param(place(ABC, item("b"), 2), "abc", id="dropped-behind-itself"),
        pytest.param(shift(ABC, "a", 1), "bac", id="down"),
        pytest.param(shift(ABC, "c", -1), "acb", id="up"),
        pytest.param(shift(ABC, "a", -1), "abc", id="up-at-the-top"),
        pytest.param(shift(ABC, "c", 7), "abc", id="down-at-the-end"),
        pytest.param(shift(ABC, "x", 1), "abc", id="shift-of-a-stranger"),
        pytest.param(remove(ABC, "b"), "ac", id="removed"),
        pytest.param(remove(ABC, "x"), "abc", id="removal-of-a-stranger"),
        pytest.param(toggle(ABC, item("b")), "ac", id="toggled-out"),
        pytest.param(toggle(ABC, item("d")), "abcd", id="toggled-in"),
    ],
)
def test_changes(changed: tuple[Item, ...], wanted: str) -> None:
    """Each change gives the order a person expects."""
    assert "".join(keys(changed)) == wanted


KEYS = st.sampled_from("abcdef")
CHANGES = st.one_of(
    st.tuples(st.just("place"), KEYS, st.none() | st.integers(-3, 9)),
    st.tuples(st.just("shift"), KEYS, st.integers(-9, 9)),
    st.tuples(st.just("remove"), KEYS, st.none()),
    st.tuples(st.just("toggle"), KEYS, st.none()),
)


@given(st.lists(CHANGES, max_size=30))
def test_law_of_order(changes: list[tuple[str, str, int | None]]) -> None:
    """Whatever is done, a session is in at most once and the others keep their order among them."""
    basket: tuple[Item, ...] = ()
    for what, key, number in changes:
        before = keys(basket)
        if what == "place":
            basket = place(basket, item(key), number)
        elif what == "shift":
            basket = shift(basket, key, number or 0)
        elif what == "remove":
            basket = remove(basket, key)
        else:
            basket = toggle(basket, item(key))
        after = keys(basket)
        assert len(set(after)) == len(after)
        assert [k for k in after if k != key] == [k for k in before if k != key]
        there = {"place": True, "shift": key in before, "remove": False,
                 "toggle": key not in before}  # fmt: skip
        assert (key in after) == there[what]
        if what == "shift" and key in before:
            wanted = min(max(before.index(key) + (number or 0), 0), len(before) - 1)
            assert after.index(key) == wanted
        if what == "place" and number is not None:
            behind = [k for k in before[max(number, 0) :] if k != key]
            assert after[after.index(key) + 1 :] == behind


@pytest.mark.parametrize(
    "tokens, remaining, chosen, level, words",
    [
        pytest.param(0, None, False, "empty", "Nothing is chosen yet", id="empty"),
        pytest.param(0, 900, True, "empty", "900 left", id="empty-with-a-session"),
        pytest.param(40, None, False, "unknown", "no live session is chosen", id="no-session"),
        pytest.param(40, None, True, "unknown", "left is unknown (compacted)", id="unknown"),
        pytest.param(40, 0, True, "over", "nothing is left", id="nothing-left"),
        pytest.param(400, 1000, True, "ok", "About 400 tokens: 40% of the 1,000 left", id="fits"),
        pytest.param(500, 1000, True, "high", "50% of the 1,000 left", id="half"),
        pytest.param(1001, 1000, True, "over", "100% of the 1,000 left", id="just-too-much"),
        pytest.param(3, 1000, True, "ok", "less than 1% of", id="next-to-nothing"),
    ],
)
def test_meter(tokens: int, remaining: int | None, chosen: bool, level: str, words: str) -> None:
    """What a block costs is put in words; unknown is said as unknown, and is no share."""
    found = meter(tokens, remaining, "compacted" if chosen else "", chosen=chosen)
    assert (found.level, found.tokens) == (level, tokens)
    assert words in found.words
    assert (found.share is None) == (remaining in (None, 0))
