"""Laws of the gate over any stops of any sessions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from projections.messages import answer
from projections.stage import STAGES
from tests.projections.histories import SETTINGS, SIDS, STEPS, Past, step
from tests.support.examples import examples

if TYPE_CHECKING:
    Event = dict[str, Any]

ACTS = st.one_of(
    STEPS,
    st.tuples(st.just("turn"), st.sampled_from(SIDS), st.booleans(), st.booleans(), st.booleans()),
)


@given(st.lists(ACTS, max_size=40), st.sampled_from(["off", "advise", "block"]))
@examples(200)
def test_the_gate_speaks_to_the_owner_of_an_open_cycle(acts: list[Any], mode: str) -> None:
    """The gate never asks another session, a waiting turn or a subagent, nor too often."""
    past = Past()
    config = {**SETTINGS, "stage.gate": mode}
    since: Counter[tuple[str, str, str]] = Counter()
    for number, drawn in enumerate(acts, 1):
        if drawn[0] != "turn":
            past.put(step(past, number, *drawn))
            continue
        _, sid, continued, waits, by_agent = drawn
        body: Event = {"type": "turn.ended", "sid": sid, "continued": continued}
        body |= {"background": 1} if waits else {}
        body |= {"agent": "g"} if by_agent else {}
        event = past.put(body)
        before = past.views.stage.sessions.get(sid)
        said = answer(past.views, event, config)
        says = said.events if said is not None else []
        if waits or by_agent or mode == "off" or before is None:
            assert said is None
            continue
        if before.status != "open":
            assert said is None
            continue
        for record in says:
            past.put({"sid": sid, **record})
        if said is None:
            continue
        assert not (said.block and mode != "block")
        assert not (said.context and mode == "block")
        asked = [record["reason"] for record in says if record["type"] == "advice.given"]
        if said.context or said.block:
            assert not continued or (not before.open and not before.asked)
            (reason,) = asked
            since[sid, before.cycle + str(before.seq), reason] += 1
            gauge = past.views.pressure.sessions.get(sid)
            known = gauge is not None and gauge.tokens is not None
            assert known or reason == f"open:{before.stage}"
        if before.stage == STAGES[-1]:
            assert past.views.stage.sessions[sid].status == "complete"
    for (_, _, reason), count in since.items():
        assert count <= (1 if reason.startswith("open:") else SETTINGS["stage.max_continuations"])


def test_the_gate_does_speak() -> None:
    """The sibling: over these acts it asks about the open stage, then for the next one."""
    past = Past()
    said = []
    for number, drawn in enumerate(
        [("start", "a", "a", False, "sprint"), ("read", "a", "a", False, "sprint"), "turn",
         ("finish", "a", "a", True, "sprint"), "turn"], 1,
    ):  # fmt: skip
        if drawn == "turn":
            event = past.put({"type": "turn.ended", "sid": "a"})
            found = answer(past.views, event, SETTINGS)
            assert found is not None
            said.append(found.events[0]["reason"])
        else:
            past.put(step(past, number, *drawn))
    assert said == ["open:sprint", "next:audit"]
