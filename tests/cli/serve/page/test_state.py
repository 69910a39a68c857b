"""What the panes of a tab share."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest

pytest.importorskip("nicegui", reason="the extra ui is not installed")

from cli.serve.data.spent import Spent
from cli.serve.page.session_rows import ListEntry
from cli.serve.page.state import PageState


@pytest.fixture
def state() -> PageState:
    """Return the state of a new tab."""
    return PageState(MagicMock())


def told(state: PageState, name: str) -> list[None]:
    """Return a list that grows each time something changes."""
    calls: list[None] = []
    getattr(state, f"{name}_changed").subscribe(lambda: calls.append(None))
    return calls


def test_a_tab_may_not_write_at_first(state: PageState) -> None:
    """Only the token, which the browser sends, lets it write."""
    assert (state.can_write, state.reading, state.selection) == (False, "", ())


def test_panes_hear_of_a_change_once(state: PageState) -> None:
    """The same selection or cost again is no change; another one is."""
    selected, spent = told(state, "selection"), told(state, "spent")
    assert [state.select(given) for given in (("a",), ("a",), ("b", "a"))] == [True, False, True]
    assert len(selected) == 2
    cost = {"a": Spent(1_000, None, None)}
    for _ in range(2):
        state.set_spent(dict(cost))
    assert len(spent) == 1


def test_only_what_was_shown_can_be_selected(state: PageState) -> None:
    """A session of the list is selected and removed again; a key from anywhere else is not."""
    state.entries = {"a/b": ListEntry("a/b", "a", "a", "title", "", "", "open", "")}
    chosen = []
    for key in ("a/b", "x/y", "a/b"):
        state.toggle(key)
        chosen.append(state.selection)
    assert chosen == [("a/b",), ("a/b",), ()]
    assert (state.title_of("a/b"), state.title_of("x/y")) == ("title", "")
