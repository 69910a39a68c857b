"""Build the events of one hook call from its input's members."""

from __future__ import annotations

from typing import Any

from journal.config.schema import DEFAULTS
from journal.events.hook_input import Call, build


def call_of(hook: str, *, level: str = "full", facts: dict[str, Any] | None = None,
            prompts: bool = True, **members: Any) -> Call:  # fmt: skip
    """Return a call of a hook in session s of project /p."""
    data = {"hook_event_name": hook, "session_id": "s", **members}
    settings = {**DEFAULTS, "capture.level": level, "capture.prompts": prompts}
    return Call(data, "raw", "/p", settings, facts)


def built(hook: str, **members: Any) -> list[dict[str, Any]]:
    """Return the events of a call, see `call_of`."""
    return build(call_of(hook, **members))


def event_of(hook: str, **members: Any) -> dict[str, Any]:
    """Return the only event of a call."""
    (event,) = built(hook, **members)
    return event
