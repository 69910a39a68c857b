"""When the end of a turn reminds of the work log, and once per condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.turn import TurnEnded
from projections.compound import Compound, CompoundWork, Flow
from projections.views import Views

from .respond import ask

if TYPE_CHECKING:
    from projections.messages.message import Answer


def reminded(
    work: dict[str, Any], *, entries: int = 3, **settings: Any
) -> tuple[str, Answer | None]:
    """Ask at the end of a turn of a session with this work."""
    digests = [f"{number:08x}" for number in range(entries)]
    flow = Flow(entries=entries, digests=digests, headings=digests[:3], path="progress.md")
    state = Compound(flow=flow, sessions={"s": CompoundWork(**work)})
    return ask("compound_reminder", Views(compound=state), TurnEnded(sid="s", seq=9), **settings)


WORK: dict[str, tuple[dict[str, Any], int, str]] = {
    "changed, second turn": ({"turns": 2, "changed": True}, 3, ""),
    "first turn": ({"turns": 1, "changed": True}, 3, "turn"),
    "nothing changed": ({"turns": 2}, 3, "changes"),
    "nothing to save": ({"turns": 2, "changed": True}, 0, "work log"),
    "a phase ended": ({"turns": 1, "ended": ["audit"]}, 3, ""),
    "compound ran": ({"turns": 2, "changed": True, "ended": ["journal:compound"]}, 3, "turn"),
    "reminded": ({"turns": 2, "changed": True, "suggested": ["unpromoted, compound #0"]}, 3,
                 "reminded before"),
    "reminded of a phase": ({"turns": 2, "changed": True, "suggested": ["phase audit, compound #0"]},
                            3, ""),
}  # fmt: skip


@pytest.mark.parametrize("work, entries, silent", WORK.values(), ids=WORK.keys())
def test_when_it_reminds(work: dict[str, Any], entries: int, silent: str) -> None:
    """It speaks once per condition, after a turn that may have made something worth saving."""
    found, answer = reminded(work, entries=entries, **{"compound.phases": ("audit",)})
    assert (found, answer is None) == (silent, silent != "")


def test_claude_is_told_of_a_phase_and_the_user_of_entries() -> None:
    """The end of a phase goes to Claude, entries alone to the user; both name the count."""
    _, phase = reminded({"turns": 1, "ended": ["audit"]}, **{"compound.phases": ("audit",)})
    _, entries = reminded({"turns": 2, "changed": True})
    assert phase is not None
    assert entries is not None
    assert "3 work-log entries" in phase.context
    assert "3 work-log entries" in entries.message
    assert (phase.message, entries.context) == ("", "")
    assert [event["what"] for event in (*phase.events, *entries.events)] == ["phase", "compound"]


def test_it_can_be_switched_off() -> None:
    """The setting silences it."""
    off = reminded({"turns": 2, "changed": True}, **{"compound.suggest": False})
    assert off == ("setting", None)
