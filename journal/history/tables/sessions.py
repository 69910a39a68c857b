"""Sessions as the one fold counts them, for the tables `sessions` and `compactions`.

Invariant: nothing is counted here. A session that both hooks and an import recorded is merged as
for every other command; one that only an import recorded is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from journal.history.importer import IMPORTED
from journal.history.merged import attempts, is_same_start
from journal.history.replay.run import replay_all
from journal.history.sessions import begun, merged
from projections.all_parts import every
from projections.session import title_of
from projections.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from journal.history.tables.engine import Engine
    from journal.history.tables.logs import Log
    from projections.session import Session

__all__ = ["Merged", "fill", "sessions_of"]

_COLUMNS = {
    "project": "VARCHAR", "session": "VARCHAR", "root": "VARCHAR", "parent": "VARCHAR",
    "started": "TIMESTAMP", "ended": "TIMESTAMP", "last": "TIMESTAMP", "source": "VARCHAR",
    "reason": "VARCHAR", "inferred": "BOOLEAN", "title": "VARCHAR", "model": "VARCHAR",
    "branch": "VARCHAR", "prompts": "BIGINT", "turns": "BIGINT", "tools": "BIGINT",
    "failures": "BIGINT", "subagents": "BIGINT", "compactions": "BIGINT", "tokens": "BIGINT",
    "imported": "BOOLEAN",
}  # fmt: skip
_SHARED = {
    "project": "VARCHAR", "session": "VARCHAR", "imported_counts": "BOOLEAN",
    "same_start": "BOOLEAN", "attempts": "BIGINT[]",
}  # fmt: skip


class Merged(NamedTuple):
    """A session of a project. live, imported: as each log has it, None if it does not.

    session: both merged; root: first session of its lineage; counted: the log of its counts.
    """

    project: str
    sid: str
    session: Session
    live: Session | None
    imported: Session | None
    root: str
    counted: str


def sessions_of(logs: Iterable[Log]) -> list[Merged]:
    """Fold the sessions of logs, and merge those of both logs of a project."""
    states: dict[str, dict[str, Sessions]] = {}
    for log in logs:
        state = replay_all(log.directory, ["sessions"]).states["sessions"]
        states.setdefault(log.project, {})[log.side] = state
    nothing = Sessions()
    return [
        item
        for project, sides in states.items()
        for item in _merged(project, sides.get("live", nothing), sides.get("imported", nothing))
    ]


def fill(engine: Engine, found: Iterable[Merged]) -> None:
    """Create the table `_sessions`."""
    engine.make_table("_sessions", _COLUMNS, [_row(item) for item in found])


def fill_shared(engine: Engine, found: Iterable[Merged]) -> None:
    """Create the table `_shared`: which events of each session in both logs count."""
    rows = [
        (
            item.project,
            item.sid,
            item.counted == IMPORTED,
            is_same_start(item.live, item.imported),
            sorted(attempts(item.live, item.session)),
        )
        for item in found
        if item.live is not None and item.imported is not None
    ]
    engine.make_table("_shared", _SHARED, rows)


def _merged(project: str, hooks: Sessions, import_: Sessions) -> Iterable[Merged]:
    live, imported = begun(every(hooks)), begun(every(import_))
    found = merged(hooks, every(import_))
    sessions = {sid: item.session for sid, item in found.items()}
    for sid, session in sessions.items():
        root, counted = _root(sessions, sid), found[sid].counted
        yield Merged(project, sid, session, live.get(sid), imported.get(sid), root, counted)


def _root(sessions: dict[str, Session], sid: str) -> str:
    """Return the first session of a lineage, which may be unknown itself; stop at a cycle."""
    passed = {sid}
    while (session := sessions.get(sid)) and session.parent and session.parent not in passed:
        sid = session.parent
        passed.add(sid)
    return sid


def _row(item: Merged) -> tuple[Any, ...]:
    session, imported = item.session, item.live is None
    over = bool(session.ended)
    return (
        item.project,
        item.sid,
        item.root,
        session.parent or None,
        session.started.removesuffix("Z") or None,
        session.ended.removesuffix("Z") or None,
        session.last.removesuffix("Z") or None,
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
