"""Builders of a turn's events."""

from __future__ import annotations

from journal.events.hook_input import TEXT, Call, clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_END = 200  # characters stored of a long prompt's end, beside its beginning
_PRIVATE = "<private"  # a private passage may begin anywhere before the end
_REDACTED = 8_000  # characters before the end that redaction sees: a secret may begin there


def _end(call: Call, text: str) -> str:
    """Return the end of a long prompt, redacted before it is cut off."""
    if _PRIVATE not in text.lower():
        text = text[TEXT - 1 :][-_REDACTED:]
    return call.redacted(text)[-_END:].strip()


def prompted(call: Call) -> dict[str, Any]:
    """Build the event of UserPromptSubmit, also of a prompt that no user typed."""
    prompt = call.data.get("prompt")
    text = prompt if isinstance(prompt, str) else ""
    if text.lstrip().startswith("<task-notification>"):
        origin = "task-notification"
    elif text.startswith("/"):
        origin = "command"
    else:
        origin = "human" if call.facts.get("attended", True) else "sdk"
    stored = clip(text, TEXT) if call.prompts else ""
    return call.event(
        "prompt.submitted",
        call.once(call.id_of("prompt_id"), len(text), stored=stored),
        origin=origin,
        size=len(text),
        text=stored,
        end=_end(call, text) if call.prompts and len(text) > TEXT else "",
    )


def expanded(call: Call) -> dict[str, Any]:
    """Build the event of UserPromptExpansion: a command or skill by name."""
    name = call.word("command_name", 120)
    return call.event(
        "command.expanded",
        call.once(call.id_of("prompt_id"), name),
        name=name,
        args=call.text("command_args", 300) if call.prompts else "",
        source=call.word("command_source"),
        kind=call.word("expansion_type"),
    )


def ended(call: Call) -> dict[str, Any]:
    """Build the events of Stop."""
    continued = call.data.get("stop_hook_active") is True
    tasks = call.data.get("background_tasks")
    background = len(tasks) if isinstance(tasks, list) else 0
    size = call.size("last_assistant_message")
    message = call.text("last_assistant_message", 1_200)
    # A turn that Stop hooks continue may end with the same text twice.
    identity = "" if continued else call.id_of("prompt_id")
    return call.event(
        "turn.ended",
        call.once(identity, background, size, stored=message),
        continued=continued,
        background=background or None,
        size=size or None,
        message=message,
        flow=call.facts.get("flow"),
    )


def failed(call: Call) -> dict[str, Any]:
    """Build the event of StopFailure."""
    return call.event(
        "turn.failed",
        call.again(),
        error=call.word("error"),
        message=call.text("last_assistant_message", 300),
    )
