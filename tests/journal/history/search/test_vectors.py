"""Vectors of sessions: which are missing, and of which model they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.journal.history.search.model import Model, sids, with_model

if TYPE_CHECKING:
    from journal.history.search.index import Index
    from tests.journal.history.search.conftest import Home


def test_a_changed_session_gets_another_vector(home: Home) -> None:
    """Only a changed session is embedded again."""
    home.session("a", "prune the orchard")
    home.session("b", "the smith is back", over=False)
    model = Model()
    index = with_model(home, model)
    assert sids(index, "apple") == ["a"]
    before = len(model.asked)
    home.tell("b", ("prompt.submitted", {"text": "the tide and the sailor"}))
    index.update()
    assert sids(index, "ship") == ["b"]
    made = model.asked[before:]
    assert len(made) == 2  # the changed session and the query
    assert any("sailor" in text for text in made)


def test_another_model_makes_all_vectors_anew(home: Home) -> None:
    """With another model all vectors are made again: vectors of two models are never compared."""
    home.session("a", "prune the orchard")
    assert sids(with_model(home, Model()), "pear") == ["a"]
    other = Model("model 2")
    assert sids(with_model(home, other), "pear") == ["a"]
    assert len(other.asked) == 2


def test_time_for_vectors_is_bounded(home: Home) -> None:
    """A search makes some missing vectors, newest first, and the next search makes more."""
    for number in range(70):
        home.session(f"s{number:02d}", "prune the orchard")
    index = with_model(home, Model())
    assert index.embed(0) == 70
    assert index.embed(1e-9) == 38
    assert index.embed(60) == 0
    index.patience = 0
    home.session("late", "prune the orchard")
    index.update()
    assert "late" not in sids(index, "pear", limit=100)


def test_the_newest_sessions_are_first(home: Home) -> None:
    """Of 33 sessions, one more than a batch has, the oldest is left for the next search."""
    for number in range(33):
        home.session(f"s{number:02d}", "prune the orchard")
    index = with_model(home, Model())
    index.patience = 0
    assert index.embed(1e-9) == 1
    assert {f"s{number:02d}" for number in range(33)} - set(_with_vectors(index)) == {"s00"}


def _with_vectors(index: Index) -> list[str]:
    """Return the sessions that have a vector."""
    sql = "select sid from sessions join vectors using (doc) where vector is not null"
    with index.database.writing() as connection:
        return [row[0] for row in connection.execute(sql)]
