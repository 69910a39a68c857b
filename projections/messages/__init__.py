"""What a hook says: a pure function of views, event and settings.

`journal replay --answers` asks it about every past event and gets what was said then; `journal
tune` asks it under other settings. Invariant: no clock, no file, no environment in here.
"""

from __future__ import annotations

from projections.messages.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.views import Views

__all__ = ["HOOK_OF", "Answer", "answer"]

# Event type → the hook it came through.
HOOK_OF: dict[str, str] = {
    "session.started": "SessionStart",
    "prompt.submitted": "UserPromptSubmit",
    "tool.finished": "PostToolUse",
    "tool.failed": "PostToolUseFailure",
    "turn.ended": "Stop",
    "compact.started": "PreCompact",
    "command.expanded": "UserPromptExpansion",
    "notification.received": "Notification",
}


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Give what the hook says about `event`, or None for silence.

    views: folded up to and with the event. settings: flat, as journal.config gives them. An event
    of a subagent, of no session, or imported from a transcript is never answered.
    """
    if event.agent or event.imported:
        return None
    said = _said(type(event).__struct_config__.tag, views, event, settings)
    return said if said is not None and not said.empty else None


def _said(kind: str, views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Ask whoever answers events of this type; only that one is imported (0.3 ms each)."""
    if kind in ("prompt.submitted", "tool.finished", "tool.failed"):
        from projections.messages import pressure

        return pressure.answer(views, event, settings)
    if kind == "session.started":
        from projections.messages import start

        return start.answer(views, event, settings)
    if kind == "turn.ended":
        from projections.messages import compound as stop

        return stop.answer(views, event, settings)
    if kind == "compact.started":
        from projections.messages import guidance

        return guidance.answer(views, event, settings)
    if kind == "command.expanded":
        from projections.messages import cycle

        return cycle.begin_named(views, event, event.name)
    if kind == "notification.received":
        from projections.messages import recovery
        from projections.messages.prefilter import COMPACTING

        return recovery.answer(views, event, settings) if event.kind in COMPACTING else None
    return None
