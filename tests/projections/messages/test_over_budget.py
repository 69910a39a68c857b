"""The notice that the hooks of a session are over their budget."""

from __future__ import annotations

import pytest

from journal.events.turn import PromptSubmitted
from projections.ledger import HookTime, Ledger
from projections.views import Views

from .respond import ask


@pytest.mark.parametrize(
    ("budget", "us", "said", "silent"),
    [(5, 5_000_000, False, ""), (5, 4_999_999, False, "budget"), (0, 9_000_000, False, "budget"),
     (5, 9_000_000, True, "said")],
)  # fmt: skip
def test_it_is_told_once(budget: int, us: int, said: bool, silent: str) -> None:
    """From the budget on, once; a budget of 0 is none."""
    views = Views(ledger=Ledger(sessions={"s": HookTime(us=us, said=said)}))
    event = PromptSubmitted(sid="s", seq=9)
    found, answer = ask("over_budget", views, event, **{"capture.budget": budget})
    assert (found, answer is None) == (silent, silent != "")
    if answer is not None:
        assert "have used 5 s of processor time; the budget is 5 s" in answer.message
