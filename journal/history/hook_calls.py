"""The number and the CPU time of hook calls, from journals or a team's tables.

A call is the event that it recorded, with its microseconds. Invariant: a call that was recorded
twice counts once; imported, inferred and reconciled events and further parts of a summary are not
calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from journal.clock import millis
from journal.history.tables.views import CALLED_HOOK

if TYPE_CHECKING:
    from journal.history.tables.database import History
    from journal.history.team.read import TeamHistory

_CALLS = """
with c as (
  select coalesce(sid, '') as session, {hook} as hook, ts, seq, us, short from _events
  where not imported and hook is not null{since}),
g as (
  select session, null as hook, count(*), count(us), sum(us)::bigint, null as median, null as p95,
    count(*) filter (short), min(ts) as ts, min(seq) as seq from c group by session
  union all
  select null, hook, count(*), count(us), sum(us)::bigint, median(us), quantile_disc(us, 0.95),
    count(*) filter (short), min(ts), min(seq) from c group by hook)
select * exclude (ts, seq) from g order by ts, seq, session, hook
"""


class HookCalls(NamedTuple):
    """The calls of a session, or of a hook; the other one is None.

    timed: number of calls whose time was recorded. total, median, p95: their microseconds, None if
    there are none; of a session the total alone. short: calls recorded in short form, because hooks
    were over their budget.
    """

    session: str | None
    hook: str | None
    calls: int
    timed: int = 0
    total: int | None = None
    median: float | None = None
    p95: int | None = None
    short: int = 0


def hook_calls(history: History | TeamHistory, since: str = "") -> list[HookCalls]:
    """Return the calls since a time, ISO 8601: of each session and of each hook, by first call."""
    history.make(["_events"])
    bound = f" and epoch_ms(ts) >= {at}" if (at := millis(since)) else ""
    sql = _CALLS.format(hook=CALLED_HOOK, since=bound)
    return [HookCalls(*row) for row in history.engine.run(sql).all()]
