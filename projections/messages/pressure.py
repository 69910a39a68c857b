"""Advice as the context fills: once per level and lineage, until the pressure falls again.

A prompt also takes along what was sent to its session, and its first may bring a past one back.
"""

from __future__ import annotations

from journal.clock import millis
from projections.compound import unpromoted
from projections.level import fresh, level, warned_level
from projections.messages.answer import ROOM, Answer, advice, width
from projections.messages.wording import many, percent, when
from projections.pressure import point_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.pressure import Gauge
    from projections.views import Views

__all__ = ["answer", "is_fresh", "state_of"]


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer a prompt or a tool call. What finds no room beside the rest comes at the next call."""
    whole = None
    asking = hasattr(event, "origin")
    if asking and event.origin == "command":
        from projections.messages import cycle

        whole = cycle.begin(views, event)
    if asking and views.queue.waiting:
        from projections.messages import pack as sent

        whole = _beside(whole, sent.answer(views, event) if sent.is_asking(event) else None)
    whole = _beside(whole, _advice(views, event, settings))
    trail = views.recovery.sessions.get(event.sid)
    if trail is not None and trail.compaction is not None and not trail.compaction.checked:
        from projections.messages import dropped as lost

        whole = _beside(whole, lost.answer(views, event, settings))
    node = views.lineage.sessions.get(event.sid) if asking else None
    if node is not None and node.asked == event.seq:
        from projections.messages import related

        room = whole.room if whole is not None else ROOM
        whole = _beside(whole, related.at_prompt(views, event, settings, room))
    return whole


def _beside(whole: Answer | None, part: Answer | None) -> Answer | None:
    """Put a part after the others where it finds room whole."""
    if whole is None or part is None:
        return whole or part
    taken = sum(width(text) + 4 for text in (part.context, part.message) if text)
    return whole.joined(part) if taken <= whole.room else whole


def _advice(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    if not settings["pressure.advice"]:
        return None
    gauge = views.pressure.sessions.get(event.sid)
    if gauge is None:
        return None
    reached, point, source = state_of(views, gauge, event, settings)
    if not reached or (reached == "urgent" and gauge.quiet):
        return None
    info, urgent = settings["pressure.info"], settings["pressure.urgent"]
    told = warned_level(gauge.told, gauge.lowest, info, urgent)
    if told in (reached, "urgent"):
        return None
    assert gauge.tokens is not None
    share = urgent if reached == "urgent" else info
    text = _text(views, gauge, reached, point, source, share, event)
    message = (
        f"journal: context at {percent(gauge.tokens, point)} of the point where "
        f"{_what_happens(gauge)} ({gauge.tokens:,} of {point:,} tokens)."
    )
    says = advice(
        "pressure",
        text,
        channel="context",
        reason=f"{reached}: {gauge.tokens} of {point}",
        level=reached,
        tokens=gauge.tokens,
        point=point,
    )
    checkpoint = {"type": "checkpoint.saved", "cause": "pressure", "summary": reached}
    return Answer(context=text, message=message, says=[says, checkpoint])


def state_of(
    views: Views, gauge: Gauge, event: Any, settings: Mapping[str, Any]
) -> tuple[str, int, str]:
    """Level reached at `event` ("" also when unknown or stale), the point, and whence the point."""
    point, source = point_of(views.pressure, gauge.point)
    if gauge.tokens is None or not point:
        return "", point, source
    if not is_fresh(gauge, event, settings):
        return "", point, source
    reached = level(gauge.tokens, point, settings["pressure.info"], settings["pressure.urgent"])
    return reached, point, source


def is_fresh(gauge: Gauge, event: Any, settings: Mapping[str, Any]) -> bool:
    """Whether the reading is young enough at `event`, waiting not counted."""
    now = millis(event.ts) or 0
    limit = 1000 * settings["pressure.stale_after"]
    return fresh(millis(gauge.at), now, _idle(gauge, event, now), limit)


def _idle(gauge: Gauge, event: Any, now: int) -> int:
    """Time since the reading in which the session did nothing but wait: for a person, or a tool."""
    duration = getattr(event, "ms", None)
    if duration is not None:
        return int(duration)
    if not hasattr(event, "origin"):
        return 0
    rest = millis(gauge.rest) if gauge.rest else None
    if rest is None:
        return 0
    return max(0, now - max(rest, millis(gauge.at) or 0))


def _what_happens(gauge: Gauge) -> str:
    return "automatic compaction fires" if gauge.enabled else "the context is full"


def _text(
    views: Views, gauge: Gauge, reached: str, point: int, source: str, share: float, event: Any
) -> str:
    tokens = gauge.tokens or 0
    lines = [
        f"Context pressure has reached the {reached} level (journal #{event.seq}, "
        f"{when(event.ts)}): {tokens:,} tokens, {percent(tokens, point)} of the {point:,} at "
        f"which {_what_happens(gauge)}"
        + (f" ({source})" if source != "formula" else "")
        + f". The {reached} level is {round(100 * share)}% of that point"
        + (
            f", {percent(share * point, gauge.window)} of the {gauge.window:,}-token window"
            f"; {percent(tokens, gauge.window)} of the window is used"
            if gauge.window
            else ""
        )
        + "."
    ]
    open_entries = unpromoted(views.compound)
    if open_entries:
        lines.append(
            f"{many(open_entries, 'work-log entry', 'work-log entries')} not yet promoted to "
            "learnings; /journal:compound reviews them with the person. What is not written "
            "down by then is only in the summary."
        )
    elif views.compound.flow is not None:
        # It is read when a session starts, a turn ends or a compaction comes, not at every call.
        lines.append("When last read, the work log held nothing that waits for promotion.")
    return "\n".join(lines)
