"""The clauses of a text that count or measure."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.facts.counted import numbers


def test_numbers_keep_their_noun() -> None:
    """A number is kept with its clause; dates, versions and line numbers are not."""
    text = "412 tests pass in 3.2 ms; see cart.py:88 of 2026-11-21, v1.4. 23 件のテスト。"
    assert numbers(text) == ["412 tests pass in 3.2 ms", "23 件のテスト"]
    assert numbers("合計のテスト 12 件が成功") == ["合計のテスト 12 件が成功"]
    assert numbers("테스트가 7건 통과") == ["테스트가 7건 통과"]
    assert numbers("It waits for RETRY_MAX (90s) here. ") == ["It waits for RETRY_MAX (90s) here"]
    assert numbers("Mail: 30 days, as said") == ["Mail: 30 days"]
    assert numbers("Shall I use 100 or 60 lines? It has 12 tests.") == ["It has 12 tests"]
    assert numbers("a lock (active, 4min old) stays") == ["active, 4min old"]
    assert numbers("**Peak 85 MB** in all") == ["Peak 85 MB in all"]


def test_a_label_is_no_number() -> None:
    """Years, numbers of tables and versions, and single digits without a unit count nothing."""
    for text in ("Table 2 costs most", "the 2023 study", "0043 has no rollback", "2 items left"):
        assert numbers(text) == [], text
    assert numbers("The run takes 41 s, fits 9 days.") == ["The run takes 41 s", "fits 9 days"]


def test_a_number_alone_says_nothing() -> None:
    """A clause has a word besides its number and unit, as a cell of a table has not."""
    for text in (
        "| 10ms | 11ms | 231 ms |",
        "It took time (~15 lines).",
        "as it is now, in 9 days",
    ):
        assert numbers(text) == [], text
    assert numbers("commit 1dfd920012c0") == []
    assert numbers("12 tests failed") == ["12 tests failed"]


@given(st.text(max_size=300))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    """The extractor only quotes: whatever the text, what it finds is in it."""
    flat = " ".join(text.replace("**", "").split()).replace("`", "")
    assert all(one.replace("`", "") in flat for one in numbers(text))
