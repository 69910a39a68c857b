"""From a hook's input to the bodies of events: a table of pure builders, one per hook event.

Invariant: every body a builder can make decodes into the typed event of its type with no member
left over (a test does that), so that the capture path needs no typed library.
"""

from __future__ import annotations

from journal.events.hook_input.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BUILDERS", "NOT_KEPT", "Call", "build"]

# Hook → module and function here; only the one asked for is imported.
BUILDERS: dict[str, tuple[str, str]] = {
    "SessionStart": ("session", "started"),
    "SessionEnd": ("session", "ended"),
    "UserPromptSubmit": ("turn", "prompted"),
    "UserPromptExpansion": ("turn", "expanded"),
    "Stop": ("turn", "ended"),
    "StopFailure": ("turn", "failed"),
    "PostToolUse": ("tool", "finished"),
    "PostToolUseFailure": ("tool", "failed"),
    "PreCompact": ("compact", "started"),
    "PostCompact": ("compact", "finished"),
    "SubagentStart": ("session", "subagent_started"),
    "SubagentStop": ("session", "subagent_ended"),
    "PostModelSwitch": ("session", "model_switched"),
    "Notification": ("session", "notified"),
}

# Events of the client that tell nothing another one does not tell as well.
NOT_KEPT = frozenset(
    ("PreToolUse", "PostToolBatch", "PreModelSwitch", "FileChanged", "CwdChanged", "Setup")
)


def build(call: Call) -> list[dict[str, Any]]:
    """Return the events of one hook call, the first being the fact itself; [] for one not kept.

    An event nobody here has heard of is a fact too: that it came, and how large it was.
    """
    named = BUILDERS.get(call.hook)
    if named:
        module, function = named
        builder = getattr(
            __import__(f"journal.events.hook_input.{module}", fromlist=[function]), function
        )
        events: list[dict[str, Any]] = builder(call)
        return events
    if call.hook in NOT_KEPT:
        return []
    return [call.event("hook.failed", call.again(), hook=call.hook, error="unknown event")]
