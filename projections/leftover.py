"""Work that sessions left unfinished: it is the project's until somebody decides about it.

Invariant: work of a session that may still be alive is never offered, nor what one that is alive
goes on with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from journal.clock import millis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.views import Views

__all__ = ["SILENT_MS", "Leftover", "is_over", "leftovers"]

SILENT_MS = 600_000
"""A session whose process is unknown is over this long after its last event."""


class Leftover(NamedTuple):
    """What one session left. at: of the last change, in ms; work: a Cycle, a Unit or a State."""

    sid: str
    at: int
    work: Any


def leftovers(views: Views, sid: str, now: int) -> dict[str, list[Leftover]]:
    """Return what session `sid` may take over at `now` (ms): cycle, unit, skill → newest first."""
    cycles = [
        (owner, cycle)
        for owner, cycle in views.stage.sessions.items()
        if cycle.status in ("open", "stopped")
    ]
    units = [
        (owner, unit)
        for owner, work in views.unit.sessions.items()
        for unit in work.units
        if not unit.finished and not _goes_on(views, owner, unit.unit)
    ]
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
    """Return whether a session ended, with every session that went on from it.

    last: time of something it did, in ms; it decides where the journal knows no start of it.
    """
    sessions = views.lineage.sessions
    node = sessions.get(sid)
    if node is None:
        return now - last >= SILENT_MS
    if not node.ended:
        return False
    return all(other.ended or other.root != node.root or not _follows(views, name, sid)
               for name, other in sessions.items())  # fmt: skip


def _follows(views: Views, sid: str, first: str) -> bool:
    """Return whether a session continues another one, over any number of sessions."""
    sessions = views.lineage.sessions
    for _ in range(len(sessions)):
        node = sessions.get(sid)
        if node is None or not node.parent:
            return False
        if node.parent == first:
            return True
        sid = node.parent
    return False


def _goes_on(views: Views, owner: str, unit: str) -> bool:
    """Return whether a session that went on from `owner` has the unit as its own."""
    return any(
        node.parent == owner
        and any(one.unit == unit for one in (work.units if work is not None else []))
        for sid, node in views.lineage.sessions.items()
        if (work := views.unit.sessions.get(sid)) is not None
    )
