"""The recovery view as one Markdown block.

Pure. Invariant: a list that is cut says so, and no line holds a whole document.
"""

from collections.abc import Sequence
from typing import Any

from journal.text import plain_line, plural

_ITEMS = 20
_DECISIONS = 12
_FILES = 12


def block(shown: dict[str, Any], seq: int) -> str | None:
    """Return the Markdown of one session's recovery view at `seq`; None if it is empty."""
    parts = [_state(shown), _unit(shown), _skill(shown)]
    parts.append(_list("Remaining", shown["pending_tasks"], _ITEMS, "- [ ] "))
    parts.append(_list("Key decisions", shown["key_decisions"], _DECISIONS, "- "))
    parts.append(_list("Recent files", shown["recent_files"], _FILES, "- "))
    last = shown["last_request"]
    if last and last["text"]:
        parts.append(f"**Last request**: {plain_line(last['text'], 500)}")
    found = [part for part in parts if part]
    if not found:
        return None
    times = f", {plural(shown['compactions'], 'compaction')} so far" if shown["compactions"] else ""
    return "\n\n".join([f"## Recovery (journal #{seq}{times})", *found])


def _state(shown: dict[str, Any]) -> str:
    lines = []
    if shown["summary"]:
        lines.append(f"**Last state**: {plain_line(shown['summary'], 600)}")
    if shown["checkpoint_id"]:
        lines.append(f"**Checkpoint**: {shown['checkpoint_id']}")
    return "\n".join(lines)


def _unit(shown: dict[str, Any]) -> str:
    if not shown["active_unit"]:
        return ""
    title = f", {plain_line(shown['unit_title'], 160)}" if shown["unit_title"] else ""
    return (
        f"**Active unit**: {plain_line(shown['active_unit'], 80)}{title}\n"
        f"**Progress**: {shown['progress']}"
    )


def _skill(shown: dict[str, Any]) -> str:
    skill = shown["skill"]
    if not skill:
        return ""
    name = f" ({plain_line(skill['name'], 80)})" if skill["name"] else ""
    lines = [f"**Skill**: {plain_line(skill['skill'] or '?', 80)}, phase {skill['phase']}{name}"]
    if skill["next"]:
        lines.append(f"**Next action**: {plain_line(skill['next'], 400)}")
    return "\n".join(lines)


def _list(head: str, items: Sequence[str], most: int, lead: str) -> str:
    if not items:
        return ""
    lines = [f"**{head}**:", *(lead + plain_line(item, 300) for item in items[:most])]
    if len(items) > most:
        lines.append(f"- {most} of {len(items)} shown")
    return "\n".join(lines)
