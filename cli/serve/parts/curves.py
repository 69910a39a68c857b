"""Pressure over time and compactions, across projects, for the page's second tab.

Invariant: told from the same history as `journal stats`, read again only where a log has changed.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from cli.serve.shapes import Compactions, Tooth
from cli.stats.reports import compactions as report_of
from cli.stats.reports import week_of
from journal.history.timeline import journals, sessions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from journal.history.timeline import Session

__all__ = ["Curves"]

_POINTS = 400  # of one curve: more than a screen has columns to tell apart
_READ = ("reading", "auto", "manual")
_LOGS = ("", "imported")


class Curves:
    """What each project's history told, kept as long as its logs stay as they are."""

    def __init__(self, home: str) -> None:
        self.home = home
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[object, list[Session]]] = {}

    def teeth(self, project: str, since: str, limit: int) -> list[Tooth]:
        """Curves of the sessions that were read most recently, newest first."""
        found = [
            item
            for item in self._sessions(project)
            if sum(m.kind == "reading" for m in item.moments) > 1
        ]
        found.sort(key=lambda item: item.last, reverse=True)
        told = (_tooth(item, since) for item in found)
        return [tooth for tooth in told if len(tooth.points) > 1][:limit]

    def compactions(self, project: str, since: str) -> Compactions:
        """Compactions by week and project, and each of them, newest last."""
        found = list(self._sessions(project))
        report = report_of(found)
        items = sorted(
            (row for row in report.data if row["at"] >= since), key=lambda row: row["at"]
        )
        weeks: dict[str, int] = {}
        projects: dict[str, dict[str, int | str]] = {}
        for row in items:
            week = row["at"][:10]
            weeks[week] = weeks.get(week, 0) + 1
            one = projects.setdefault(
                row["project"], {"project": row["project"], "all": 0, "auto": 0}
            )
            one["all"] = int(one["all"]) + 1
            one["auto"] = int(one["auto"]) + (row["trigger"] == "auto")
        return Compactions(weeks=_weekly(weeks), projects=list(projects.values()), items=items)

    def _sessions(self, project: str) -> Iterator[Session]:
        for name, directory in journals(self.home):
            if project in ("", name):
                yield from self._read(name, directory)

    def _read(self, name: str, directory: str) -> list[Session]:
        state = [_state(os.path.join(directory, part)) for part in _LOGS]
        with self._lock:
            before, found = self._kept.get(name, (None, []))
            if before != state:
                found = sessions_of(name, directory)
                self._kept[name] = (state, found)
            return found


def _state(directory: str) -> object:
    try:
        facts = os.stat(os.path.join(directory, "active.jsonl"))
    except OSError:
        return None
    return facts.st_ino, facts.st_size


def _weekly(days: dict[str, int]) -> list[tuple[str, int]]:
    from journal.clock import millis

    weeks: dict[str, int] = {}
    for day, count in days.items():
        week = week_of(millis(day) or 0)
        weeks[week] = weeks.get(week, 0) + count
    return sorted(weeks.items())


def _tooth(session: Session, since: str) -> Tooth:
    from journal.clock import millis

    low = (millis(since) or 0) if since else 0
    moments = [item for item in session.moments if item.at >= low]
    points = [
        (item.at, round(100 * item.tokens / item.point, 1))
        for item in moments
        if item.point and item.tokens and item.kind in _READ
    ]
    done = [
        (item.at, item.tokens, int(item.kind == "auto"))
        for item in moments
        if item.kind in ("auto", "manual")
    ]
    return Tooth(
        project=session.project,
        session=session.sid,
        title=session.title,
        points=_thinned(points),
        compactions=done,
        imported=session.imported,
    )


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Keep the lowest and the highest of each stretch, so that no tooth is filed off."""
    if len(points) <= _POINTS:
        return points
    size = -(-2 * len(points) // _POINTS)
    kept: list[tuple[int, float]] = []
    for start in range(0, len(points), size):
        stretch = points[start : start + size]
        ends = {min(stretch, key=lambda p: p[1]), max(stretch, key=lambda p: p[1])}
        kept += sorted(ends)
    return kept
