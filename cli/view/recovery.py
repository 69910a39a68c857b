"""The recovery view: what a session was doing, and the same as one Markdown block.

Invariant: a list of the block that is cut says so, and no line holds a whole document.
"""

from collections.abc import Sequence
from typing import Any

from cli.view.context import ViewContext
from cli.work.progress_view import row_of
from journal.text import plain_line, plural
from projections.facts.session import Trail
from projections.messages.unfinished import progress_of
from projections.unit import current
from projections.views import HOOK_PROJECTIONS

_ITEMS, _DECISIONS, _FILES = 20, 12, 12  # listed in the block


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
    return {**shown, "recovery_prompt": _block(shown, context.folded.seq)}


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


def _block(shown: dict[str, Any], seq: int) -> str | None:
    """Return the Markdown of one session's recovery view at `seq`; None if it is empty."""
    parts = [_state_part(shown), _unit_part(shown), _skill_part(shown)]
    parts.append(_list_part("Remaining", shown["pending_tasks"], _ITEMS, "- [ ] "))
    parts.append(_list_part("Key decisions", shown["key_decisions"], _DECISIONS, "- "))
    parts.append(_list_part("Recent files", shown["recent_files"], _FILES, "- "))
    last = shown["last_request"]
    if last and last["text"]:
        parts.append(f"**Last request**: {plain_line(last['text'], 500)}")
    found = [part for part in parts if part]
    if not found:
        return None
    times = f", {plural(shown['compactions'], 'compaction')} so far" if shown["compactions"] else ""
    return "\n\n".join([f"## Recovery (journal #{seq}{times})", *found])


def _state_part(shown: dict[str, Any]) -> str:
    lines = []
    if shown["summary"]:
        lines.append(f"**Last state**: {plain_line(shown['summary'], 600)}")
    if shown["checkpoint_id"]:
        lines.append(f"**Checkpoint**: {shown['checkpoint_id']}")
    return "\n".join(lines)


def _unit_part(shown: dict[str, Any]) -> str:
    if not shown["active_unit"]:
        return ""
    title = f", {plain_line(shown['unit_title'], 160)}" if shown["unit_title"] else ""
    return (
        f"**Active unit**: {plain_line(shown['active_unit'], 80)}{title}\n"
        f"**Progress**: {shown['progress']}"
    )


def _skill_part(shown: dict[str, Any]) -> str:
    skill = shown["skill"]
    if not skill:
        return ""
    name = f" ({plain_line(skill['name'], 80)})" if skill["name"] else ""
    lines = [f"**Skill**: {plain_line(skill['skill'] or '?', 80)}, phase {skill['phase']}{name}"]
    if skill["next"]:
        lines.append(f"**Next action**: {plain_line(skill['next'], 400)}")
    return "\n".join(lines)


def _list_part(head: str, items: Sequence[str], most: int, lead: str) -> str:
    if not items:
        return ""
    lines = [f"**{head}**:", *(lead + plain_line(item, 300) for item in items[:most])]
    if len(items) > most:
        lines.append(f"- {most} of {len(items)} shown")
    return "\n".join(lines)
