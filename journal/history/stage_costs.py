"""Propose stage thresholds from the context that past stages used. Pure.

Invariant: a threshold is proposed only if the stage after it finished at least LEAST times.
"""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any, NamedTuple

from projections.stage import STAGES, Span, after

LEAST = 3
_SHARE = 0.9  # of past runs for which the proposed threshold leaves enough context
_STEP = 5  # percent


class StageCost(NamedTuple):
    """What a stage used in its finished runs. percents (of the window) and tokens are sorted."""

    stage: str
    runs: int
    percents: tuple[float, ...]
    tokens: tuple[int, ...]


def costs(spans: Iterable[Span]) -> list[StageCost]:
    """Return the costs of the finished spans by stage, in the order of the dev cycle."""
    groups: dict[str, list[Span]] = {stage: [] for stage in STAGES}
    for span in spans:
        if span.finished and span.stage in groups:
            groups[span.stage].append(span)
    return [
        StageCost(
            stage,
            len(group),
            tuple(
                sorted(
                    max(0.0, span.before - span.left)
                    for span in group
                    if span.before is not None and span.left is not None
                )
            ),
            tuple(sorted(span.cost for span in group if span.cost)),
        )
        for stage, group in groups.items()
    ]


def proposals(
    found: Iterable[StageCost], settings: Mapping[str, Any]
) -> dict[str, tuple[int, int]]:
    """Return setting → (current, proposed): the percent that must remain after a stage."""
    by_stage = {cost.stage: cost for cost in found}
    rows = {}
    for stage in STAGES[:-1]:
        cost = by_stage.get(after(stage))
        if cost is None or len(cost.percents) < LEAST:
            continue
        key = f"stage.thresholds.{stage}"
        # The smallest that at least `_SHARE` of the runs do not exceed.
        needed = cost.percents[ceil(_SHARE * len(cost.percents)) - 1]
        rows[key] = (int(settings[key]), min(100, max(_STEP, _STEP * ceil(needed / _STEP))))
    return rows
