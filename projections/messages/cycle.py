"""A dev cycle begins by its explicit command, and by nothing that merely mentions it."""

from __future__ import annotations

from projections.messages.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from projections.views import Views

__all__ = ["COMMANDS", "begin", "begin_named"]

COMMANDS = ("/dev-cycle", "/journal:dev-cycle")


def begin(views: Views, event: Any) -> Answer | None:
    """Start a cycle at sprint for a prompt that is the command; one under way is left as it is.

    So is a stopped one: taking it up, or giving it up for a new one, is the person's decision.
    """
    if getattr(event, "origin", "") != "command":
        return None
    words = event.text.split(None, 1)
    return begin_named(views, event, words[0]) if words else None


def begin_named(views: Views, event: Any, name: str) -> Answer | None:
    """Start a cycle for the command called `name`."""
    if f"/{name.lstrip('/')}" not in COMMANDS or not event.sid:
        return None
    cycle = views.stage.sessions.get(event.sid)
    if cycle is not None and cycle.status in ("open", "stopped"):
        return None
    started = {
        "type": "stage.started",
        "cycle": f"cycle-{event.seq}",
        "stage": "sprint",
    }
    return Answer(says=[started])
