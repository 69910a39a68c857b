"""A dev cycle is started by its command, and by nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.events.turn import CommandExpanded, PromptSubmitted
from projections.stage import Cycle, Stage
from projections.views import Views

from .respond import ask

if TYPE_CHECKING:
    from journal.events.base import Event


@pytest.mark.parametrize(
    ("event", "starts"),
    [(CommandExpanded(sid="s", seq=9, name="dev-cycle"), True),
     (CommandExpanded(sid="s", seq=9, name="journal:dev-cycle"), True),
     (CommandExpanded(sid="s", seq=9, name="/dev-cycle"), True),
     (CommandExpanded(sid="s", seq=9, name="review"), False),
     (CommandExpanded(sid="s", seq=9), False),
     (CommandExpanded(seq=9, name="dev-cycle"), False),
     (PromptSubmitted(sid="s", seq=9, text="/dev-cycle now"), True),
     (PromptSubmitted(sid="s", seq=9, text="read about /dev-cycle"), False)],
)  # fmt: skip
def test_the_command_starts_one(event: Event, *, starts: bool) -> None:
    """A cycle is named after its event and begins at sprint; a mention starts none."""
    answer = ask("cycle_start", Views(), event)[1]
    started = [{"type": "stage.started", "cycle": "cycle-9", "stage": "sprint"}]
    assert (answer.events if answer else None) == (started if starts else None)


@pytest.mark.parametrize(
    ("status", "silent"),
    [("open", "dev cycle"), ("stopped", "dev cycle"), ("complete", ""), ("abandoned", ""),
     ("moved", "")],
)  # fmt: skip
def test_an_unfinished_cycle_stays(status: str, silent: str) -> None:
    """The user decides about it; after one that is over another begins."""
    views = Views(stage=Stage(sessions={"s": Cycle(cycle="c", status=status)}))
    event = CommandExpanded(sid="s", seq=9, name="dev-cycle")
    found, answer = ask("cycle_start", views, event)
    assert (found, answer is None) == (silent, silent != "")
