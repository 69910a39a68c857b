"""What the summary of a compaction is asked to keep: short plain text, only for structured state.

Guidance makes the client compute a fresh summary, so it is printed only when it is worth one.
"""

from __future__ import annotations

from projections.messages.answer import Answer, injection
from projections.messages.offer import progress_of
from projections.messages.wording import quoted
from projections.unit import current

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
    lines = _state(views, event.sid)
    if trail is not None and trail.decisions:
        lines.append("Decisions recorded in this session, to keep word for word:")
        lines += [f"- {quoted(text, 160)}" for _, text in trail.decisions[:4]]
    if not lines:
        return None
    text = "\n".join(lines)[:_LIMIT]
    return Answer(plain=text, says=[injection("guidance", text, reason="structured state")])


def _state(views: Views, sid: str) -> list[str]:
    """Give the key facts of skill, unit and stage that the summary should carry."""
    lines = []
    state = views.progress.sessions.get(sid)
    if state is not None and state.status == "live":
        where = f", output {state.output}" if state.output else ""
        lines.append(
            f"Skill under way, to keep in the summary: {state.skill}, phase "
            f"{state.phase} {quoted(state.name, 60)}{where}."
        )
        if state.next:
            lines.append(f"Its next action: {quoted(state.next, 200)}")
    unit = current(views.unit.sessions.get(sid))
    if unit is not None:
        lines.append(
            f"Unit of work under way: {unit.unit} {quoted(unit.title, 80)}, {progress_of(unit)}."
        )
    cycle = views.stage.sessions.get(sid)
    if cycle is not None and cycle.status == "open":
        lines.append(f"Dev cycle {cycle.cycle} is at stage {cycle.stage}.")
    return lines
