"""How much context a session has left: percent until compaction, or unknown and why."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from cli.render.local_time import zoned_time
from journal.clock import iso
from projections.headroom import headroom_text
from projections.messages import stage_gate
from projections.pressure import Gauge, current_headroom, limit_of
from projections.views import Views


class ContextLeft(NamedTuple):
    """percent: None if unknown; unknown: why, or "". limit: tokens at which it ends, 0 if unknown.

    thresholds: stage → what must be left after it: up to 100 in percent, above that in tokens.
    compacts: Claude Code compacts at the limit; otherwise the limit is the end of the window.
    """

    percent: float | None
    unknown: str
    limit: int
    thresholds: dict[str, int]
    compacts: bool = True

    @property
    def text(self) -> str:
        """Return `65.3% left until compaction`, or `context left: unknown` and why."""
        if self.percent is None:
            return f"context left: unknown ({self.unknown})"
        return headroom_text(self.percent, compacts=self.compacts)

    def is_enough(self, stage: str) -> bool | None:
        """Return whether it is enough to go on after a stage; None if unknown or not required."""
        needed = self.thresholds.get(stage)
        if needed is None or self.percent is None:
            return None
        return stage_gate.enough(self.percent, needed, self.limit)


def context_left(views: Views, sid: str, now: int, settings: Mapping[str, Any]) -> ContextLeft:
    """Return what remains for a session at `now` (ms)."""
    gauge = views.pressure.sessions.get(sid) or Gauge()
    window = gauge.limit or gauge.window
    stages = ("sprint", "audit", "ship")
    thresholds = {stage: stage_gate.threshold(stage, window, settings) for stage in stages}
    limit = limit_of(views.pressure, gauge)[0]
    headroom = current_headroom(views.pressure, sid, iso(now), settings["pressure.stale_after"])
    unknown = ""
    if headroom is None:
        unknown = f"the reading of {zoned_time(gauge.at)} is too old"
        if gauge.tokens is None:
            unknown = gauge.unknown
        elif not limit:
            unknown = "the compaction threshold is not known"
    percent = headroom.left if headroom is not None else None
    return ContextLeft(percent, unknown, limit, thresholds, gauge.enabled)


def needed_text(needed: int) -> str:
    """Return what a stage needs as text: `50% is needed`, above 100 in tokens."""
    return f"{needed}% is needed" if needed <= 100 else f"{needed:,} tokens are needed"
