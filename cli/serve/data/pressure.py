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

_POINTS = 400  # of one curve: more than a screen has columns to tell apart


class PressureHistory(NamedTuple):
    """Pressure of one session over time.

    points: (ms, percent of the compaction point); compactions, warnings: entries of its timeline;
    info, urgent: warning levels in effect, as shares of the compaction point.
    """

    project: str
    session: str
    title: str
    points: list[tuple[int, float]]
    compactions: list[TimelineEntry]
    warnings: list[TimelineEntry]
    info: float
    urgent: float


def histories(env: Mapping[str, str], home: str, since: str, limit: int) -> list[PressureHistory]:
    """Return the curves of the sessions with the newest readings, newest first."""
    found = [
        session
        for session in _sessions(home)
        if sum(entry.kind == "reading" for entry in session.entries) > 1
    ]
    found.sort(key=lambda session: session.last, reverse=True)
    start = (millis(since) or 0) if since else 0
    settings = JournalScope(env, home, UNFILED).settings
    levels = settings["pressure.info"], settings["pressure.urgent"]
    curves = (_history(session, start, levels) for session in found)
    return list(islice((curve for curve in curves if len(curve.points) > 1), limit))


def compactions(home: str, since: str) -> list[dict[str, Any]]:
    """Return every compaction since a time, as `journal stats compactions --json` has it."""
    rows = compaction_rows(_sessions(home))
    return sorted((row for row in rows if row["at"] >= since), key=lambda row: row["at"])


def _sessions(home: str) -> list[SessionTimeline]:
    with closing(History(home)) as history:
        return sessions_of(history)


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
