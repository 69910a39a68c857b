"""What an answering hook does before its own fact is appended: inferred ends, work files.

Invariant: an entry leaves a work file only after the journal holds it whole and on the disk.
"""

from __future__ import annotations

import os

from journal.events.hook_input.compact import in_parts
from journal.redaction.redact import redact
from projections.compound import promoted_since_compact, unpromoted
from projections.unit import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.capture import Context
    from journal.events.hook_input import Call
    from projections.views import Views

__all__ = ["Work", "before_compaction", "inferred_ends"]

_ITEMS = 20


def inferred_ends(views: Views, fact: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    """Ends of sessions that died without one: this one started again, others without a process.

    A session whose process is not known is left alone, however long it was silent.
    """
    if fact.get("source") == "compact":
        return []
    ends = []
    for sid, node in views.lineage.sessions.items():
        if node.ended:
            continue
        again = sid == call.sid
        if again or (node.pid and node.pid != fact.get("pid") and not _alive(node.pid)):
            ends.append(
                {
                    "type": "session.ended",
                    "v": 1,
                    "sid": sid,
                    "inferred": True,
                    "reason": "started again" if again else "process gone",
                }
            )
    return ends


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


class Work:
    """Work files of a compaction: `events` to append, then `finish` writes the files."""

    def __init__(self, context: Context, trigger: str) -> None:
        self.context = context
        self.trigger = trigger
        self.events: list[dict[str, Any]] = []
        self.progress: tuple[str, Any] | None = None

    def finish(self, seq: int) -> None:
        """Take the trimmed entries out of progress.md and stamp task_plan.md."""
        from journal.workfiles.files import read_inside, replace_text
        from journal.workfiles.plan import PLAN, stamp
        from journal.workfiles.work_log import PROGRESS

        root = self.context.project.root
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


def before_compaction(views: Views, fact: dict[str, Any], call: Call, context: Context) -> Work:
    """Complete `compact.started` from the views, and prepare checkpoint and trimming."""
    work = Work(context, str(fact.get("trigger", "")))
    root = context.project.root
    seen = views.compound.first_seen
    if root and fact.get("flow"):
        from journal.workfiles.work_log import flow_facts

        flow = flow_facts(root, seen)
        if flow:
            fact["flow"] = flow
            fact["headings"] = flow["headings"]
    if "agent" in fact:
        return work
    fact["unpromoted"] = _unpromoted_now(views, fact.get("flow"))
    unit = current(views.unit.sessions.get(call.sid))
    if unit is not None:
        open_items = [item.text for item in unit.items if not item.done][:_ITEMS]
        fact["items"] = open_items
    fact["promoted"] = promoted_since_compact(views.compound, call.sid)
    work.events.append(call.event("checkpoint.saved", "", cause="compact"))
    if root and context.settings["compound.trim"]:
        _trim(work, call, context, seen)
    return work


def _unpromoted_now(views: Views, flow: dict[str, Any] | None) -> int:
    """Count as the view would, with the work log as it is at this moment."""
    from msgspec import convert
    from msgspec.structs import replace

    from journal.events.facts import Flow

    now = convert(flow, Flow) if flow else None
    return unpromoted(replace(views.compound, flow=now))


def _trim(work: Work, call: Call, context: Context, seen: dict[str, str]) -> None:
    from journal.workfiles.files import read_inside
    from journal.workfiles.work_log import PROGRESS, trim

    found = read_inside(context.project.root, PROGRESS)
    if found is None:
        return
    text, facts = found
    kept, removed = trim(text, context.settings["compound.keep_entries"], seen)
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
    work.progress = (kept, facts)
