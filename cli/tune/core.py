"""Pressure thresholds tried on history: pure functions of moments and two shares of T.

A session falls into stretches, each from a start or compaction to the next one or its end.
Invariant: what counts as told is decided by the hooks' own `level` and `told_level`, so the row of
the settings in force says what the hooks would say.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from projections.level import level, warned_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from journal.history.timeline import Moment, Session

__all__ = [
    "GRID_INFO",
    "GRID_URGENT",
    "Outcome",
    "Trial",
    "best",
    "grid",
    "outcomes",
    "trial",
    "urgent_above",
]

GRID_INFO = (0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85)
GRID_URGENT = (0.75, 0.80, 0.85, 0.90, 0.93, 0.96)
_APART = 0.05


class Outcome(NamedTuple):
    """One stretch. end: auto, manual or session. warnings: (level, tokens) in order.

    heeded: a compound ran or the person compacted after the first warning. lead: from the first
    warning to an automatic compaction, as (seconds, prompts, tokens); None: no warning, or none.
    """

    end: str
    warnings: tuple[tuple[str, int], ...]
    heeded: bool
    lead: tuple[float, int, int] | None


class Trial(NamedTuple):
    """Thresholds and what they would have done.

    sessions: with at least one reading; compactions: automatic ones; misses: of those, without a
    warning; noise: stretches warned of that nobody acted on and that ended without a compaction.
    per_session: warnings. seconds, prompts, tokens: median lead, None where there is none.
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


def outcomes(session: Session, info: float, urgent: float) -> list[Outcome]:
    """Tell each stretch of a session under two thresholds."""
    found: list[Outcome] = []
    stretch = _Stretch(info, urgent)
    for moment in session.moments:
        if moment.kind in ("auto", "manual"):
            found.append(stretch.ended(moment.kind, moment))
            stretch = _Stretch(info, urgent)
        else:
            stretch.take(moment)
    if stretch.readings:
        found.append(stretch.ended("session", None))
    return found


class _Stretch:
    def __init__(self, info: float, urgent: float) -> None:
        self.info = info
        self.urgent = urgent
        self.readings = 0
        self.warnings: list[tuple[str, int]] = []
        self.first: Moment | None = None
        self.prompts = 0
        self.compounds = 0
        self._told = ""
        self._lowest = 0.0
        self._quiet = False

    def take(self, moment: Moment) -> None:
        if moment.kind == "prompt":
            self.prompts += self.first is not None
        elif moment.kind == "compound":
            self._quiet = True
            self.compounds += self.first is not None
        elif moment.kind == "reading":
            self._read(moment)

    def _read(self, moment: Moment) -> None:
        self.readings += 1
        self._quiet = False
        if not moment.point:
            return
        share = moment.tokens / moment.point
        self._lowest = min(self._lowest, share)
        reached = level(moment.tokens, moment.point, self.info, self.urgent)
        told = warned_level(self._told, self._lowest, self.info, self.urgent)
        if not reached or told in (reached, "urgent"):
            return
        self._told, self._lowest = reached, share
        self.warnings.append((reached, moment.tokens))
        if self.first is None:
            self.first = moment

    def ended(self, end: str, moment: Moment | None) -> Outcome:
        lead = None
        if end == "auto" and self.first is not None and moment is not None:
            lead = (
                (moment.at - self.first.at) / 1000,
                self.prompts,
                max(0, moment.tokens - self.first.tokens),
            )
        acted = self.compounds > 0 or end == "manual"
        return Outcome(end, tuple(self.warnings), bool(self.warnings) and acted, lead)


def trial(sessions: Iterable[Session], info: float, urgent: float) -> Trial:
    """Try two thresholds on all sessions."""
    count, found = 0, []
    for session in sessions:
        told = outcomes(session, info, urgent)
        found += told
        count += any(moment.kind == "reading" for moment in session.moments)
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
        *(
            median(part) if leads else None
            for part in (zip(*leads, strict=True) if leads else ((), (), ()))
        ),
    )


def grid(sessions: Sequence[Session], info: float, urgent: float) -> list[Trial]:
    """Try each info beside the urgent in force, and each urgent beside the info in force."""
    pairs = [(value, urgent) for value in sorted({*GRID_INFO, info}) if value < urgent]
    pairs += [(info, value) for value in sorted({*GRID_URGENT, urgent}) if value > info]
    return [trial(sessions, *pair) for pair in dict.fromkeys(pairs)]


def best(trials: Sequence[Trial], now: Trial, lead: float) -> Trial:
    """Give the row to propose: it misses least, warns early enough, then is the quietest.

    lead: seconds the median warning has to come before. Equal rows: the one in force, then the
    one nearest to it. Without an automatic compaction there is nothing to weigh.
    """
    if not now.compactions:
        return now

    def rank(row: Trial) -> tuple[float, ...]:
        early = row.seconds is not None and row.seconds >= lead
        away = abs(row.info - now.info) + abs(row.urgent - now.urgent)
        return row.misses, not early, row.noise, row.warnings, away

    return min(trials, key=rank)


def urgent_above(info: float, urgent: float) -> float:
    """Give the urgent level in force, or where that is too near to `info` the next one above it.

    How early the last word has to come is the person's to say; it only has to be another one.
    """
    if urgent >= info + _APART:
        return urgent
    return next((value for value in GRID_URGENT if value >= info + _APART), GRID_URGENT[-1])
