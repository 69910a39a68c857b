"""Read pressure over time and compactions, across projects, for the page's second tab.

Invariant: the same sessions and compactions as `journal stats` shows, from the same functions.
"""

from collections.abc import Mapping
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from cli.scope import JournalScope
from journal.clock import millis
from journal.history.tables.database import History
from journal.history.timeline import (
    COMPACTIONS,
    SessionTimeline,
    TimelineEntry,
    compaction_rows,
    sessions_of,
)
from journal.home import UNFILED

_CURVES = 100  # at most, of the sessions with the newest readings
_POINTS = 400  # of one curve: more than a screen has columns to tell apart


class PressureHistory(NamedTuple):
    """Pressure of one session over time.

    points: (ms, percent of the compaction point), fewer than there are if those are many; readings:
    their number; compactions, warnings: entries of its timeline; info, urgent: warning levels in
    effect, as shares of the compaction point.
    """

    project: str
    session: str
    title: str
    points: list[tuple[int, float]]
    readings: int
    compactions: list[TimelineEntry]
    warnings: list[TimelineEntry]
    info: float
    urgent: float


def pressure_since(
    env: Mapping[str, str], home: str, since: str
) -> tuple[list[PressureHistory], list[dict[str, Any]]]:
    """Return curves, newest first, and every compaction since a time, oldest first.

    A compaction is as `journal stats compactions --json` has it.
    """
    settings = JournalScope(env, home, UNFILED).settings
    levels = settings["pressure.info"], settings["pressure.urgent"]
    with closing(History(home)) as history:
        sessions = sessions_of(history)
        read = [each for each in sessions if each.count("reading") > 1]
        read.sort(key=lambda session: session.last, reverse=True)
        curves = (_history(session, millis(since) or 0, levels) for session in read)
        histories = list(islice((curve for curve in curves if len(curve.points) > 1), _CURVES))
    rows = [row for row in compaction_rows(sessions) if row["at"] >= since]
    return histories, sorted(rows, key=lambda row: row["at"])


def _history(session: SessionTimeline, start: int, levels: tuple[float, float]) -> PressureHistory:
    entries = [entry for entry in session.entries if entry.at >= start]
    return PressureHistory(
        project=session.project,
        session=session.sid,
        title=session.title,
        points=_thinned(
            [
                (item.at, round(100 * item.tokens / item.point, 1))
                for item in entries
                if item.point and item.tokens and item.kind in ("reading", *COMPACTIONS)
            ]
        ),
        readings=sum(item.kind == "reading" for item in entries),
        compactions=[item for item in entries if item.kind in COMPACTIONS],
        warnings=[item for item in entries if item.kind == "told"],
        info=levels[0],
        urgent=levels[1],
    )


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the lowest and the highest point of each stretch, so that no peak is lost."""
    if len(points) <= _POINTS:
        return points
    size = -(-2 * len(points) // _POINTS)
    thinned: list[tuple[int, float]] = []
    for start in range(0, len(points), size):
        stretch = points[start : start + size]
        ends = {min(stretch, key=lambda p: p[1]), max(stretch, key=lambda p: p[1])}
        thinned += sorted(ends)
    return thinned
