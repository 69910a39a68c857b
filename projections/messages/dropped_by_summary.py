"""What the summary of a compaction left out, once.

It is part of the recovery where the summary has landed by then, else it comes with the first
prompt or tool call after the summary.
"""

from __future__ import annotations

from journal.text import listed, plain_line, quoted
from projections.messages.message import Answer, Reason, injection, switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from projections.messages.message import Input, Response
    from projections.recovery import LastCompaction

__all__ = ["record", "respond", "section"]


def respond(given: Input) -> Response:
    """Answer a prompt or tool call that follows a summary nobody compared yet."""
    compaction = given.views.recovery.sessions[given.event.sid].compaction
    if compaction is None or not (compaction.done and compaction.told):
        return None
    text = section(compaction)
    if not text:
        return None
    yield switch(given.settings, "recovery.enabled")
    yield Reason("summary", "leaves out recorded work", passed=True, seqs=(compaction.seq,))
    text = f"Journal (#{given.event.seq}), now that the summary is there: {text}"
    return Answer(context=text, events=[record(text, compaction)])


def section(compaction: LastCompaction) -> str:
    """Return the text; "" where the summary is unknown, complete, or compared already."""
    if not compaction.lost or compaction.checked:
        return ""
    decisions, items, paths = compaction.lost
    parts = []
    if decisions:
        parts.append("decisions: " + "; ".join(quoted(text, 200) for text in decisions[:4]))
    if items:
        parts.append("open items: " + "; ".join(quoted(text, 120) for text in items[:6]))
    if paths:
        parts.append(f"files changed: {listed([plain_line(path, 120) for path in paths], 8)}")
    return "The summary of the compaction does not mention " + ". It leaves out ".join(parts) + "."


def record(text: str, compaction: LastCompaction) -> dict[str, Any]:
    """Build the event that records it."""
    return injection("dropped", text, reason=f"compaction #{compaction.seq}")
