"""The JSON that a hook prints, as Claude Code 2.1.330 reads it."""

from __future__ import annotations

from journal.codec import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.messages.message import Answer

__all__ = ["render"]

# Claude Code adds PreCompact's stdout to the summary's instructions as it is, JSON included.
_PLAIN = frozenset(("PreCompact",))
_CONTEXT = frozenset(
    ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse",
     "PostToolUseFailure", "Stop", "SubagentStop", "Notification")
)  # fmt: skip


def render(hook: str, answer: Answer) -> str:
    """Return the text for stdout; "" if Claude Code ignores this answer's fields for this hook."""
    if hook in _PLAIN:
        return answer.plain
    output: dict[str, object] = {}
    if answer.message:
        output["systemMessage"] = answer.message
    if answer.block:
        output["decision"] = "block"
        output["reason"] = answer.block
    if answer.context and hook in _CONTEXT:
        output["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": answer.context}
    return dumps(output).decode() if output else ""
