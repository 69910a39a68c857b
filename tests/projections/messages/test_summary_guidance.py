"""What a summary should hold, where there is structured state."""

from __future__ import annotations

from journal.events.compact import CompactStarted
from projections.facts.session import TimedText, Trail
from projections.messages.summary_guidance import guidance
from projections.recovery import Recovery
from projections.views import Views

from .respond import ask

ON = {"precompact.guidance": True}
EVENT = CompactStarted(sid="s", seq=9)


def test_without_structured_state_it_is_silent() -> None:
    """Claude Code then uses its own summary; so it does without a session."""
    assert ask("summary_guidance", Views(), EVENT, **ON) == ("structured state", None)
    assert guidance(Views(), "s") == ""


def test_decisions_are_to_be_repeated() -> None:
    """The newest four decisions are quoted, without those that a newer one corrects."""
    decisions = [TimedText("t", f"Use decimal number {at}") for at in range(6)]
    views = Views(recovery=Recovery({"s": Trail(decisions=decisions)}))
    silent, answer = ask("summary_guidance", views, EVENT, **ON)
    assert (silent, answer is not None) == ("", True)
    assert answer is not None
    assert answer.plain.count("\n- ") == 4
    assert '- "Use decimal number 0"' in answer.plain
    assert answer.events[0]["what"] == "guidance"
    assert ask("summary_guidance", views, EVENT) == ("setting", None)
