"""Sessions as the one fold counts them, for the tables `sessions` and `compactions`.

Invariant: nothing is counted here. A session that both hooks and an import recorded is merged as
for every other command; one that only an import recorded is over.
"""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from journal.history.sessions import MergedSession, sessions_of
from journal.history.tables.columns import kinds_of
from journal.history.tables.engine import Engine
from journal.history.tables.schema import types_of
from journal.home import IMPORTED
from projections.session import title_of

_SHARED = kinds_of(
    "project VARCHAR, session VARCHAR, imported_counts BOOLEAN, same_start BOOLEAN, "
    "attempts BIGINT[]"
)


class ProjectSession(NamedTuple):
    """A session of a project. root: first session of its lineage."""

    project: str
    sid: str
    root: str
    merged: MergedSession


def project_sessions(home: str, projects: Iterable[str]) -> list[ProjectSession]:
    """Return the sessions of projects."""
    found = []
    for project in projects:
        sessions = sessions_of(os.path.join(home, project))
        found += [
            ProjectSession(project, sid, _root(sessions, sid), item)
            for sid, item in sessions.items()
        ]
    return found


def fill(engine: Engine, found: Iterable[ProjectSession]) -> None:
    """Create the table `_sessions`, from which `sessions` is made."""
    engine.make_table("_sessions", types_of("sessions"), [_row(item) for item in found])


def fill_shared(engine: Engine, found: Iterable[ProjectSession]) -> None:
    """Create the table `_shared`: which events of each session in both logs count."""
    rows = [
        (project, sid, item.counted == IMPORTED, item.is_same_start, sorted(item.attempts))
        for project, sid, _root, item in found
        if item.live is not None and item.imported is not None
    ]
    engine.make_table("_shared", _SHARED, rows)


def _root(sessions: dict[str, MergedSession], sid: str) -> str:
    """Return the first session of a lineage, which may be unknown itself; stop at a cycle."""
    passed = {sid}
    while (item := sessions.get(sid)) and (parent := item.session.parent) and parent not in passed:
        sid = parent
        passed.add(sid)
    return sid


def _row(item: ProjectSession) -> tuple[Any, ...]:
    session, imported = item.merged.session, item.merged.is_imported
    over = bool(session.ended)
    return (
        item.project,
        item.sid,
        item.root,
        session.parent or None,
        session.started.removesuffix("Z") or None,
        session.ended.removesuffix("Z") or None,
        session.last.removesuffix("Z") or None,
        None,  # the view computes the seconds
        session.sources[0] if session.sources else None,
        (session.reason or ("unknown" if imported else None)) if over else None,
        session.inferred if over else None,
        title_of(session) or None,
        session.model or None,
        session.branch or None,
        session.prompts,
        session.turns,
        session.tools,
        session.failures,
        session.subagents,
        session.compactions,
        session.tokens,
        imported,
    )
