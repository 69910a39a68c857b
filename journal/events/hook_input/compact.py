"""Builders of a compaction's events."""

from __future__ import annotations

from journal.redaction import redact
from journal.text import pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call

PART = 12_000  # bytes of a text's JSON in one record


def started(call: Call) -> dict[str, Any]:
    """Build the event of PreCompact. A `checkpoint.saved` with what needs the views follows."""
    facts = call.facts
    flow = facts.get("flow")
    return call.event(
        "compact.started",
        call.again(),
        trigger=call.word("trigger"),
        instructions=call.text("custom_instructions"),
        tokens=facts.get("tokens"),
        point=facts.get("point"),
        headings=flow["headings"] if flow else None,
        flow=flow,
        stock=facts.get("stock"),
    )


def summarized(call: Call) -> list[dict[str, Any]]:
    """Build the events of the SubagentStop of a compaction's fork.

    They have no agent: `assign` finds the thread that they belong to.
    """
    parts = _in_parts(
        call, "compact.summarized", call.data.get("last_assistant_message"), call.again()
    )
    for part in parts:
        part.pop("agent", None)
    return parts


def assign(parts: list[dict[str, Any]], tail: bytes) -> None:
    """Assign a summary to the thread that compacts, which the hook's input does not name.

    That is the thread of the session's newest compaction that has no summary yet; the main thread,
    if the log's last bytes show none.
    """
    of_session = b'"sid":"%b"' % parts[0]["sid"].encode()
    begun: dict[bytes, None] = {}
    for line in tail.split(b"\n"):
        if b'"type":"compact.' not in line or of_session not in line:
            continue
        agent = line.partition(b'"agent":"')[2].partition(b'"')[0]
        if b'"type":"compact.started"' in line:
            begun.pop(agent, None)
            begun[agent] = None
        elif b'"type":"compact.summarized"' in line or b'"type":"compact.finished"' in line:
            begun.pop(agent, None)
    agent = next(reversed(begun), b"")
    if agent:
        for part in parts:
            part["agent"] = agent.decode()


def finished(call: Call) -> list[dict[str, Any]]:
    """Build the events of PostCompact; none without a summary."""
    return _in_parts(
        call,
        "compact.finished",
        call.data.get("compact_summary"),
        call.again(),
        trigger=call.word("trigger"),
    )


def in_parts(text: str) -> list[str]:
    """Redact a text and split it into pieces that fit a record; at least one.

    Redaction comes first: in neither piece would it recognize a secret that was cut in two.
    """
    return pieces(redact(text), PART)


def _in_parts(call: Call, kind: str, text: object, key: str, **body: Any) -> list[dict[str, Any]]:
    if not isinstance(text, str) or not text.strip():
        return []
    summary = _without_analysis(text) if call.full else ""
    parts = in_parts(summary)
    return [
        call.event(
            kind,
            key if number == 1 else "",
            **body,
            summary=piece,
            size=len(text),
            part=number if number > 1 else None,
            parts=len(parts) if len(parts) > 1 else None,
        )
        for number, piece in enumerate(parts, 1)
    ]


def _without_analysis(text: str) -> str:
    """Return the `<summary>` part; the model's analysis before it is left out."""
    start, end = text.find("<summary>"), text.rfind("</summary>")
    if start < 0:
        return text.strip()
    return text[start + len("<summary>") : end if end > start else len(text)].strip()
