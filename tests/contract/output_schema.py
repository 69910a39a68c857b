"""What a hook may print, from the client's protocol (client 2.1.330).

`problems` is stricter than the client: the client tolerates unknown members, but no hook of ours may
print one. Invariant: empty output is always valid.
"""

from __future__ import annotations

import json

LIMIT = 9_600
"""Characters of one hook's stdout; the client cuts a string at 10,000."""

_TOP = {
    "systemMessage": str,
    "continue": bool,
    "stopReason": str,
    "decision": str,
    "reason": str,
    "suppressOutput": bool,
    "hookSpecificOutput": dict,
}
# Event → members of its hookSpecificOutput. Events not listed have none.
_SPECIFIC = {
    "SessionStart": {"additionalContext", "initialUserMessage", "sessionTitle", "watchPaths"},
    "UserPromptSubmit": {"additionalContext", "sessionTitle", "suppressOriginalPrompt"},
    "UserPromptExpansion": {"additionalContext"},
    "PreToolUse": {
        "additionalContext",
        "permissionDecision",
        "permissionDecisionReason",
        "updatedInput",
    },
    "PostToolUse": {"additionalContext", "updatedMCPToolOutput"},
    "PostToolUseFailure": {"additionalContext"},
    "Stop": {"additionalContext"},
    "SubagentStop": {"additionalContext"},
    "Notification": {"additionalContext"},
    "PostModelSwitch": {"additionalContext"},
}
_BLOCKS = {"UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"}
# The client discards the output of these, so printing is a mistake.
_UNHEARD = {"SessionEnd", "StopFailure", "PostCompact", "SubagentStart"}
# Plain text of these is added to the model's context, which is a valid answer.
_TEXT = {"SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreCompact"}


def problems(event: str, stdout: str) -> list[str]:
    """Return what is wrong with a hook's stdout for this event; [] if nothing is."""
    if not stdout:
        return []
    found = []
    if event in _UNHEARD or event not in {*_SPECIFIC, *_TEXT}:
        found.append(f"{event} prints, and nobody reads it")
    if len(stdout) > LIMIT:
        found.append(f"{len(stdout)} characters, more than {LIMIT}")
    if any("\ud800" <= c <= "\udfff" for c in stdout):
        found.append("a lone surrogate")
    if not stdout.lstrip().startswith("{"):
        if event not in _TEXT:
            found.append("plain text where it is dropped")
        return found
    if event == "PreCompact":
        return [*found, "JSON, which would be pasted raw into the summary's instructions"]
    try:
        output = json.loads(stdout)
    except ValueError as error:
        return [*found, f"broken JSON, injected as text: {error}"]
    return found + _members(event, output)


def _members(event: str, output: dict) -> list[str]:
    found = []
    for name, value in output.items():
        if name not in _TOP:
            found.append(f"unknown member {name}")
        elif type(value) is not _TOP[name]:
            found.append(f"{name} is {type(value).__name__}")
        elif value in ("", {}):
            found.append(f"{name} is empty")
    if "decision" in output:
        if event not in _BLOCKS or output["decision"] != "block":
            found.append(f"decision {output['decision']!r} on {event}")
        if not output.get("reason"):
            found.append("a block without a reason")
    specific = output.get("hookSpecificOutput")
    if isinstance(specific, dict):
        if specific.get("hookEventName") != event:
            found.append(f"hookEventName {specific.get('hookEventName')!r} on {event}")
        extra = set(specific) - _SPECIFIC.get(event, set()) - {"hookEventName"}
        found += [f"unknown hookSpecificOutput member {name}" for name in sorted(extra)]
        if not isinstance(specific.get("additionalContext", "x"), str):
            found.append("additionalContext is no text")
    return found
