"""The recovery view: what a session was doing, and what is or would be told after a compaction."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from projections.recovery import Trail

if TYPE_CHECKING:
    from cli.view.case import Case

__all__ = ["recovery", "trail_of"]

_NEEDS = ("recovery", "compound", "pressure", "lineage")


def recovery(case: Case) -> dict[str, Any]:
    """Members of one session, or `sessions` by id."""
    state = case.state("recovery")
    if not case.session:
        sessions = {sid: trail_of(case, sid, trail) for sid, trail in state.sessions.items()}
        return {"session": None, "sessions": sessions}
    trail = state.sessions.get(case.session)
    if trail is None:
        case = case.at_last(_NEEDS)
        trail = case.state("recovery").sessions.get(case.session) or Trail()
    return {"session": case.session, **trail_of(case, case.session, trail)}


def trail_of(case: Case, _sid: str, trail: Trail) -> dict[str, Any]:
    """One session; what is unknown is null or empty."""
    compaction = trail.compaction
    last = trail.prompts[0] if trail.prompts else None
    return {
        "checkpoint_id": trail.checkpoint or None,
        "summary": (compaction.summary if compaction else "") or trail.checkpoint_summary or None,
        "active_unit": None,
        "progress": None,
        "pending_tasks": [],
        "recent_files": trail.files,
        "key_decisions": [{"at": at, "text": text} for at, text in trail.decisions],
        "recovery_prompt": _prompt(case, trail),
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


def _prompt(case: Case, trail: Trail) -> str | None:
    """Give the recovery text as it would be told now; None before any compaction."""
    from hooks.answer.recovery import sections

    if trail.compaction is None or not trail.compaction.done:
        return None
    event = SimpleNamespace(seq=case.folded.seq, ts=case.folded.ts)
    return "\n\n".join(sections(case.states(), trail, trail.compaction, event))
