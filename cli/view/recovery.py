"""The recovery view: what a session was doing, and what is or would be told after a compaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from projections.recovery import Trail
from projections.unit import current
from projections.views import HOOK_PROJECTIONS

if TYPE_CHECKING:
    from cli.view.case import Case

__all__ = ["recovery", "trail_of"]


def recovery(case: Case) -> dict[str, Any]:
    """Members of one session, or `sessions` by id."""
    state = case.state("recovery")
    if not case.session:
        sessions = {sid: trail_of(case, sid, trail) for sid, trail in state.sessions.items()}
        return {"session": None, "sessions": sessions}
    trail = state.sessions.get(case.session)
    if trail is None:
        case = case.at_last([item.name for item in HOOK_PROJECTIONS])
        trail = case.state("recovery").sessions.get(case.session) or Trail()
    return {"session": case.session, **trail_of(case, case.session, trail)}


def trail_of(case: Case, sid: str, trail: Trail) -> dict[str, Any]:
    """One session; what is unknown is null or empty."""
    compaction = trail.compaction
    last = trail.prompts[0] if trail.prompts else None
    skill = case.state("progress").sessions.get(sid)
    return {
        "checkpoint_id": trail.checkpoint or None,
        "summary": (compaction.summary if compaction else "") or trail.checkpoint_summary or None,
        **_unit(case, sid),
        "skill": skill if skill is not None and skill.status == "live" else None,
        "recent_files": trail.files,
        "key_decisions": [{"at": at, "text": text} for at, text in trail.decisions],
        "recovery_prompt": _prompt(case, sid, trail),
        "compactions": trail.compactions,
        "attempts": trail.attempts,
        "last_request": {"at": last[0], "text": last[1]} if last else None,
        "requests": [{"at": at, "text": text} for at, text in trail.prompts],
        "files_read": trail.read,
        "failures": [
            {"tool": tool, "target": target, "error": error}
            for tool, target, error in trail.failures
        ],
        "last_answer": trail.message or None,
        "compaction": compaction,
        "told": compaction.told if compaction else None,
        "ended": trail.ended,
    }


def _unit(case: Case, sid: str) -> dict[str, Any]:
    unit = current(case.state("unit").sessions.get(sid))
    if unit is None:
        return {"active_unit": None, "progress": None, "pending_tasks": []}
    done = sum(item.done for item in unit.items)
    return {
        "active_unit": {"unit": unit.unit, "title": unit.title or None, "file": unit.file or None},
        "progress": {"done": done, "total": len(unit.items)},
        "pending_tasks": [item.text for item in unit.items if not item.done],
    }


def _prompt(case: Case, sid: str, trail: Trail) -> str | None:
    """Give the recovery text as it would be told now; None before any compaction."""
    from hooks.answer.recovery import sections
    from journal.event.session import SessionStarted

    if trail.compaction is None or not trail.compaction.done:
        return None
    event = SessionStarted(seq=case.folded.seq, ts=case.folded.ts, sid=sid, source="compact")
    return "\n\n".join(sections(case.states(), trail, trail.compaction, event))
