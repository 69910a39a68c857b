"""A workflow that ran without the check that belongs to it is noticed once."""

from __future__ import annotations

from typing import Any

import pytest

from journal.events.turn import TurnEnded
from projections.compound import Compound, CompoundWork
from projections.views import Views

from .respond import ask

CHECKS = {"compound.checks": ("deploy:smoke", "release:verify")}


@pytest.mark.parametrize(
    ("work", "silent"),
    [({"used": ["/deploy"]}, ""), ({"used": ["deploy", "smoke"]}, "checks"), ({"used": ["plan"]}, "checks"),
     ({"used": ["deploy"], "suggested": ["check deploy:smoke"]}, "noticed before"),
     ({"used": ["deploy", "release"], "suggested": ["check deploy:smoke"]}, "")],
)  # fmt: skip
def test_a_missing_check(work: dict[str, Any], silent: str) -> None:
    """Each pair is noticed once in a session, where the workflow ran and its check did not."""
    views = Views(compound=Compound(sessions={"s": CompoundWork(**work)}))
    found, answer = ask("workflow_check", views, TurnEnded(sid="s", seq=9), **CHECKS)
    assert (found, answer is None) == (silent, silent != "")
    if answer is not None:
        assert '"' in answer.message
        assert answer.events[0]["what"] == "check"
        assert answer.events[0]["reason"].startswith("check ")
