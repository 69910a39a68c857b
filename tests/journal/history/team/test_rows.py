"""The rows that an export adds are those of the local tables."""

from __future__ import annotations

import pytest

from journal.history.export.columns import TIMES
from journal.history.team.columns import FACTS
from tests.journal.history.export.conftest import EVENTS

pytestmark = pytest.mark.team
OTHER = "77777777-0000-4000-8000-000000000001"
STEPS = [
    [*EVENTS, {"type": "stage.started", "cycle": "c", "stage": "plan", "remaining": 90.0},
     {"type": "decision.recorded", "text": "keep it"},
     {"type": "usage.recorded", "message": "m9", "key": "u9", "model": "claude-sonnet-4-5",
      "input_tokens": 5, "output_tokens": 1}],
    [{"type": "session.started", "source": "startup", "sid": OTHER},
     {"type": "stage.finished", "cycle": "c", "stage": "plan", "remaining": 60.0, "sid": OTHER},
     {"type": "prompt.submitted", "text": "go on", "origin": "human", "size": 5, "sid": OTHER}],
    [{"type": "pressure.sampled", "tokens": 130_000, "point": 160_000, "sid": OTHER},
     {"type": "advice.given", "what": "pressure", "level": "info", "channel": "context", "sid": OTHER},
     {"type": "compact.started", "trigger": "auto", "tokens": 150_000, "point": 160_000, "sid": OTHER},
     {"type": "compact.finished", "summary": "All.", "size": 4, "sid": OTHER},
     {"type": "tool.finished", "tool": "Edit", "target": "a.py", "changed": True, "ms": 3}],
    [{"type": "usage.recorded", "message": "m9", "key": "u9", "model": "claude-sonnet-4-5",
      "input_tokens": 5, "output_tokens": 70, "sid": OTHER},
     {"type": "compound.ran", "promoted": 1, "sid": OTHER},
     {"type": "turn.ended", "sid": OTHER}],
    [{"type": "tool.finished", "tool": "Read", "ms": 3}, {"type": "session.ended", "reason": "other"}],
]  # fmt: skip


@pytest.mark.long
def test_in_steps_or_at_once(team):
    """Exported in steps or all together, every row that counts is the same."""
    written: list[dict[str, object]] = []
    for step in STEPS:
        written += step
        team.journals.write(written, "shop-00000001")
        team.journals.write(written[: len(written) // 2], "shop-00000001", "imported")
        team.export("--redact", "none")
    stepwise, team.there = team.there, team.journals.workspace.top / "at-once"
    team.export("--redact", "none")
    at_once = team.there
    for table in TIMES:
        told = "*" if table in FACTS else "* exclude (version, place)"
        shown = f"columns({told})::varchar"
        team.there = at_once
        expected = sorted(map(repr, team.rows(table, shown)))
        team.there = stepwise
        assert sorted(map(repr, team.rows(table, shown))) == expected, table
        assert expected, table
