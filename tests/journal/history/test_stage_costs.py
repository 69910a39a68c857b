"""What stages used of the context, and the thresholds proposed from it."""

from __future__ import annotations

from journal.config.schema import DEFAULTS
from journal.history.trials import costs, proposals
from projections.stage import Span


def span(
    stage: str, before: float | None, left: float | None, cost: int = 0, *, finished: str = "t"
) -> Span:
    """Return a span of a stage."""
    return Span(stage=stage, started="s", finished=finished, before=before, left=left, cost=cost)


def test_stage_thresholds() -> None:
    """A proposed threshold covers nine in ten past runs of the next stage; few runs propose none."""
    spans = [
        span("audit", 80, 80 - used, 1000 * used)
        for used in (12, 14, 16, 18, 20, 22, 24, 26, 28, 61)
    ]
    spans += [span("ship", 50, 40), span("ship", None, 40), span("ship", 50, 30, finished="")]
    found = costs(spans)
    assert [(cost.stage, cost.runs) for cost in found] == [
        ("sprint", 0),
        ("audit", 10),
        ("ship", 2),
        ("retrospective", 0),
    ]
    assert found[1].tokens[0] == 12_000
    assert found[2].percents == (10,)
    assert proposals(found, DEFAULTS) == {"stage.thresholds.sprint": (50, 30)}
