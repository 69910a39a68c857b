"""Work that sessions left unfinished, for another session to take over.

Invariant: work is not offered while its session, or one that continues that session, may be
running.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from journal.clock import millis
from projections.lineage import root_of
from projections.stage import under_way
from projections.unit import Unit
from projections.views import Views

SILENT_MS = 600_000
"""A session whose process is unknown is over this long after its last event."""


class Leftover(NamedTuple):
    """Work left by one session. at: time of its last change, in ms. work: Cycle, Unit or State."""

    sid: str
    at: int
    work: Any


def leftovers(views: Views, sid: str, now: int) -> dict[str, list[Leftover]]:
    """Return the work that session `sid` may take over at `now` (ms), newest first.

    The keys are "cycle", "unit" and "skill".
    """
    cycles = [
        (owner, cycle) for owner in views.stage.sessions if (cycle := under_way(views.stage, owner))
    ]
    units = [(owner, unit) for owner, unit in _last_copies(views) if not unit.finished]
    skills = [
        (owner, state)
        for owner, state in views.progress.sessions.items()
        if state.status == "live" and owner != views.progress.parents.get(sid)
    ]
    found: dict[str, list[Leftover]] = {}
    for kind, rows in (("cycle", cycles), ("unit", units), ("skill", skills)):
        left = [Leftover(owner, millis(work.at) or 0, work) for owner, work in rows if owner != sid]
        left = [item for item in left if is_over(views, item.sid, item.at, now)]
        found[kind] = sorted(left, key=lambda item: item.at, reverse=True)
    return found


def is_over(views: Views, sid: str, last: int, now: int) -> bool:
    """Return whether a session and all sessions that continue it have ended.

    last: time of something that it did, in ms; it decides if the journal has no start of it.
    """
    sessions = views.lineage.sessions
    node = sessions.get(sid)
    if node is None:
        return now - last >= SILENT_MS
    if not node.ended:
        return False
    return all(
        other.ended or other.root != node.root or not _continues(views, name, sid)
        for name, other in sessions.items()
    )


def _continues(views: Views, sid: str, first: str) -> bool:
    """Return whether session `sid` continues session `first`, directly or through others."""
    sessions = views.lineage.sessions
    for _ in range(len(sessions)):
        node = sessions.get(sid)
        if node is None or not node.parent:
            return False
        if node.parent == first:
            return True
        sid = node.parent
    return False


def _last_copies(views: Views) -> list[tuple[str, Unit]]:
    """Return each unit once for a chain of sessions, with its owner: the copy changed last.

    After `/clear` and in a fork a session has the units of the one it continues.
    """
    found: dict[tuple[str, str], tuple[str, Unit]] = {}
    for owner, work in views.unit.sessions.items():
        for unit in work.units:
            key = root_of(views.lineage, owner), unit.unit
            if key not in found or unit.at >= found[key][1].at:
                found[key] = owner, unit
    return list(found.values())
