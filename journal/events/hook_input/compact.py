"""Builders of what a compaction tells."""

from __future__ import annotations

from journal.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call

PART = 12_000  # characters of text in one record: below the cap even where each takes a few bytes


def started(call: Call) -> list[dict[str, Any]]:
    """PreCompact. What depends on the views comes in the `checkpoint.saved` that follows."""
    facts = call.facts
    flow = facts.get("flow")
    return [
        call.event(
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
    ]


def summarized(call: Call) -> list[dict[str, Any]]:
    """SubagentStop of the compaction's fork. No agent: it is the main thread's own business."""
    parts = _in_parts(
        call, "compact.summarized", call.data.get("last_assistant_message"), call.again()
    )
    for part in parts:
        part.pop("agent", None)
    return parts


def finished(call: Call) -> list[dict[str, Any]]:
    """PostCompact; without a summary there is nothing to keep."""
    return _in_parts(
        call,
        "compact.finished",
        call.data.get("compact_summary"),
        call.again(),
        trigger=call.word("trigger"),
    )


def in_parts(text: str) -> list[str]:
    """Cut a text into pieces that fit a record; always at least one.

    The whole is redacted first: a secret across a cut would be recognised in neither piece.
    """
    text = redact(text)
    size = PART
    while len(text[:size].encode("utf-8", "replace")) > PART:
        size //= 2  # CJK text takes three bytes a character
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]


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
    """Keep the summary proper; the analysis before it is the model's scratch paper."""
    start, end = text.find("<summary>"), text.rfind("</summary>")
    if start < 0:
        return text.strip()
    return text[start + len("<summary>") : end if end > start else len(text)].strip()
