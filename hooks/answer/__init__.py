"""What a hook says: a pure function of views, event and settings.

`journal replay --answers` asks it about every past event and gets what was said then; `journal
tune` asks it under other settings. Invariant: no clock, no file, no environment in here.
"""

from __future__ import annotations

from hooks.answer import cycle, guidance, pressure, recovery, start, stop
from hooks.answer.said import Answer
from hooks.decide import COMPACTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from projections.views import Views

__all__ = ["HOOK_OF", "Answer", "answer"]

# Event type → the hook it came through, and who answers there.
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


def _expanded(views: Views, event: Any, _settings: Mapping[str, Any]) -> Answer | None:
    return cycle.begin_named(views, event, event.name)


def _notified(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    return recovery.answer(views, event, settings) if event.kind in COMPACTING else None


_ANSWERS: dict[str, Callable[[Views, Any, Mapping[str, Any]], Answer | None]] = {
    "session.started": start.answer,
    "prompt.submitted": pressure.answer,
    "tool.finished": pressure.answer,
    "tool.failed": pressure.answer,
    "turn.ended": stop.answer,
    "compact.started": guidance.answer,
    "command.expanded": _expanded,
    "notification.received": _notified,
}


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Give what the hook says about `event`, or None for silence.

    views: folded up to and with the event. settings: flat, as journal.config gives them. An event
    of a subagent, of no session, or imported from a transcript is never answered.
    """
    answers = _ANSWERS.get(type(event).__struct_config__.tag)
    if answers is None or event.agent or event.imported:
        return None
    said = answers(views, event, settings)
    return said if said is not None and not said.empty else None
