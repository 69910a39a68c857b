"""Laws of a dev cycle over random histories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.projections.histories import STEPS, Past, step
from tests.support.examples import examples

if TYPE_CHECKING:
    Event = dict[str, Any]


# -- a cycle: one live end, and no metric lost ------------------------------------------------------


@given(st.lists(STEPS, max_size=40))
@examples(200)
@example(
    [
        ("start", "a", "a", False, "sprint"),
        ("stop", "a", "a", False, "sprint"),
        ("resume", "b", "a", False, "audit"),
        ("resume", "c", "a", False, "audit"),
    ]
)
@example(
    [
        ("start", "a", "a", False, "sprint"),
        ("clear", "b", "a", False, "sprint"),
        ("start", "a", "a", True, "audit"),
    ]
)
@example([("start", "a", "a", False, "sprint"), ("start", "a", "a", False, "sprint")])  # fmt: skip
def test_a_cycle_has_one_live_end_and_keeps_its_metrics(steps: list[Any]) -> None:
    """For any stage events, a recorded metric stays in the cycle's live or last state."""
    past = Past()
    taken: dict[str, dict[str, float]] = {}
    for number, drawn in enumerate(steps, 1):
        event = step(past, number, *drawn)
        before = past.views.stage
        past.put(event)
        after = past.views.stage.sessions
        if event.get("metrics") and before is not past.views.stage:
            taken.setdefault(after[event["sid"]].cycle, {}).update(event["metrics"])
        holders = {name: [c for c in after.values() if c.cycle == name] for name in taken}
        for name, cycles in holders.items():
            live = [cycle for cycle in cycles if cycle.status in ("open", "stopped")]
            assert len(live) <= 1, (name, drawn)
            kept = [cycle.metrics for cycle in live or cycles]
            if kept:  # a session has one cycle: the next may start once the last has ended
                assert taken[name].items() <= {k: v for m in kept for k, v in m.items()}.items()


@given(st.lists(STEPS, max_size=30))
@examples(60)
def test_a_cycle_under_way_is_not_replaced(steps: list[Any]) -> None:
    """An open or stopped cycle leaves its session only by its own end or by moving."""
    past = Past()
    for number, drawn in enumerate(steps, 1):
        before = past.views.stage.sessions
        past.put(step(past, number, *drawn))
        for sid, cycle in past.views.stage.sessions.items():
            old = before.get(sid)
            if old is not None and old.status in ("open", "stopped"):
                assert cycle.cycle == old.cycle, drawn
