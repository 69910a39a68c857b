"""Which sessions a selector chooses, and the error if it chooses none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.past.select import Choice, is_id, list_length, pick, possible_ids, select
from journal.errors import UsageError
from tests.support.rows import each

IDS = (
    "3f0e5c1a-52d7-4a8e-9f39-0c6f1b2d4e01",
    "3f0e9999-1111-4222-8333-444455556666",
    "12345678-9abc-4def-8123-456789abcdef",
    "88776655-4433-4221-8100-ffeeddccbbaa",
    "plain",
)
ELSEWHERE = "c0ffee00-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("wanted", "picks"),
    [
        pytest.param("last", [0], id="last"),
        pytest.param("LAST", [0], id="capitals"),
        pytest.param("last 1", [0], id="last-1"),
        pytest.param("last 2", [0, 1], id="last-n"),
        pytest.param("  last   3 ", [0, 1, 2], id="spaces"),
        pytest.param("1", [0], id="one"),
        pytest.param("1,3", [0, 2], id="list"),
        pytest.param("3,1", [2, 0], id="order-asked"),
        pytest.param("1, 3,", [0, 2], id="list-with-spaces"),
        pytest.param("1 3", [0, 2], id="list-without-commas"),
        pytest.param("1-3", [0, 1, 2], id="range"),
        pytest.param("1 - 3", [0, 1, 2], id="range-with-spaces"),
        pytest.param("2-2", [1], id="range-of-one"),
        pytest.param("1\u20133", [0, 1, 2], id="en-dash"),
        pytest.param("\uff11\u3001\uff13", [0, 2], id="full-width"),
        pytest.param("1-3,2,5", [0, 1, 2, 4], id="no-repeats"),
        pytest.param("4-5,last 2", [3, 4, 0, 1], id="mixed"),
        pytest.param("#2", [1], id="with-a-sign"),
        pytest.param("002", [1], id="zeros-before"),
        pytest.param("all", [0, 1, 2, 3, 4], id="all"),
        pytest.param(IDS[1], [1], id="id"),
        pytest.param("3f0e5", [0], id="beginning"),
        pytest.param("plain", [4], id="id-of-any-form"),
        pytest.param("1234", [2], id="digits-that-begin-an-id"),
        pytest.param("88776655-4433", [3], id="range-that-begins-an-id"),
        pytest.param("3f0e5,1-2," + IDS[2], [0, 1, 2], id="ids-and-numbers"),
    ],
)
def test_a_selector_chooses(wanted: str, picks: list[int]) -> None:
    """Each form gives positions in the order asked for, each once."""
    assert select(wanted, IDS) == Choice(picks)


@pytest.mark.parametrize(
    ("wanted", "what"),
    [
        pytest.param("0", "0: out of range", id="zero"),
        pytest.param("6", "6: out of range", id="too-high"),
        pytest.param("1,6", "6: out of range", id="one-of-them-too-high"),
        pytest.param("4-6", "4-6: out of range", id="range-too-high"),
        pytest.param("0-2", "0-2: out of range", id="range-from-zero"),
        pytest.param("3-1", "3-1: goes backwards", id="backwards"),
        pytest.param("1-99999999999999999999", "out of range", id="a-range-without-end"),
        pytest.param("9" * 5000, "out of range", id="a-number-without-end"),
        pytest.param("last 0", 'no session matches "last 0"', id="last-0"),
        pytest.param("1,foo", "foo: neither a number nor a session", id="number-and-word"),
        pytest.param("deadbeef-0000", 'no session matches "deadbeef-0000"', id="unknown-id"),
        pytest.param("deadbeef00.12", 'no session matches "deadbeef00.12"', id="unknown-part"),
        pytest.param("3f0e", "matches 2 sessions", id="two-meant"),
        pytest.param("", "nothing is selected", id="empty"),
        pytest.param(" , ,", "nothing is selected", id="commas-alone"),
    ],
)
def test_what_chooses_nothing_is_refused(wanted: str, what: str) -> None:
    """A selector out of range or unknown is refused with what exists."""
    with pytest.raises(UsageError) as caught:
        select(wanted, IDS)
    assert what in caught.value.what
    assert len(caught.value.what) < 160
    there = ("there are 1 to 5", f"name one of them: {IDS[0]}, {IDS[1]}")
    assert caught.value.remedy in there or "journal search" in caught.value.remedy


@each(
    "wanted",
    [
        "1-",
        "-3",
        "1..3",
        "1-2-3",
        "#",
        "`1`",
        "last-3",
        "last3",
        "last last",
        "all!",
        "--",
        "?",
        "1 -",
        "1\u2013",
    ],
)
def test_a_slip_is_refused(wanted: str) -> None:
    """A text that is neither a selector nor words is refused with the valid forms."""
    with pytest.raises(UsageError, match="ambiguous") as refused:
        select(wanted, IDS)
    assert "1-3" in refused.value.remedy


@each(
    "wanted",
    ["login bug", "2 phase commit", "error 404", "last week", "all the tests", "hello, world",
     "2026-11-21", "1.2.3", "認証", "로그인", "plain words", "no-such-session"],
)  # fmt: skip
def test_words_are_searched_for(wanted: str) -> None:
    """A text that is not a selector as a whole is a search, with its numbers."""
    assert select(wanted, IDS) == Choice([], wanted)


def test_more_than_there_are_gives_all_and_says_so() -> None:
    """`last 9` of five gives the five, and reports that nine were asked for."""
    assert select("last 9", IDS) == Choice([0, 1, 2, 3, 4], "", 9)
    assert select("last 5", IDS).wanted == 0


@pytest.mark.parametrize("wanted", ["all", "last", "last 2", "1", "1-2"])
def test_nothing_can_be_chosen_of_nothing(wanted: str) -> None:
    """On an empty list each selector says that the list is empty."""
    with pytest.raises(UsageError) as caught:
        select(wanted, ())
    assert "no session has ended here" in caught.value.remedy
    assert "journal import" in caught.value.remedy


def test_what_has_no_number_is_named_by_its_id() -> None:
    """Sessions without a number are chosen by id, not by number, `last` or `all`."""
    ids = (*IDS, ELSEWHERE)
    assert select("c0ffee00", ids, len(IDS)).picks == [5]
    assert select("all", ids, len(IDS)).picks == [0, 1, 2, 3, 4]
    with pytest.raises(UsageError, match="out of range"):
        select("6", ids, len(IDS))


def test_one_session_in_two_journals_is_no_ambiguity() -> None:
    """An id that occurs twice in the list gives both positions."""
    assert select("plain", ("plain", "other", "plain")).picks == [0, 2]


def test_words_that_may_be_ids_are_looked_for_elsewhere() -> None:
    """Numbers and short words are not ids; a long search is not looked up word by word."""
    assert possible_ids("1,3") == []
    assert possible_ids(f"1, {ELSEWHERE}") == [ELSEWHERE]
    assert possible_ids(" ".join(["words"] * 9)) == []
    assert possible_ids(" ".join([*["words"] * 9, ELSEWHERE])) == [ELSEWHERE]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("c0ffee00", True), ("10203040", True), ("10203040-9e93-46b1-a598-06bada65ed5a", True),
     ("11111111-2222-4333-8444-555555555555", True), ("c0ffee0", False), ("123", False),
     ("123456789", False), ("2026-11-28", False), ("paint", False)],
)  # fmt: skip
def test_an_id_may_have_no_letter(word: str, expected: bool) -> None:
    """What a list shows of an id is one, also if it has only digits; dates and numbers are not."""
    assert is_id(word) == expected


@pytest.mark.parametrize("wanted", ["", "none", " None "])
def test_a_pick_of_nothing_is_nothing(wanted: str) -> None:
    """An empty choice is valid."""
    assert pick(wanted, 3) == []


def test_a_pick_is_by_number_alone() -> None:
    """Groups have no ids and cannot be searched."""
    assert pick("2,1", 3) == [1, 0]
    assert pick("all", 2) == [0, 1]
    for wrong in ("4", "first", "last 4", "1,x"):
        with pytest.raises(UsageError):
            pick(wrong, 3)


_WORDS = st.one_of(
    st.sampled_from(["last", "last 2", "all", "1", "2", "1-3", "3-1", "0", "#1", "99", "plain",
                     "3f0e5", "3f0e", "deadbeef1", "word", "-", ",", "\uff11", "٣", "²"]),
    st.text(max_size=8),
)  # fmt: skip
_SELECTORS = st.lists(st.tuples(_WORDS, st.sampled_from([",", " ", ", "])), max_size=6).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)


@given(_SELECTORS, st.lists(st.sampled_from([*IDS, ELSEWHERE, "1", "", "\uff41"]), max_size=6))
def test_every_text_chooses_or_is_refused(wanted: str, ids: list[str]) -> None:
    """A text gives positions of the list without repeats, or a search, or is refused."""
    try:
        choice = select(wanted, ids)
    except UsageError:
        return
    assert bool(choice.picks) != bool(choice.text)
    assert len(set(choice.picks)) == len(choice.picks)
    assert all(0 <= at < len(ids) for at in choice.picks)


@given(st.lists(st.sampled_from(["last", "last 2", "all", "1", "2-4", "5", "3f0e5"]), min_size=1))
def test_a_list_of_selectors_is_its_parts_in_order(parts: list[str]) -> None:
    """Selectors joined by commas are applied one after the other, without repeats."""
    chosen = [at for part in parts for at in select(part, IDS).picks]
    assert select(",".join(parts), IDS).picks == list(dict.fromkeys(chosen))


@given(_SELECTORS, st.integers(0, 12))
def test_what_lies_beyond_its_reach_does_not_matter(wanted: str, count: int) -> None:
    """A list cut where the selector's list_length ends gives the same choice as the whole list."""
    ids = [f"session-{at}" for at in range(count)]
    furthest = list_length(wanted)
    try:
        choice = select(wanted, ids)
    except UsageError:
        return
    assert select(wanted, ids[: furthest or None]).picks == choice.picks


def test_an_event_is_no_session() -> None:
    """`i:3` cites an event, and is not searched for as two words."""
    with pytest.raises(UsageError, match="i:3 is an event, not a session"):
        select("i:3", ["a" * 8])
