"""Builders of events of a whole session."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call


def started(call: Call) -> dict[str, Any]:
    """Build the event of SessionStart."""
    facts = call.facts
    source = call.word("source")
    return call.event(
        "session.started",
        call.again(),
        source=source,
        model=call.word("model"),
        transcript=call.word("transcript_path", 400),
        context_tokens=call.count("context_tokens"),
        previous=facts.get("previous", ""),
        title=call.text("session_title", 120),
        pid=facts.get("pid"),
        pid_start=facts.get("pid_start"),
        autocompact=facts.get("autocompact"),
        loop=facts.get("loop"),
        unowned=facts.get("unowned"),
        flow=facts.get("flow"),
        stock=facts.get("stock"),
    )


def ended(call: Call) -> dict[str, Any]:
    """Build the event of SessionEnd."""
    return call.event(
        "session.ended", call.again(), reason=call.word("reason"), pid=call.facts.get("pid")
    )


def subagent_started(call: Call) -> dict[str, Any]:
    """Build the event of SubagentStart."""
    key = call.once(call.id_of("agent_id"))
    return call.event("subagent.started", key, agent_type=call.word("agent_type"))


def subagent_ended(call: Call) -> dict[str, Any] | list[dict[str, Any]]:
    """Build the events of SubagentStop; those of a compaction's fork, without type: its summary."""
    if call.data.get("agent_type") == "":
        from journal.events.hook_input import compact

        return compact.summarized(call)
    return call.event(
        "subagent.ended",
        call.again(),
        agent_type=call.word("agent_type"),
        size=call.size("last_assistant_message"),
        message=call.text("last_assistant_message", 300),
    )


def model_switched(call: Call) -> dict[str, Any]:
    """Build the event of PostModelSwitch."""
    return call.event(
        "model.switched",
        call.again(),
        before=call.word("from_model"),
        after=call.word("to_model"),
        source=call.word("source"),
        context_tokens=call.count("context_tokens"),
    )


def notified(call: Call) -> dict[str, Any]:
    """Build the event of Notification."""
    return call.event(
        "notification.received",
        call.again(),
        kind=call.word("notification_type"),
        message=call.text("message", 200),
    )
