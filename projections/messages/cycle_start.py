"""Start a dev cycle when the user types its command; a text that mentions it starts none.

The message has no text.
"""

from __future__ import annotations

from projections.messages.message import Answer, Input, Reason, Response
from projections.stage import UNDER_WAY

COMMANDS = ("/dev-cycle", "/journal:dev-cycle")


def respond(given: Input) -> Response:
    """Start a cycle at sprint, unless one is open or stopped: the user decides about that."""
    event = given.event
    words = (event.name if hasattr(event, "name") else event.text).split(None, 1)
    name = f"/{words[0].lstrip('/')}" if words else ""
    if name not in COMMANDS or not event.sid:
        return None
    yield Reason("command", f"{name} starts a dev cycle", passed=True)
    cycle = given.views.stage.sessions.get(event.sid)
    if cycle is not None:
        free = cycle.status not in UNDER_WAY
        text = f"{cycle.cycle} is {cycle.status}"
        yield Reason("dev cycle", text, passed=free, seqs=(cycle.seq,))
    started = {"type": "stage.started", "cycle": f"cycle-{event.seq}", "stage": "sprint"}
    return Answer(events=[started])
