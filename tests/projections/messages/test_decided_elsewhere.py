"""A decision made in a terminal reaches Claude with the next prompt."""

from __future__ import annotations

from journal.events.turn import PromptSubmitted
from projections.facts.session import TimedText, Trail
from projections.recovery import Recovery
from projections.views import Views

from .respond import ask


def told(*decisions: str) -> str:
    """Return what Claude gets of decisions, newest first."""
    rows = [TimedText("2026-03-02T08:00:00.000Z", text) for text in decisions]
    views = Views(recovery=Recovery(sessions={"s": Trail(undelivered=rows)}))
    answer = ask("decided_elsewhere", views, PromptSubmitted(sid="s", seq=9))[1]
    return answer.context if answer else ""


def test_decisions_are_quoted() -> None:
    """Each is in quotes with its minute; without one nothing is said."""
    assert told("Use blue", "Use two columns") == (
        "Journal (#9): the user recorded a decision in a terminal, newest first: "
        '"Use blue" (2026-03-02 08:00 UTC); "Use two columns" (2026-03-02 08:00 UTC).'
    )
    assert told() == ""
    assert ask("decided_elsewhere", Views(), PromptSubmitted(sid="s", seq=9)) == ("", None)


def test_five_are_passed_on() -> None:
    """Of more decisions the newest five are, and a long one is cut."""
    names = ("amber", "birch", "cedar", "delta", "ember", "fjord")
    found = told(*names)
    assert [name for name in names if name in found] == list(names[:5])
    assert 290 < told("x" * 400).count("x") <= 300


def test_a_corrected_decision_is_left_out() -> None:
    """What a later decision replaces does not pass for current."""
    found = told("Store sessions in SQLite instead of Redis", "Store sessions in Redis")
    assert found.count("Store sessions") == 1
    assert "SQLite" in found
