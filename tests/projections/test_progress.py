"""The law of adoption, over random histories of skill progress."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from projections.progress import refusal
from tests.projections.histories import SIDS, Past
from tests.support.examples import examples

if TYPE_CHECKING:
    Event = dict[str, Any]


# -- progress: a chain of adoption ------------------------------------------------------------------

DEEDS = st.tuples(
    st.sampled_from(["saved", "saved", "adopted", "adopted", "discarded", "closed"]),
    st.sampled_from(SIDS), st.sampled_from(SIDS), st.sampled_from(["discover", "spec"]),
)  # fmt: skip


@given(st.lists(DEEDS, max_size=40))
@examples(200)
def test_a_chain_of_adoption_has_one_live_end(deeds: list[Any]) -> None:
    """Of all that began with one save at most one state is live; an ended one never is again."""
    past = Past()
    over: set[str] = set()
    for what, sid, other, skill in deeds:
        event: Event = {"type": f"progress.{what}", "sid": sid, "skill": skill}
        if what == "saved":
            event |= {"phase": "1", "summary": f"by {sid}"}
        elif what != "closed":
            event["from_sid"] = other
        before = past.views.progress
        why = refusal(before, other, sid)
        past.put(event)
        after = past.views.progress
        if what == "adopted":
            assert (after is before) == bool(why)
        live = Counter(s.started for s in after.sessions.values() if s.status == "live")
        assert not {started: n for started, n in live.items() if n > 1}
        assert not over & live.keys()
        chains = {state.started for state in before.sessions.values() if state.status == "live"}
        over |= chains - live.keys()
        for name, state in after.sessions.items():
            if state.status == "adopted":
                assert state.by != name
                assert state.by in after.sessions
        if what == "adopted" and not why:
            was, now = before.sessions[other], after.sessions[sid]
            assert (now.phases, now.skill, now.from_sid) == (was.phases, was.skill, other)
