"""What a compaction does beside its facts: a save point before it, work files in order after it.

Invariant: an entry leaves a work file only after a compaction that is known to have happened, and
after the journal holds it whole and on the disk.
"""

from __future__ import annotations

import os

from journal.events.hook_input.compact import in_parts
from journal.redaction import redact
from projections.compound import unpromoted
from projections.unit import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call
    from projections.views import Views

__all__ = ["CompactionWork", "save_point", "tidied"]

_ITEMS = 20


class CompactionWork:
    """Work files of a compaction: `events` to append, then `write_files`."""

    def __init__(self, context: Context, trigger: str) -> None:
        self.context = context
        self.trigger = trigger
        self.events: list[dict[str, Any]] = []
        self.progress: tuple[str, Any] | None = None

    def write_files(self, seq: int) -> None:
        """Take the trimmed entries out of progress.md and stamp task_plan.md.

        seq: of the compaction.
        """
        from journal.workfiles.files import read_inside, replace_text
        from journal.workfiles.plan import PLAN, stamp
        from journal.workfiles.work_log import PROGRESS

        root = self.context.project.work
        if self.progress is not None:
            text, facts = self.progress
            replace_text(os.path.join(root, PROGRESS), text, facts, root=root)
        found = read_inside(root, PLAN)
        if found is not None:
            text, facts = found
            when = self.context.iso[:19] + "Z"
            stamped = stamp(text, when, self.trigger or "unknown", seq)
            if stamped != text:
                replace_text(os.path.join(root, PLAN), stamped, facts, root=root)


def save_point(views: Views, fact: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    """Build the save point of a PreCompact with what only the views know.

    views: folded up to the fact, `compact.started`.
    """
    if "agent" in fact:
        return []
    unit = current(views.unit.sessions.get(call.sid))
    items = [item.text for item in unit.items if not item.done][:_ITEMS] if unit else []
    event = call.event(
        "checkpoint.saved",
        "",
        cause="compact",
        unpromoted=unpromoted(views.compound),
        items=items,
        headings=_headings(call, fact, views.compound.first_seen),
    )
    session = views.compound.sessions.get(call.sid)
    event["promoted"] = views.compound.ran > (session.previous_compact if session else 0)
    return [event]


def tidied(views: Views, call: Call, context: Context) -> CompactionWork | None:
    """Build what a SessionStart after a compaction does to the work files; None for nothing."""
    trail = views.recovery.sessions.get(call.sid)
    if trail is None or trail.compaction is None or not context.project.work:
        return None
    work = CompactionWork(context, trail.compaction.trigger)
    if context.settings["compound.trim"]:
        _trim(work, call, context, views.compound.first_seen)
    return work


def _headings(call: Call, fact: dict[str, Any], seen: dict[str, str]) -> list[str] | None:
    """Return the newest headings, where the times entries were first seen change their order."""
    flow = fact.get("flow")
    if not flow or "entries" not in call.facts or flow["dated"] == flow["entries"]:
        return None  # without a work log, or with dates of its own throughout
    from journal.workfiles.work_log import flow_facts

    headings: list[str] = flow_facts(call.facts["entries"], seen)["headings"]
    return headings if headings != fact.get("headings") else None


def _trim(work: CompactionWork, call: Call, context: Context, seen: dict[str, str]) -> None:
    from journal.workfiles.files import read_inside
    from journal.workfiles.work_log import PROGRESS, trim

    found = read_inside(context.project.work, PROGRESS)
    if found is None:
        return
    text, facts = found
    rest, removed = trim(text, context.settings["compound.keep_entries"], seen)
    if not removed:
        return
    for entry, section in removed:
        # Bytes that were no text come back as U+FFFD in the journal; the file keeps them exactly.
        parts = in_parts(section.encode("utf-8", "replace").decode("utf-8", "replace"))
        for number, part in enumerate(parts, 1):
            work.events.append(
                call.event(
                    "flow.trimmed",
                    "",
                    heading=redact(entry.heading)[:300],
                    date=entry.date,
                    digest=entry.digest,
                    text=part,
                    part=number if number > 1 else None,
                    parts=len(parts) if len(parts) > 1 else None,
                )
            )
    work.progress = (rest, facts)
