"""The hook calls of journals, or of a team's tables, by session and hook.

A call is the event that it recorded, with its microseconds. Invariant: a call that was recorded
twice counts once; imported events are not calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from journal.clock import millis
from journal.history.tables.columns import listed
from projections.messages import HOOK_OF

if TYPE_CHECKING:
    from journal.history.tables.database import History
    from journal.history.team.read import TeamHistory

__all__ = ["HookCalls", "hook_calls"]

_HOOKS = {
    **HOOK_OF, "session.ended": "SessionEnd", "turn.failed": "StopFailure",
    "compact.finished": "PostCompact", "subagent.started": "SubagentStart",
    "subagent.ended": "SubagentStop", "model.switched": "PostModelSwitch",
}  # fmt: skip
_CALLS = """
select coalesce(sid, ''), type, us, coalesce(short, false) from _events
where not imported and type in (select unnest({types})) and epoch_ms(ts) >= {since}
order by project, seq
"""


class HookCalls(NamedTuple):
    """took: session → hook → microseconds of each call, None where they were not measured.

    short: session → calls recorded in short form, because hooks were over their budget.
    """

    took: dict[str, dict[str, list[int | None]]]
    short: dict[str, int]


def hook_calls(history: History | TeamHistory, since: str = "") -> HookCalls:
    """Return the calls since a time, ISO 8601."""
    history.make(["_events"])
    sql = _CALLS.format(types=listed(_HOOKS), since=millis(since) or 0)
    found = HookCalls({}, {})
    for sid, kind, took, short in history.engine.run(sql).all():
        found.took.setdefault(sid, {}).setdefault(_HOOKS[kind], []).append(took)
        if short:
            found.short[sid] = found.short.get(sid, 0) + 1
    return found
