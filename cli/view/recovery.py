"""The recovery view: what a session was doing, and the text a compaction brings back."""

from typing import Any

from cli.view.context import ViewContext
from cli.work.progress_view import row_of
from cli.work.recovery_block import block
from projections.facts.session import Trail
from projections.messages.unfinished import progress_of
from projections.unit import current
from projections.views import HOOK_PROJECTIONS


def recovery(context: ViewContext) -> dict[str, Any]:
    """Return the fields of one session, or `sessions` by id."""
    state = context.state("recovery")
    if not context.session:
        sessions = {sid: trail_of(context, sid, trail) for sid, trail in state.sessions.items()}
        return {"session": None, "sessions": sessions}
    trail = state.sessions.get(context.session)
    if trail is None:
        context = context.at_last([item.name for item in HOOK_PROJECTIONS])
        trail = context.state("recovery").sessions.get(context.session) or Trail()
    return {"session": context.session, **trail_of(context, context.session, trail)}


def trail_of(context: ViewContext, sid: str, trail: Trail) -> dict[str, Any]:
    """Return the fields of a session; unknown ones are null or empty."""
    compaction = trail.compaction
    last = trail.prompts[0] if trail.prompts else None
    skill = context.state("progress").sessions.get(sid)
    summary = trail.checkpoint_summary or (compaction.summary if compaction else "")
    shown = {
        "checkpoint_id": trail.checkpoint or None,
        "summary": summary or trail.message or None,
        **_unit(context, sid),
        "recent_files": trail.files,
        "key_decisions": [text for _, text in trail.decisions],
        "recovery_prompt": None,
        "skill": row_of(skill) if skill is not None and skill.status == "live" else None,
        "compactions": trail.compactions,
        "attempts": trail.attempts,
        "last_request": {"at": last[0], "text": last[1]} if last else None,
        "requests": [{"at": at, "text": text} for at, text in trail.prompts],
        "decisions": [{"at": at, "text": text} for at, text in trail.decisions],
        "files_read": trail.read,
        "failures": [
            {
                "tool": call.tool,
                "target": call.target,
                "error": call.error,
                "repaired": call.repaired,
            }
            for call in reversed(trail.gathered.failures)
        ],
        "last_answer": trail.message or None,
        "compaction": compaction,
        "told": compaction.told if compaction else None,
        "ended": trail.ended,
    }
    return {**shown, "recovery_prompt": block(shown, context.folded.seq)}


def _unit(context: ViewContext, sid: str) -> dict[str, Any]:
    unit = current(context.state("unit").sessions.get(sid))
    if unit is None:
        return {
            "active_unit": None,
            "unit_title": None,
            "unit_file": None,
            "progress": None,
            "pending_tasks": [],
        }
    return {
        "active_unit": unit.unit,
        "unit_title": unit.title or None,
        "unit_file": unit.file or None,
        "progress": progress_of(unit),
        "pending_tasks": [item.text for item in unit.items if not item.done],
    }
