"""The newest sessions without an index."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from journal.history.replay import run
from journal.history.search import newest
from journal.history.search.newest import newest_sessions
from journal.history.search.ranking import Filter
from tests.support.examples import third

if TYPE_CHECKING:
    from tests.journal.history.search.conftest import Home

SHOP = "shop-00000001"
WORK = [("tool.finished", {"tool": "Edit", "target": "cart.py", "changed": True})]
PART = ("session.exported", {"of": "s0", "title": "The cart", "seqs": [1, 2]})


def made(home: Home, seed: int) -> None:
    """Record sessions with and without work, live and imported, that go on in turns."""
    draw = random.Random(seed)
    for at in range(12):
        imported = draw.random() < 0.4
        home.session(
            f"s{at}", *(["fix the cart"] * draw.randint(0, 1)), over=False, imported=imported
        )
        if draw.random() < 0.3:  # the transcript of a session of the hooks, or one that goes on
            home.session(f"s{at}", "fix the cart", imported=not imported)
        home.tell(f"s{draw.randint(0, at)}", *WORK * draw.randint(0, 2))
        if draw.random() < 0.2:
            home.tell("s0", PART)


@pytest.mark.parametrize("seed", third(range(12)))
def test_they_are_those_of_the_index(
    home: Home, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The list is the beginning of the list from the index, also with stored folds."""
    monkeypatch.setattr(run, "SAVE_AFTER", 0 if seed % 2 else 1 << 40)
    made(home, seed)
    found = newest_sessions(str(home.top), SHOP, 3)
    assert not home.index.has(SHOP)
    home.index.update()
    assert home.index.has(SHOP)
    listed = home.index.sessions(Filter(SHOP, own=True), limit=3)
    assert found is None or found == listed


def test_too_much_is_left_to_the_index(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is listed if the sessions are too long, or too few of the newest have work."""
    home.session("a", "fix the cart")
    home.session("b", "fix the cart")
    for at in range(4):
        home.session(f"c{at}")
    assert newest_sessions(str(home.top), SHOP, 2) is None
    assert newest_sessions(str(home.top), SHOP, 3) is not None
    monkeypatch.setattr(newest, "_MOST", 0)
    assert newest_sessions(str(home.top), SHOP, 3) is None
