"""All sessions of a log, with their counts, compactions, times and ends.

Views, tables, reports, exports and the page read these counts instead of counting again. Commands
fold this; hooks do not, so it need not forget old sessions. Invariant: a session without an end
event is open. `projections.merging.merge` combines a session's recorded and imported state.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from projections.all_parts import AllParts
from projections.projection import Projection
from projections.session import Session
from projections.session_events import ACTIVE, PASSIVE, tools_finished


class Sessions(Struct, frozen=True, omit_defaults=True):
    """All sessions by id. sessions: the most recently active, the latest last; older: the rest."""

    sessions: dict[str, Session] = {}
    older: dict[str, Session] = {}


def step(
    session: Session | None, kind: str, event: Any, parent: Session | None = None
) -> Session | None:
    """Return a session after one of its events; None if there is no session yet.

    parent: the session that this one continues, if it names one.
    """
    handler = _HANDLERS.get(kind)
    return handler(session, event, lambda _sid: parent) if handler else session


# A summary is about another session than the one that recorded it.
_ABOUT: dict[str, Callable[[Any], str]] = {"session.summarized": lambda event: str(event.of)}
_PARTS = AllParts(ACTIVE, PASSIVE, _ABOUT, {"tool.finished": tools_finished})

_HANDLERS = {**PASSIVE, **_PARTS.active}
HANDLED = frozenset(_HANDLERS)

PROJECTION = Projection("sessions", 18, Sessions(), {}, _PARTS)
