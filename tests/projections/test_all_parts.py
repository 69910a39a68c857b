"""A state that forgets no session finds and orders all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.all_parts import every, part_of
from projections.fold import Fold
from projections.sessions import PROJECTION
from tests.projections.timeline import timeline
from tests.support.examples import examples

RECENT = 32


@given(st.lists(st.integers(0, 60), min_size=1, max_size=120), st.lists(st.integers(1, 9)))
@examples(60)
def test_sessions_beyond_the_recent_ones_are_all_there(order: list[int], sizes: list[int]) -> None:
    """Each session counts its prompts and is listed by its last one, in batches of any size."""
    records = timeline("\n".join(f"s{number} 09:00 prompt x" for number in order))
    fold = Fold([PROJECTION])
    at = 0
    for size in [*sizes, len(records)]:
        fold.feed(records[at : at + size])
        at += size
    state = fold.states["sessions"]
    assert len(state.sessions) <= RECENT
    found = every(state)
    last = {number: at for at, number in enumerate(order)}
    assert list(found) == [f"s{number}" for number in sorted(last, key=last.__getitem__)]
    for sid, session in found.items():
        assert session.prompts == order.count(int(sid[1:]))
        assert part_of(state, sid) is session
    assert part_of(state, "unknown") is None
