"""From a hook's input to the bodies of events: a table of pure builders, one per hook event.

Invariant: every body a builder can make decodes into the typed event of its type with no member
left over (a test does that), so that the capture path needs no typed library.
"""

from __future__ import annotations

from hooks.intake import compact, session, tool, turn
from hooks.intake.call import Call

__all__ = ["BUILDERS", "Call", "build"]

BUILDERS = {
    "SessionStart": session.started,
    "SessionEnd": session.ended,
    "UserPromptSubmit": turn.prompted,
    "UserPromptExpansion": turn.expanded,
    "Stop": turn.ended,
    "StopFailure": turn.failed,
    "PostToolUse": tool.finished,
    "PostToolUseFailure": tool.failed,
    "PreCompact": compact.started,
    "PostCompact": compact.finished,
    "SubagentStart": session.subagent_started,
    "SubagentStop": session.subagent_ended,
    "PostModelSwitch": session.model_switched,
    "Notification": session.notified,
}


def build(call: Call) -> list[dict[str, object]]:
    """Give the events of one hook call, the first being the fact itself; [] for an unknown hook."""
    builder = BUILDERS.get(call.hook)
    return builder(call) if builder else []
