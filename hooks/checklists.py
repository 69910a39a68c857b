"""Check off a unit of work's items when its checklist file changes.

Invariant: only unfinished units of this session change, and only to what their file says.
"""

from __future__ import annotations

from journal.workfiles.checklist import bodies_of
from journal.workfiles.files import read_file, read_inside, without_surrogates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call
    from projections.views import Views


def check_items(
    views: Views, call: Call, context: Context, target: str | None = None
) -> list[dict[str, Any]]:
    """Build the events that bring the session's units in line with their files.

    target: only the units of this file; None for all of the session's units.
    """
    work = views.unit.sessions.get(call.sid)
    if work is None or call.data.get("agent_id"):
        return []
    events = []
    for unit in work.units:
        if unit.finished or not unit.file or target not in (None, unit.file):
            continue
        found = read_inside(context.project.root, unit.file) if context.project.root else None
        if found is None and unit.file.startswith("/"):
            found = read_file(unit.file)
        if found is None:
            continue
        bodies = bodies_of(unit, without_surrogates(found[0]))
        events += [call.event(body.pop("type"), "", **body) for body in bodies]
    return events
