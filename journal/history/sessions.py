"""The sessions of a project, merged from what hooks recorded and what was imported.

Invariant: each session counts once, by `projections.session.merge`. Views, tables, reports, exports
and the page take their counts from here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from journal.history.importer import IMPORTED
from journal.history.logs import LIVE
from journal.history.replay.run import replay_all
from journal.log.segment import segments
from projections.all_parts import every
from projections.merging import is_fuller, merge
from projections.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.session import Session

__all__ = ["Recorded", "begun", "imported_sessions", "merged", "sessions_of"]


class Recorded(NamedTuple):
    """A session from both logs. imported: no hook saw it; counted: the log of its counts."""

    session: Session
    imported: bool
    counted: str


def sessions_of(directory: str) -> dict[str, Recorded]:
    """Return the sessions of a project's journal, sorted by last activity."""
    live = replay_all(directory, ("sessions",)).states["sessions"] if _is_log(directory) else None
    return merged(live or Sessions(), imported_sessions(directory))


def imported_sessions(directory: str) -> dict[str, Session]:
    """Return the sessions imported from transcripts, and those that are only named there."""
    below = os.path.join(directory, IMPORTED)
    if not _is_log(below):
        return {}
    return every(replay_all(below, ("sessions",)).states["sessions"])


def merged(live: Sessions, imported: Mapping[str, Session]) -> dict[str, Recorded]:
    """Return each session once, sorted by last activity. An imported one without an end is over."""
    named, hooks = every(live), begun(every(live))
    found = {}
    for sid in dict.fromkeys((*begun(imported), *hooks)):
        session = merge(named.get(sid), imported.get(sid))
        if session is None:  # pragma: no cover (it is in one of them)
            continue
        if sid not in hooks:
            found[sid] = Recorded(_over(session), imported=True, counted=IMPORTED)
        else:
            other = imported.get(sid)
            counted = IMPORTED if other is not None and is_fuller(other, hooks[sid]) else LIVE
            found[sid] = Recorded(session, imported=False, counted=counted)
    if not imported:
        return found
    return dict(sorted(found.items(), key=lambda item: item[1].session.last))


def begun(sessions: Mapping[str, Session]) -> dict[str, Session]:
    """Return the sessions that a log has events of: not those that it only names."""
    return {sid: session for sid, session in sessions.items() if session.seq}


def _over(session: Session) -> Session:
    """End a session at its last activity if its transcript records no end."""
    if session.ended:
        return session
    return replace(session, ended=session.last, inferred=True, reason="unknown")


def _is_log(directory: str) -> bool:
    try:
        return bool(segments(directory))
    except OSError:
        return False
