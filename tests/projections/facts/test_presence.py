"""Whether a summary contains a fact: words count within a line, not scattered over the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.facts.presence import KnownFacts, Presence, left_out_of, tail_of, without_repeated
from tests.support.rows import each

PATHS = {
    "as-it-is": ("src/cart.py", "Changed src/cart.py.", True),
    "quoted": ("src/cart.py", "edited `src/cart.py`, then", True),
    "absolute-known": ("/home/u/shop/src/cart.py", "src/cart.py was changed", True),
    "absolute-said": ("src/cart.py", "see /home/u/shop/src/cart.py:12", True),
    "last-two": ("shop/web/src/cart.py", "changed src/cart.py", True),
    "top-level": ("cart.py", "cart.py now rounds", True),
    "case": ("src/Cart.py", "SRC/CART.PY", True),
    "name-alone": ("src/cart.py", "cart.py now rounds", False),
    "other-folder": ("src/cart.py", "Changed web/cart.py.", False),
    "longer-name": ("src/cart.py", "Changed src/shopping_cart.py and psrc/cart.py.", False),
    "other-ending": ("src/cart.py", "Changed src/cart.pyi", False),
    "none": ("src/cart.py", "All done.", False),
    "spaces": ("docs/my plan.md", "wrote docs/my plan.md", True),
    "spaces-none": ("docs/my plan.md", "wrote docs/plan.md", False),
    "windows": ("C:\\shop\\cart.py", "changed C:/shop/cart.py", True),
}  # fmt: skip


@each("name", PATHS)
def test_a_path_counts_by_its_last_two_components(name: str) -> None:
    """A path is present if its last two components are, whatever precedes them."""
    path, summary, said = PATHS[name]
    assert Presence(summary).without_paths([path]) == ([] if said else [path])


TEXTS = {
    "as-it-is": ("Round once at the end", "We round once at the end.", True),
    "reworded": ("Prices are rounded half up per line", "rounding of prices: half up, per line", True),
    "white-space": ("Round\n once", "round once", True),
    "marks": ('Keep the "total" column', "Keep the `total` column as it is", True),
    "two-lines": ("Round prices once at the end of the cart",
                  "Prices are rounded once.\nThat is at the end of the cart.", True),
    "partly": ("Codes are upper case and checked against the catalogue nightly",
               "the codes are fine", False),
    "scattered": ("Prices are rounded half up per line before discounts",
                  "Prices matter.\nTests pass.\nHalf ran.\nA line.\nWas rounded.\nDiscounts.", False),
    "none": ("Use SQLite for the stock", "All tests pass.", False),
    "number": ("3048", "port 3048 stays", True),
    "other-number": ("port 3048", "port 9999", False),
    "japanese": ("端数処理は一度だけ行う", "決定: 端数処理は一度だけ行う", True),
    "japanese-reworded": ("価格はセント単位で丸める", "丸める単位: 価格はセント単位。", True),
    "japanese-none": ("端数処理は一度だけ行う", "All done", False),
    "korean": ("가격은 센트 단위로 반올림", "가격은 센트 단위로 반올림한다", True),
    "korean-none": ("가격은 센트 단위로 반올림", "테스트가 통과했다", False),
    "empty": ("", "x", True),
}  # fmt: skip


@each("name", TEXTS)
def test_words_count_within_a_line_or_two(name: str) -> None:
    """A text is present if one line, or two neighbours, have most of its significant words."""
    text, summary, said = TEXTS[name]
    assert Presence(summary).has_words(text) is said


@pytest.mark.parametrize(
    ("token", "summary", "said"),
    [
        ("81a343d", "in commit 81a343d.", True),
        ("81a343d", "in commit 81a343d3356e7e", False),
        ("#12", "closes #123", False),
        ("#12", "closes #12, later", True),
        ("ENG-4", "see eng-4", True),
        ("https://x.test/a", "(https://x.test/a)", True),
    ],
)
def test_a_token_counts_whole(token: str, summary: str, said: bool) -> None:
    """A token inside a longer one is a different token."""
    assert Presence(summary).has_token(token) is said


def test_a_command_counts_by_its_beginning() -> None:
    """Commands with the same first 60 characters count as the same."""
    long = "pytest -q tests/shop/test_cart.py --maxfail=1 --durations=10 -k round"
    assert Presence(f"Ran `{long[:64]}` twice.").has_command(long)
    assert not Presence("Ran pytest twice.").has_command(long)


texts = st.lists(st.text(max_size=40), max_size=5)


@given(texts=texts, rest=st.text(max_size=60))
def test_what_stands_word_for_word_is_said(texts: list[str], rest: str) -> None:
    """A summary that quotes every text lacks none of them."""
    quoted = Presence(f"{rest}\n" + "\n".join(texts))
    assert quoted.without(texts) == []


@given(texts=texts, summary=st.text(max_size=200))
def test_what_is_missing_keeps_its_order(texts: list[str], summary: str) -> None:
    """The missing texts are a subset of the given ones, in the same order."""
    said = Presence(summary)
    for found in (said.without(texts), said.without_paths(texts)):
        rest = iter(texts)
        assert all(any(text == other for other in rest) for text in found)


@given(st.text(max_size=80))
def test_the_tail_of_a_path_is_bounded(path: str) -> None:
    """A path is reduced to at most two components; reducing it again changes nothing."""
    assert tail_of(path).count("/") <= 1
    assert tail_of(tail_of(path)) == tail_of(path)


def test_no_summary_left_nothing_out() -> None:
    """Without a summary nothing is called left out."""
    known = KnownFacts(paths=["a.py"])
    assert left_out_of("Done.", known) == known
    assert left_out_of(" ", known) == KnownFacts()


def test_texts_that_repeat_an_earlier_one() -> None:
    """One with the same content words is left out; one with another number or more is not."""
    said = "The cause is the float cache: 3 totals are cached before they are rounded."
    shorter = "The cause is the float cache, 3 totals are cached before rounded."
    other = "The cause is the float cache: 4 totals are cached before they are rounded."
    longer = f"{said} The currency table loads its rates twice."
    assert without_repeated([said, shorter, other, longer]) == [said, other, longer]
    assert without_repeated([longer, said]) == [longer]
