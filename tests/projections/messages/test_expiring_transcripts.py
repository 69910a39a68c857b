"""The notice that Claude Code is about to delete transcripts."""

from __future__ import annotations

import pytest

from journal.events.session import SessionStarted
from projections.past import Losses, Past
from projections.views import Views

from .respond import ask


@pytest.mark.parametrize(
    ("told", "settings", "silent"),
    [("", {}, ""), ("2026-03-01", {}, ""), ("2026-03-02", {}, "told last"),
     ("", {"start.announce": False}, "setting")],
)  # fmt: skip
def test_it_is_told_once_a_day(told: str, settings: dict[str, bool], silent: str) -> None:
    """The day of the start counts, and the record names the event that counted the transcripts."""
    losses = Losses(seq=4, sessions=2, days=30, first="2026-03-05T10:00:00.000Z", told=told)
    event = SessionStarted(sid="s", seq=9, ts="2026-03-02T08:00:00.000Z", source="startup")
    found, answer = ask("expiring_transcripts", Views(past=Past(losses=losses)), event, **settings)
    assert (found, answer is None) == (silent, silent != "")
    if answer is not None:
        assert answer.message.startswith(
            "journal: on 2026-03-05 Claude Code starts to delete the transcripts of 2 sessions"
        )
        assert answer.events[0]["reason"] == "#4"
