"""Try pressure levels on past sessions, and propose thresholds of stages from past ones. Pure.

A session is split into runs: from its start or a compaction to the next compaction or its end.
Invariant: the pressure warning's own functions decide whether a warning is due, so the row of the
current settings counts what the hooks would send; a threshold is proposed only if the stage after
it finished at least `LEAST` times.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from statistics import median
from typing import Any, NamedTuple

from msgspec import Struct

from journal.history.timeline import COMPACTIONS, SessionTimeline, TimelineEntry
from projections.prefilter import level, warned_level, warning_due
from projections.stage import STAGES, Span, after

GRID_INFO = (0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85)
GRID_URGENT = (0.75, 0.80, 0.85, 0.90, 0.93, 0.96)
_APART = 0.05
LEAST = 3
_SHARE = 0.9  # of past runs for which the proposed threshold leaves enough context
_STEP = 5  # percent


class Outcome(NamedTuple):
    """One run. end: auto, manual or session. warnings: (level, tokens) in order.

    heeded: after the first warning, a compound ran or the user compacted. lead: from the first
    warning to the automatic compaction that ended the run, as (seconds, prompts, tokens); None if
    either is missing.
    """

    end: str
    warnings: tuple[tuple[str, int], ...]
    heeded: bool
    lead: tuple[float, int, int] | None


class Trial(NamedTuple):
    """Two levels and the warnings they would have given.

    sessions: those with at least one reading. compactions: automatic ones. misses: how many of
    those had no warning. noise: runs with a warning that nobody acted on and that ended without a
    compaction. per_session: warnings per session. seconds, prompts, tokens: median lead, None if
    there is none.
    """

    info: float
    urgent: float
    sessions: int
    warnings: int
    compactions: int
    misses: int
    noise: int
    heeded: int
    per_session: float
    seconds: float | None
    prompts: float | None
    tokens: float | None


def outcomes(session: SessionTimeline, info: float, urgent: float) -> list[Outcome]:
    """Return the outcome of each run of a session under two levels."""
    found: list[Outcome] = []
    run = _Run(info, urgent)
    for entry in session.entries:
        if entry.kind in COMPACTIONS:
            found.append(run.ended(entry.kind, entry))
            run = _Run(info, urgent)
        else:
            run.add(entry)
    if run.readings:
        found.append(run.ended("session", None))
    return found


class _Run(Struct, eq=False):
    info: float
    urgent: float
    readings: int = 0
    warnings: list[tuple[str, int]] = []
    first: TimelineEntry | None = None
    prompts: int = 0
    compounds: int = 0
    _warned: str = ""
    _lowest: float = 0.0

    def add(self, entry: TimelineEntry) -> None:
        if entry.kind == "prompt":
            self.prompts += self.first is not None
        elif entry.kind == "compound":
            self.compounds += self.first is not None
        elif entry.kind == "reading":
            self._read(entry)

    def _read(self, entry: TimelineEntry) -> None:
        self.readings += 1
        if not entry.point:
            return
        self._lowest = min(self._lowest, entry.pressure)
        reached = level(entry.tokens, entry.point, self.info, self.urgent)
        warned = warned_level(self._warned, self._lowest, self.info, self.urgent)
        if not warning_due(reached, warned):
            return
        self._warned, self._lowest = reached, entry.pressure
        self.warnings.append((reached, entry.tokens))
        if self.first is None:
            self.first = entry

    def ended(self, end: str, entry: TimelineEntry | None) -> Outcome:
        lead = None
        if end == "auto" and self.first is not None and entry is not None:
            lead = (
                (entry.at - self.first.at) / 1000,
                self.prompts,
                max(0, entry.tokens - self.first.tokens),
            )
        acted = self.compounds > 0 or end == "manual"
        return Outcome(end, tuple(self.warnings), bool(self.warnings) and acted, lead)


def trial(sessions: Iterable[SessionTimeline], info: float, urgent: float) -> Trial:
    """Return the warnings that two levels would have given in all sessions."""
    count, found = 0, []
    for session in sessions:
        found += outcomes(session, info, urgent)
        count += any(entry.kind == "reading" for entry in session.entries)
    automatic = [item for item in found if item.end == "auto"]
    leads = [item.lead for item in automatic if item.lead is not None]
    warnings = sum(len(item.warnings) for item in found)
    return Trial(
        info,
        urgent,
        count,
        warnings,
        len(automatic),
        len(automatic) - len(leads),
        sum(bool(item.warnings) and not item.heeded and item.end == "session" for item in found),
        sum(item.heeded for item in found),
        round(warnings / count, 2) if count else 0.0,
        *(map(median, zip(*leads, strict=True)) if leads else (None, None, None)),
    )


def grid(sessions: Sequence[SessionTimeline], info: float, urgent: float) -> list[Trial]:
    """Return trials of each info level with the given urgent level, and the other way round."""
    pairs = [(value, urgent) for value in sorted({*GRID_INFO, info}) if value < urgent]
    pairs += [(info, value) for value in sorted({*GRID_URGENT, urgent}) if value > info]
    return [trial(sessions, *pair) for pair in dict.fromkeys(pairs)]


def best(trials: Sequence[Trial], now: Trial, lead: float) -> Trial:
    """Return the row to propose, ranked by misses, lead, unneeded warnings and all warnings.

    lead: seconds before the compaction by which the median first warning must come. Of otherwise
    equal rows, return the one nearest to `now`, the row of the current settings. Without an
    automatic compaction, return `now`.
    """
    if not now.compactions:
        return now

    def rank(row: Trial) -> tuple[float, ...]:
        early = row.seconds is not None and row.seconds >= lead
        distance = abs(row.info - now.info) + abs(row.urgent - now.urgent)
        return row.misses, not early, row.noise, row.warnings, distance

    return min(trials, key=rank)


def urgent_above(info: float, urgent: float) -> float:
    """Return the current urgent level, or the next one that is far enough above `info`.

    How early the last warning comes is the user's choice; it only has to differ from the first.
    """
    if urgent >= info + _APART:
        return urgent
    return next((value for value in GRID_URGENT if value >= info + _APART), GRID_URGENT[-1])


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
