"""What the summary of a compaction is asked to keep: short plain text, only for structured state.

Guidance makes the client compute a fresh summary, so it is printed only when it is worth one.
"""

from __future__ import annotations

from hooks.answer.said import Answer, injection
from hooks.answer.words import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.views import Views

__all__ = ["answer"]

_LIMIT = 800


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer PreCompact."""
    if not settings["precompact.guidance"] or not event.sid:
        return None
    trail = views.recovery.sessions.get(event.sid)
    lines = []
    if trail is not None and trail.decisions:
        lines.append("Decisions recorded in this session, to be kept word for word:")
        lines += [f"- {quoted(text, 160)}" for _, text in trail.decisions[:4]]
    if not lines:
        return None
    text = "\n".join(lines)[:_LIMIT]
    return Answer(plain=text, says=[injection("guidance", text, reason="decisions")])
