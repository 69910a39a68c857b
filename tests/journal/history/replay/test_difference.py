"""What differs between two states of a view."""

from __future__ import annotations

import pytest

from journal.history.replay.steps import changes
from projections.compound import Compound, CompoundWork


@pytest.mark.parametrize("before, after, expected", [
    (Compound(), Compound(), []),
    (Compound(), Compound(noted=1), [(("noted",), 0, 1)]),
    (Compound(notes=["a"]), Compound(notes=["b", "a"]), [(("notes",), ["a"], ["b", "a"])]),
    (Compound(), Compound(sessions={"x": CompoundWork()}), [(("sessions", "x"), None, {})]),
    (Compound(), Compound(sessions={"x": CompoundWork(compact=3)}), [(("sessions", "x", "compact"), 0, 3)]),
    (Compound(sessions={"x": CompoundWork()}), Compound(), [(("sessions", "x"), CompoundWork(), None)]),
    (Compound(first_seen={"a": "1"}), Compound(first_seen={"a": "2", "b": "3"}),
     [(("first_seen", "a"), "1", "2"), (("first_seen", "b"), None, "3")]),
])  # fmt: skip
def test_changes(before, after, expected):
    """Two states are compared by path, before and after; equal ones have no difference."""
    assert [tuple(change) for change in changes(before, after)] == expected
