"""What a summary lost: paths, decisions and open items it does not name in any usual form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.dropped import Dropped, Known, dropped

PATHS = {
    "as-it-is": ("src/cart.py", "Changed src/cart.py.", True),
    "quoted": ("src/cart.py", "edited `src/cart.py`, then", True),
    "absolute-known": ("/home/u/shop/src/cart.py", "src/cart.py was changed", True),
    "absolute-told": ("src/cart.py", "see /home/u/shop/src/cart.py:12", True),
    "name-alone": ("src/cart.py", "cart.py now rounds", True),
    "case": ("src/Cart.py", "SRC/CART.PY", True),
    "end-of-sentence": ("src/cart.py", "I changed cart.py.", True),
    "other-folder": ("src/cart.py", "Changed web/cart.py.", False),
    "longer-name": ("src/cart.py", "Changed src/shopping_cart.py.", False),
    "other-ending": ("src/cart.py", "Changed src/cart.pyi", False),
    "stem": ("src/cart.py", "the cart was changed", False),
    "none": ("src/cart.py", "All done.", False),
    "spaces": ("docs/my plan.md", "wrote docs/my plan.md", True),
    "spaces-none": ("docs/my plan.md", "wrote docs/plan.md", False),
    "windows": ("C:\\shop\\cart.py", "changed C:/shop/cart.py", True),
}  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
def test_paths(name):
    """A path is kept if it, its end, or its name alone is in the summary."""
    path, summary, kept = PATHS[name]
    assert dropped(Known(paths=[path]), summary).paths == ([] if kept else [path])


def test_a_name_two_files_share_names_neither():
    """Where two known files have one name, the name alone is not enough."""
    known = Known(paths=["a/__init__.py", "b/__init__.py"])
    assert dropped(known, "changed __init__.py").paths == known.paths
    assert dropped(known, "changed a/__init__.py").paths == ["b/__init__.py"]


TEXTS = {
    "as-it-is": ("Round once at the end", "We round once at the end.", True),
    "reworded": ("Prices are rounded half up per line", "rounding of prices: half up, per line", True),
    "partly": ("Codes are upper case and checked against the catalogue nightly",
               "the codes are fine", False),
    "none": ("Use SQLite for the stock", "All tests pass.", False),
    "numbers": ("Keep port 3048", "the port is 3048", True),
    "other-number": ("port 3048", "port 9999", False),
    "cjk": ("端数処理は一度だけ行う", "決定: 端数処理は一度だけ行う", True),
    "cjk-none": ("端数処理は一度だけ行う", "All done", False),
    "white-space": ("Round\n once", "round once", True),
    "empty": ("", "x", True),
}  # fmt: skip


@pytest.mark.parametrize("member", ["decisions", "items"])
@pytest.mark.parametrize("name", TEXTS)
def test_texts(name, member):
    """A decision or item is kept if its words, or most of the telling ones, are there."""
    text, summary, kept = TEXTS[name]
    assert getattr(dropped(Known(**{member: [text]}), summary), member) == ([] if kept else [text])


def test_without_a_summary_nothing_is_told():
    """An unknown summary dropped nothing that we know of."""
    assert dropped(Known(paths=["a.py"], items=["x"]), " \n") == Dropped()


texts = st.lists(st.text(max_size=40), max_size=5)


@given(paths=texts, decisions=texts, items=texts, summary=st.text(max_size=200))
def test_laws(paths, decisions, items, summary):
    """Only what was known is dropped, in its order; a summary that quotes all drops nothing."""
    known = Known(paths=paths, decisions=decisions, items=items)
    lost = dropped(known, summary)
    for before, after in ((paths, lost.paths), (decisions, lost.decisions), (items, lost.items)):
        rest = iter(before)
        assert all(item in rest for item in after)
    whole = dropped(known, "\n".join([*decisions, *items, "x"]))
    assert (whole.decisions, whole.items) == ([], [])
