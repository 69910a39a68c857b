"""The selected sessions: a table of changes, and their law."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.serve.page.selection import Selection, insert, move, remove, toggle

ABC = ("a", "b", "c")


@pytest.mark.parametrize(
    "changed, wanted",
    [
        pytest.param(insert((), "a"), "a", id="first"),
        pytest.param(insert(ABC, "d"), "abcd", id="last-without-a-place"),
        pytest.param(insert(ABC, "d", 0), "dabc", id="before-the-first"),
        pytest.param(insert(ABC, "d", 2), "abdc", id="before-the-third"),
        pytest.param(insert(ABC, "d", 99), "abcd", id="behind-the-end"),
        pytest.param(insert(ABC, "d", -5), "dabc", id="before-the-beginning"),
        pytest.param(insert(ABC, "b"), "abc", id="there-already"),
        pytest.param(insert(ABC, "a", 3), "bca", id="moved-to-the-end"),
        pytest.param(insert(ABC, "a", 2), "bac", id="moved-before-the-third"),
        pytest.param(insert(ABC, "c", 0), "cab", id="moved-to-the-front"),
        pytest.param(insert(ABC, "b", 1), "abc", id="dropped-on-itself"),
        pytest.param(insert(ABC, "b", 2), "abc", id="dropped-behind-itself"),
        pytest.param(move(ABC, "a", 1), "bac", id="down"),
        pytest.param(move(ABC, "c", -1), "acb", id="up"),
        pytest.param(move(ABC, "a", -1), "abc", id="up-at-the-top"),
        pytest.param(move(ABC, "c", 7), "abc", id="down-at-the-end"),
        pytest.param(move(ABC, "x", 1), "abc", id="shift-of-a-stranger"),
        pytest.param(remove(ABC, "b"), "ac", id="removed"),
        pytest.param(remove(ABC, "x"), "abc", id="removal-of-a-stranger"),
        pytest.param(toggle(ABC, "b"), "ac", id="toggled-out"),
        pytest.param(toggle(ABC, "d"), "abcd", id="toggled-in"),
    ],
)
def test_changes(changed: Selection, wanted: str) -> None:
    """Each change gives the order a person expects."""
    assert "".join(changed) == wanted


KEYS = st.sampled_from("abcdef")
CHANGES = st.one_of(
    st.tuples(st.just("insert"), KEYS, st.none() | st.integers(-3, 9)),
    st.tuples(st.just("move"), KEYS, st.integers(-9, 9)),
    st.tuples(st.just("remove"), KEYS, st.none()),
    st.tuples(st.just("toggle"), KEYS, st.none()),
)


@given(st.lists(CHANGES, max_size=30))
def test_law_of_order(changes: list[tuple[str, str, int | None]]) -> None:
    """After any changes a session is selected at most once, and the others keep their order."""
    selection: Selection = ()
    for what, key, number in changes:
        before = selection
        if what == "insert":
            selection = insert(selection, key, number)
        elif what == "move":
            selection = move(selection, key, number or 0)
        elif what == "remove":
            selection = remove(selection, key)
        else:
            selection = toggle(selection, key)
        after = selection
        assert len(set(after)) == len(after)
        assert [k for k in after if k != key] == [k for k in before if k != key]
        there = {"insert": True, "move": key in before, "remove": False,
                 "toggle": key not in before}  # fmt: skip
        assert (key in after) == there[what]
        if what == "move" and key in before:
            wanted = min(max(before.index(key) + (number or 0), 0), len(before) - 1)
            assert after.index(key) == wanted
        if what == "insert" and number is not None:
            behind = [k for k in before[max(number, 0) :] if k != key]
            assert list(after[after.index(key) + 1 :]) == behind
