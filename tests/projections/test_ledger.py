"""The processor time of hooks, per session."""

from __future__ import annotations

import pytest

from projections.ledger import hints
from tests.projections.timeline import fed

CALL = {"type": "tool.finished", "tool": "Bash", "us": 1500}


@pytest.mark.parametrize(
    ("events", "calls", "us", "short"),
    [
        ([CALL, CALL], 2, 3000, 0),
        ([{**CALL, "us": 0}], 0, 0, 0),
        ([CALL, {**CALL, "agent": "x"}], 2, 3000, 0),
        ([CALL, {**CALL, "short": True}], 2, 3000, 1),
        ([CALL, {"type": "pressure.sampled", "tokens": 1, "us": 9}], 1, 1500, 0),
        ([CALL, {**CALL, "sid": "x"}], 1, 1500, 0),
    ],
    ids=["sum", "unmeasured", "subagents", "short", "not a hook's own event", "another session"],
)
def test_only_measured_calls_count(events: list[dict], calls: int, us: int, short: int) -> None:
    """The time of a session is that of its own hook calls, subagents' included."""
    found = fed(*events)["ledger"].sessions.get("w")
    assert (found.calls, found.us, found.short) == (calls, us, short) if found else not calls


def test_the_notice_of_the_budget_is_remembered() -> None:
    """Only the notice about the budget counts as told, and whole seconds are rounded down."""
    told = {"type": "advice.given", "what": "budget"}
    assert not fed(CALL, {**told, "what": "pressure"})["ledger"].sessions["w"].said
    found = fed({**CALL, "us": 2_999_999}, told)["ledger"].sessions["w"]
    assert (found.said, found.seconds) == (True, 2)


def test_hooks_know_sessions_with_a_second() -> None:
    """The hints hold the sessions whose hooks took a second or more, and whole seconds."""
    assert hints(fed({**CALL, "us": 999_999})["ledger"]) == {}
    assert hints(fed({**CALL, "us": 1_999_999})["ledger"]) == {"w": {"seconds": 1, "warned": False}}
