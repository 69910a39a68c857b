"""What a summary lost: paths by name, sentences by most of their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.dropped import Known, dropped


@pytest.mark.parametrize(
    ("summary", "path", "kept"),
    [
        ("worked on src/cart.py", "src/cart.py", True),
        ("worked on cart.py only", "src/cart.py", True),
        ("worked on `cart.py`.", "src/cart.py", True),
        ("see (src/cart.py:12)", "src/cart.py", True),
        ("worked on smartcart.py", "src/cart.py", False),
        ("worked on cart.pyc", "src/cart.py", False),
        ("nothing of the kind", "src/cart.py", False),
        ("cart.pyx, later cart.py too", "src/cart.py", True),
    ],
)
def test_a_path_is_kept_when_its_name_is_there(summary: str, path: str, kept: bool) -> None:
    """A name inside a longer name does not count."""
    assert (dropped(Known(paths=[path]), summary).paths == []) is kept


@pytest.mark.parametrize(
    ("summary", "text", "kept"),
    [
        (
            "Decision: prices are rounded to cents in total.",
            "Prices are rounded to cents once",
            True,
        ),
        ("Rounding was discussed.", "Prices are rounded to cents once", False),
        ("価格はセント単位で丸める。", "価格はセント単位で丸める", True),
        ("別の話をした。", "価格はセント単位で丸める", False),
        ("가격은 센트 단위로 반올림한다", "가격은 센트 단위로 반올림", True),
        ("port 3048 stays", "3048", True),
        ("port 3000 stays", "3048", False),
    ],
)
def test_a_sentence_is_kept_when_most_of_its_words_are(summary: str, text: str, kept: bool) -> None:
    """Words in another order or with others between still say it."""
    lost = dropped(Known(decisions=[text], items=[text]), summary)
    assert (lost.decisions == []) is kept
    assert (lost.items == []) is kept


@given(st.lists(st.text(min_size=1), max_size=6), st.text())
def test_what_stands_in_the_summary_is_never_lost(texts: list[str], rest: str) -> None:
    """A summary that holds every text word for word lost none of them."""
    summary = f"{rest}\n" + "\n".join(texts)
    lost = dropped(Known(decisions=texts, items=texts), summary)
    assert not lost.decisions
    assert not lost.items


@given(st.lists(st.text(), max_size=6), st.text())
def test_order_is_kept_and_nothing_is_made_up(texts: list[str], summary: str) -> None:
    """What is lost is a part of what was given, in its order."""
    lost = dropped(Known(texts, texts, texts), summary)
    for found in (lost.paths, lost.decisions, lost.items):
        rest = iter(texts)
        assert all(any(text == other for other in rest) for text in found)
