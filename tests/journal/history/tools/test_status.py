"""What `status` says of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journal.history.tools.conftest import ask

if TYPE_CHECKING:
    from tests.cases.world import World


def test_status_says_what_is_unknown(past: World) -> None:
    """After a compaction the pressure is reported as unknown, with the compaction."""
    shown = ask(past, "status").text
    assert "Context: unknown (compacted, no reply since)." in shown
    assert "Compactions: 1; the last one done" in shown
    past.read(60)
    assert "28.1% left until compaction, 120,000 of 167,000 tokens" in ask(past, "status").text


@pytest.mark.parametrize("session", ["", "unheard-of"])
def test_status_of_an_unknown_session(past: World, session: str) -> None:
    """For an unknown session nothing of another session is shown."""
    shown = ask(past, "status", session).text
    assert "Compactions" not in shown
    assert "Work log" in shown
