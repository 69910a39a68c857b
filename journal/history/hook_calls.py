"""The hook calls of journals, or of a team's tables, by session and hook.

A call is the event that it recorded, with its microseconds. Invariant: a call that was recorded
twice counts once; imported events are not calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from journal.clock import millis
from journal.history.tables.views import HOOK_OF_TYPE

if TYPE_CHECKING:
    from journal.history.tables.database import History
    from journal.history.team.read import TeamHistory

_CALLS = """
select coalesce(sid, '') as session, {hook} as hook, count(*),
  coalesce(list(us) filter (us is not null), []), count(*) filter (short)
from _events
where not imported and hook is not null and epoch_ms(ts) >= {since}
group by all order by min((project, seq))
"""


class HookCalls(NamedTuple):
    """The calls of a hook in a session.

    measured: microseconds of each call whose time was recorded. short: number of calls recorded in
    short form, because hooks were over their budget.
    """

    session: str
    hook: str
    calls: int
    measured: list[int]
    short: int = 0


def hook_calls(history: History | TeamHistory, since: str = "") -> list[HookCalls]:
    """Return the calls since a time, ISO 8601, in the order of the first ones."""
    history.make(["_events"])
    sql = _CALLS.format(hook=HOOK_OF_TYPE, since=millis(since) or 0)
    return [HookCalls(*row) for row in history.engine.run(sql).all()]
