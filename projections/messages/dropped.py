"""What the summary of a compaction lost, told once.

With the recovery where the summary is known by then, else at the first prompt or tool call after
it landed.
"""

from __future__ import annotations

from projections.messages.answer import Answer, injection
from projections.messages.wording import listed, one_line, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.recovery import Compaction
    from projections.views import Views

__all__ = ["answer", "section"]


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer a prompt or tool call that follows a summary nobody compared yet."""
    trail = views.recovery.sessions.get(event.sid)
    if trail is None or trail.compaction is None or not settings["recovery.enabled"]:
        return None
    compaction = trail.compaction
    if not (compaction.done and compaction.told):
        return None
    text = section(compaction)
    if not text:
        return None
    text = f"Journal (#{event.seq}), now that the summary is known: {text}"
    return Answer(context=text, says=[said(text, compaction)])


def section(compaction: Compaction) -> str:
    """Give the text about what the summary lost; "" where it is unknown, told, or lost nothing."""
    if not compaction.lost or compaction.checked:
        return ""
    decisions, items, paths = compaction.lost
    parts = []
    if decisions:
        parts.append("decisions: " + "; ".join(quoted(text, 200) for text in decisions[:4]))
    if items:
        parts.append("open items: " + "; ".join(quoted(text, 120) for text in items[:6]))
    if paths:
        parts.append(f"files changed: {listed([one_line(path, 120) for path in paths], 8)}")
    return "The summary of the compaction does not mention " + ". It leaves out ".join(parts) + "."


def said(text: str, compaction: Compaction) -> dict[str, Any]:
    """Event that records it."""
    return injection("dropped", text, reason=f"compaction #{compaction.seq}")
