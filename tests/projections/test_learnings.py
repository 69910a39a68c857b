"""The history of a project's learnings."""

from __future__ import annotations

from projections import learnings
from tests.projections.test_session_events import state_of
from tests.projections.timeline import fed, view


def test_a_learning_counts_its_last_confirmation() -> None:
    """Recordings and confirmations of one title in one file are one entry."""
    state = view("learnings", "09:00 learned Cents / 09:01 confirmed Cents / 09:02 learned Locks")
    found = {entry.title: (entry.recorded, entry.confirmed) for entry in state.entries.values()}
    assert found == {"Cents": (1, 2), "Locks": (3, 0)}
    assert (state.recorded, state.confirmed, state.fresh) == (2, 1, 3)


def test_a_title_in_two_files_is_two_learnings() -> None:
    """The file is part of a learning's identity."""
    recorded = {"type": "learning.recorded", "title": "Cents"}
    state = fed({**recorded, "file": "a.md"}, {**recorded, "file": "b.md"})["learnings"]
    assert len(state.entries) == 2


def test_phases_are_listed_once() -> None:
    """Each phase that confirmed a learning stands once, in order."""
    learning = {"type": "learning.confirmed", "file": "a.md", "title": "Cents", "count": 1}
    phases = ("ship", "", "audit", "ship")
    state = fed(*({**learning, "phase": phase} for phase in phases))["learnings"]
    assert next(iter(state.entries.values())).phases == ["ship", "audit"]


def test_a_compound_makes_learnings_old() -> None:
    """`fresh` counts what came since the last compound; without anything new it changes nothing."""
    text = "09:00 learned Cents / 09:01 compound 1"
    assert view("learnings", text).fresh == 0
    assert view("learnings", f"{text} / 09:02 confirmed Cents").fresh == 1
    assert view("learnings", "09:01 compound 1") == view("learnings", "09:00 start")


def test_the_stock_is_the_last_one_counted() -> None:
    """A hook's count of the files stands until another count differs; then it has that seq."""
    start = {"type": "session.started", "source": "startup"}
    one, two = ({"total": n, "unverified": 0} for n in (1, 2))
    state = fed({**start, "stock": one}, {**start, "stock": one}, start)["learnings"]
    assert (state.stock.total, state.stock_seq) == (1, 1)
    state = fed({**start, "stock": one}, {**start, "stock": two})["learnings"]
    assert (state.stock.total, state.stock_seq) == (2, 2)


def test_learnings():
    """Learnings recorded and confirmed are counted, in total and since the last compound."""
    state = state_of(
        learnings.PROJECTION, ("learning.recorded", {"file": "f", "title": "t", "phase": "p"}),
        ("compound.ran", {}), ("learning.confirmed", {"file": "f", "title": "t", "phase": "q",
                                                      "count": 2}),
    )  # fmt: skip
    (entry,) = state.entries.values()
    assert (entry.recorded, entry.confirmed, entry.phases) == (1, 2, ["p", "q"])
    assert (state.recorded, state.confirmed, state.fresh) == (1, 1, 1)
