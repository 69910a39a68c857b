"""The notice at a start that a settings file has mistakes."""

from __future__ import annotations

import pytest

from journal.events.session import SessionStarted
from projections.views import Views

from .respond import ask

EVENT = SessionStarted(sid="s", seq=9, source="startup")


@pytest.mark.parametrize(("count", "text"), [(1, "1 problem"), (2, "2 problems")])
def test_mistakes_are_counted(count: int, text: str) -> None:
    """The user is told how many there are, and the record says it, too."""
    answer = ask("config_problem", Views(), EVENT, **{"config.problems": count})[1]
    assert answer is not None
    assert answer.message == f"journal: {text} in the configuration. Run: journal config"
    assert (answer.events[0]["what"], answer.events[0]["reason"]) == ("config", text)


def test_without_mistakes_nothing_is_said() -> None:
    """Nor is it if the user wants no notices at a start."""
    assert ask("config_problem", Views(), EVENT) == ("", None)
    silenced = {"config.problems": 1, "start.announce": False}
    assert ask("config_problem", Views(), EVENT, **silenced) == ("setting", None)
