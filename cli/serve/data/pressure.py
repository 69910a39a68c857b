"""Read pressure curves and compactions for the second tab of the page.

Invariant: sessions and compactions come from the same functions as in `journal stats`.
"""

from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from journal.history.tables.database import History
from journal.history.timeline import SessionTimeline, compaction_rows, session_timelines

_CURVES = 100  # at most, of the sessions with the newest readings


class PressureHistory(NamedTuple):
    """sessions: those with a curve, newest first. compactions: as `journal stats` prints them.

    levels: the warning levels in effect (info, urgent), as shares of the compaction threshold.
    """

    sessions: list[SessionTimeline]
    compactions: list[dict[str, Any]]
    levels: tuple[float, float]


def pressure_since(home: str, since: str, levels: tuple[float, float]) -> PressureHistory:
    """Return the curves and compactions since a time. levels: see PressureHistory."""
    with closing(History(home)) as history:
        sessions = session_timelines(history, since)
        newest = sorted(sessions, key=lambda session: session.last, reverse=True)
        read = (each for each in newest if each.count("reading") > 1)
        curves = list(islice((each for each in read if len(curve_of(each)) > 1), _CURVES))
    return PressureHistory(curves, compaction_rows(sessions), levels)


def curve_of(session: SessionTimeline) -> list[tuple[int, float]]:
    """Return (ms, percent of the compaction threshold) of readings and compactions."""
    return [(entry.at, round(100 * entry.pressure, 1)) for entry in session.measured]
