"""Work around a compaction: a save point before it, trimmed work files after it.

Invariant: an entry leaves a work file only after a compaction that is known to have happened, and
only once the journal has stored the whole entry on disk.
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

_ITEMS = 20


class CompactionWork:
    """The trimmed work files of one compaction: append `events` first, then call `write_files`."""

    def __init__(self, context: Context, trigger: str) -> None:
        self.context = context
        self.trigger = trigger
        self.events: list[dict[str, Any]] = []
        self.progress: tuple[str, Any] | None = None

    def write_files(self, seq: int) -> None:
        """Remove trimmed entries from progress.md; stamp task_plan.md. seq: of the compaction."""
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
    """Build the save point of a PreCompact: open items and unsaved entries, from the views.

    views: folded up to `fact`, the `compact.started` event.
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
        gone=_gone(views, call) or None,
    )
    session = views.compound.sessions.get(call.sid)
    event["promoted"] = views.compound.ran > (session.previous_compact if session else 0)
    return [event]


def _gone(views: Views, call: Call) -> list[str]:
    """Return the changed files of the session that no longer exist."""
    trail = views.recovery.sessions.get(call.sid)
    if trail is None or not os.path.isdir(call.root):
        return []
    return [
        path
        for path in trail.files
        if not path.endswith("…")
        and "[redacted" not in path
        and not os.path.lexists(os.path.join(call.root, path))
    ]


def trim_work(views: Views, call: Call, context: Context) -> CompactionWork | None:
    """Build the changes to work files after a compaction; return None if there are none."""
    trail = views.recovery.sessions.get(call.sid)
    if trail is None or trail.compaction is None or not context.project.work:
        return None
    work = CompactionWork(context, trail.compaction.trigger)
    if context.settings["compound.trim"]:
        _trim(work, call, context, views.compound.first_seen)
    return work


def _headings(call: Call, fact: dict[str, Any], first_seen: dict[str, str]) -> list[str] | None:
    """Return the newest headings if sorting by the time each entry was first seen changes them."""
    flow = fact.get("flow")
    if not flow or "entries" not in call.facts or flow["dated"] == flow["entries"]:
        return None  # no work log, or every entry has a date of its own
    from journal.workfiles.work_log import flow_facts

    headings: list[str] = flow_facts(call.facts["entries"], first_seen)["headings"]
    return headings if headings != fact.get("headings") else None


def _trim(work: CompactionWork, call: Call, context: Context, first_seen: dict[str, str]) -> None:
    from journal.workfiles.files import read_inside, without_surrogates
    from journal.workfiles.work_log import PROGRESS, trim

    found = read_inside(context.project.work, PROGRESS)
    if found is None:
        return
    text, facts = found
    rest, removed = trim(text, context.settings["compound.keep_entries"], first_seen)
    if not removed:
        return
    for entry, section in removed:
        # The journal stores bytes that are not UTF-8 as U+FFFD; the file keeps the bytes.
        parts = in_parts(without_surrogates(section))
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
