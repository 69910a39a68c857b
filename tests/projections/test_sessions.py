"""What counts in a session."""

from __future__ import annotations

import pytest

from projections.fold import Fold
from projections.sessions import PROJECTION as SESSIONS
from tests.projections.timeline import timeline

SEEN = {
    "ends alone": "subagent ended by a1 / subagent ended by a2",
    "starts alone": "subagent started by a1 / subagent started by a2",
    "both": "subagent started by a1 / subagent ended by a1 / subagent ended by a2",
    "again": "subagent ended by a1 / subagent ended by a1 / subagent started by a2",
}


@pytest.mark.parametrize("name", SEEN)
def test_a_subagent_counts_once(name: str) -> None:
    """It counts at its first event: hooks may report its end alone, transcripts its start alone."""
    fold = Fold([SESSIONS])
    lines = [f"09:0{at} {line}" for at, line in enumerate(SEEN[name].split(" / "))]
    fold.feed(timeline("\n".join(lines)))
    (session,) = fold.states["sessions"].sessions.values()
    assert session.subagents == 2
