"""What a summary left out is said once, after a summary that came late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.turn import PromptSubmitted
from projections.facts.session import KnownFacts, LastCompaction, TimedText, Trail
from projections.recovery import Recovery
from projections.views import Views

from .respond import ask

if TYPE_CHECKING:
    from projections.messages.message import Answer

LOST = KnownFacts(["src/cart.py"], ["Round once"], ["write the tests"])


def told(**more: Any) -> tuple[str, Answer | None]:
    """Ask at a prompt after a compaction."""
    members = {"seq": 7, "done": True, "told": True, "lost": LOST, **more}
    trail = Trail(decisions=[TimedText("t", "Round once")], compaction=LastCompaction(**members))
    views = Views(recovery=Recovery({"s": trail}))
    return ask("dropped_by_summary", views, PromptSubmitted(sid="s", seq=9))


def test_each_kind_is_named_with_its_texts() -> None:
    """Decisions, open items and files that the summary lacks are quoted, and the record says which."""
    silent, answer = told()
    assert silent == ""
    assert answer is not None
    for part in ('decisions: "Round once"', 'open items: "write the tests"', "src/cart.py"):
        assert part in answer.context
    assert answer.events[0]["reason"] == "compaction #7"


@pytest.mark.parametrize(
    "more",
    [{"done": False}, {"told": False}, {"checked": True}, {"lost": None},
     {"lost": KnownFacts(decisions=["An older decision"])}],
)  # fmt: skip
def test_otherwise_it_is_silent(more: dict[str, Any]) -> None:
    """Without a finished, recovered and unchecked compaction that lost something there is nothing to say."""
    assert told(**more)[1] is None
