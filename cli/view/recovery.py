"""The recovery view: a session's current work as data, and as one Markdown block.

Invariant: a list of the block that is cut says so, and no line holds a whole document.
"""

from collections.abc import Sequence
from typing import Any

from cli.view.context import ViewContext
from cli.work.progress_view import row_of
from journal.text import plain_line, plural
from projections.facts.session import Trail
from projections.messages.unfinished import progress_of
from projections.progress import live
from projections.unit import Unit, current

_ITEMS, _DECISIONS, _FILES = 20, 12, 12  # listed in the block


def recovery(context: ViewContext) -> dict[str, Any]:
    """Return the fields of one session, or `sessions` by id."""
    state = context.state("recovery")
    if not context.session:
        sessions = {sid: trail_of(context, sid, trail) for sid, trail in state.sessions.items()}
        return {"session": None, "sessions": sessions}
    then = context.holding("recovery")
    trail = then.state("recovery").sessions.get(context.session) or Trail()
    return {"session": context.session, **trail_of(then, context.session, trail)}


def trail_of(context: ViewContext, sid: str, trail: Trail) -> dict[str, Any]:
    """Return the fields of a session; unknown ones are null or empty."""
    compaction = trail.compaction
    last = trail.prompts[0] if trail.prompts else None
    skill = live(context.state("progress"), sid)
    summary = trail.checkpoint_summary or (compaction.summary if compaction else "")
    shown = {
        "checkpoint_id": trail.checkpoint or None,
        "summary": summary or trail.message or None,
        **_unit(context, sid),
        "recent_files": trail.files,
        "key_decisions": [decision.text for decision in trail.decisions],
        "recovery_prompt": None,
        "skill": row_of(skill) if skill is not None else None,
        "compactions": trail.compactions,
        "attempts": trail.attempts,
        "last_request": {"at": last.at, "text": last.text} if last else None,
        "requests": [{"at": one.at, "text": one.text} for one in trail.prompts],
        "decisions": [{"at": one.at, "text": one.text} for one in trail.decisions],
        "files_read": trail.read,
        "failures": [
            {name: getattr(call, name) for name in ("tool", "target", "error", "repaired")}
            for call in reversed(trail.gathered.failures)
        ],
        "last_answer": trail.message or None,
        "compaction": compaction,
        "told": compaction.told if compaction else None,
        "ended": trail.ended,
    }
    return {**shown, "recovery_prompt": _block(shown, context.folded.seq)}


def _unit(context: ViewContext, sid: str) -> dict[str, Any]:
    found = current(context.state("unit").sessions.get(sid))
    unit = found or Unit()
    return {
        "active_unit": unit.unit or None,
        "unit_title": unit.title or None,
        "unit_file": unit.file or None,
        "progress": progress_of(unit) if found else None,
        "pending_tasks": [item.text for item in unit.items if not item.done],
    }


def _block(shown: dict[str, Any], seq: int) -> str | None:
    """Return the Markdown of one session's recovery view at `seq`; None if it is empty."""
    skill, last = shown["skill"] or {}, shown["last_request"] or {}
    unit = plain_line(shown["active_unit"] or "", 80)
    if title := plain_line(shown["unit_title"] or "", 160):
        unit += f", {title}"
    doing = ""
    if skill:
        name = f" ({plain_line(skill['name'], 80)})" if skill["name"] else ""
        doing = f"{plain_line(skill['skill'] or '?', 80)}, phase {skill['phase']}{name}"
    parts = [
        [_line("Last state", shown["summary"], 600), _line("Checkpoint", shown["checkpoint_id"])],
        [_line("Active unit", unit), _line("Progress", shown["progress"] if unit else "")],
        [_line("Skill", doing), _line("Next action", skill.get("next"), 400)],
        _list("Remaining", shown["pending_tasks"], _ITEMS, "- [ ] "),
        _list("Key decisions", shown["key_decisions"], _DECISIONS, "- "),
        _list("Recent files", shown["recent_files"], _FILES, "- "),
        [_line("Last request", last.get("text"), 500)],
    ]
    found = ["\n".join(filter(None, part)) for part in parts if any(part)]
    if not found:
        return None
    times = f", {plural(shown['compactions'], 'compaction')} so far" if shown["compactions"] else ""
    return "\n\n".join([f"## Recovery (journal #{seq}{times})", *found])


def _line(label: str, text: str | None, most: int = 500) -> str:
    """Return a line of the block; "" without a text."""
    return f"**{label}**: {plain_line(text, most)}" if text else ""


def _list(head: str, items: Sequence[str], most: int, lead: str) -> list[str]:
    """Return the lines of a list, [] for none."""
    lines = [lead + plain_line(item, 300) for item in items[:most]]
    more = [f"- {most} of {len(items)} shown"] if len(items) > most else []
    return [f"**{head}**:", *lines, *more] if items else []
