"""All sessions of a log, with their counts, compactions, times and ends.

Views, tables, reports, exports and the page read these counts instead of counting again. Commands
fold this; hooks do not, so it need not forget old sessions. Invariant: a session without an end
event is open. `projections.merging.merge` combines a session's recorded and imported state.
"""

from typing import Any

from msgspec import Struct

from projections.projection import Projection
from projections.session import Session
from projections.session_events import ACTIVE, PASSIVE, started, tools_finished


class Sessions(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → Session, all of them."""

    sessions: dict[str, Session] = {}


def by_activity(state: Sessions) -> dict[str, Session]:
    """Return all sessions by id, in the order of their last activity."""
    return dict(sorted(state.sessions.items(), key=lambda item: item[1].seq))


def step(session: Session, kind: str, event: Any, parent: Session | None = None) -> Session:
    """Return a session after one of its events. parent: the one that it continues, if known."""
    if kind == "session.started":
        return started(session, event, parent)
    if kind == "tool.finished":
        return tools_finished(session, (event,))
    handler = ACTIVE.get(kind) or PASSIVE.get(kind)
    return handler(session, event) if handler else session


HANDLED = frozenset((*ACTIVE, *PASSIVE, "session.started", "tool.finished"))

PROJECTION = Projection(
    "sessions",
    25,
    Sessions(),
    blank=Session(),
    active=ACTIVE,
    passive=PASSIVE,
    runs={"tool.finished": tools_finished},
    wide={
        "session.started": lambda session, event, _state, sessions: started(
            session, event, sessions.get(event.previous)
        )
    },
    limit=0,
    # A summary is about another session than the one that recorded it.
    about={"session.summarized": lambda event: str(event.of)},
    any_agent=HANDLED,
)
