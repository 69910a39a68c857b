"""Guidance for the summary of a compaction: a short text, only if there is structured state.

With guidance Claude Code computes a new summary, so the hook prints it only if it has a reason.
"""

from __future__ import annotations

from journal.text import quoted
from projections.facts.correction import without_corrected
from projections.messages.message import Answer, Input, Reason, Response, injection
from projections.messages.unfinished import progress_of
from projections.progress import live
from projections.unit import current
from projections.views import Views

_LIMIT = 800


def respond(given: Input) -> Response:
    """Answer PreCompact."""
    yield given.switch("precompact.guidance")
    sid = given.event.sid
    text = guidance(given.views, sid) if sid else ""
    found = "a skill, unit, cycle or decision" if text else "none recorded"
    yield Reason("structured state", found, passed=bool(text))
    return Answer(plain=text, events=[injection("guidance", text, reason="structured state")])


def guidance(views: Views, sid: str) -> str:
    """Return what the summary should say of skill, unit, stage and decisions; "" for nothing."""
    return "\n".join(_state(views, sid))[:_LIMIT]


def _state(views: Views, sid: str) -> list[str]:
    lines = []
    state = live(views.progress, sid)
    if state is not None:
        output = f", output {state.output}" if state.output else ""
        lines.append(
            f"Skill under way, to state in the summary: {state.skill}, phase "
            f"{state.phase} {quoted(state.name, 60)}{output}."
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
    trail = views.recovery.sessions.get(sid)
    if trail is not None and trail.decisions:
        decisions = without_corrected([decision.text for decision in trail.decisions])
        lines.append("Decisions recorded in this session, to repeat word for word:")
        lines += [f"- {quoted(text, 160)}" for text in decisions[:4]]
    return lines
