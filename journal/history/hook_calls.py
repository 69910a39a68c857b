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

_HOOKS = {
    **HOOK_OF,
    "session.ended": "SessionEnd",
    "turn.failed": "StopFailure",
    "compact.finished": "PostCompact",
    "subagent.started": "SubagentStart",
    "subagent.ended": "SubagentStop",
    "model.switched": "PostModelSwitch",
}
_CALLS = """
select coalesce(sid, '') as session, type, count(*), list(us) filter (us is not null),
  count(*) filter (short)
from _events
where not imported and type in (select unnest({types})) and epoch_ms(ts) >= {since}
group by 1, 2 order by min((project, seq))
"""


class HookCost(NamedTuple):
    """Calls of a hook. measured: microseconds of each call whose time was recorded."""

    calls: int
    measured: list[int]

    def plus(self, other: HookCost) -> HookCost:
        """Return both together."""
        return HookCost(self.calls + other.calls, self.measured + other.measured)


class HookCalls(NamedTuple):
    """costs: session → hook → its calls, the sessions in the order of their first calls.

    short: session → calls recorded in short form, because hooks were over their budget.
    """

    costs: dict[str, dict[str, HookCost]]
    short: dict[str, int]


def hook_calls(history: History | TeamHistory, since: str = "") -> HookCalls:
    """Return the calls since a time, ISO 8601."""
    history.make(["_events"])
    sql = _CALLS.format(types=listed(_HOOKS), since=millis(since) or 0)
    found = HookCalls({}, {})
    for sid, kind, calls, measured, short in history.engine.run(sql).all():
        hooks, hook = found.costs.setdefault(sid, {}), _HOOKS[kind]
        hooks[hook] = hooks.get(hook, HookCost(0, [])).plus(HookCost(calls, measured or []))
        if short:
            found.short[sid] = found.short.get(sid, 0) + 1
    return found
