"""Find the tokens that compactions caused: docs/usage.md has the rule.

Invariant: `caused` alone decides, for replies in logs and for those that no import has read.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.history.importer import SUMMARIZER
from journal.history.tables.columns import kinds_of
from journal.history.usage import TOKENS
from journal.history.usage.prices import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from journal.history.tables.engine import Engine

Event = tuple[Any, ...]
"""An event of a session: its time (ISO 8601), its kind, and further members by kind. A reply or a
request has its identity, "" and its tokens; a compaction None and its key; a file None, its path
and the number of characters read, None if it was written."""

REPLY, COMPACTION, FILE, REQUEST = range(4)
"""Kinds of events; of events at the same time, the lower kind happened first. The first three are
of the main thread; a REQUEST is the reply that summarizes for a compaction."""

_EVENTS = f"""
with e as (
  select project, session as sid, ts, if(agent is null, {REPLY}, {REQUEST}) as kind,
    if(imported, -seq, seq) as reply, '' as target, {", ".join(TOKENS)}
  from _billed where agent is null or starts_with(agent, '{SUMMARIZER}')
  union all
  select project, sid, ts, if(type = 'tool.finished', {FILE}, {COMPACTION}), null,
    if(type = 'tool.finished', target, key), if(tool = 'Read', coalesce(output_size, 0), null),
    null, null, null, null
  from _usage where type <> 'usage.recorded' and agent is null
    and (type <> 'tool.finished' or target <> '')),
c as (select project, sid, min(ts) as first from e where kind = {COMPACTION} group by all)
select e.* replace ({{time}} as ts) from e left join c using (project, sid) where {{wanted}}
order by project, sid, e.ts, kind, reply < 0, abs(reply)
"""
_TIME = "coalesce(strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ'), '~')"
# Before the first compaction of a session only the files matter.
_OF_COMPACTED = (
    f"kind = {REQUEST} or first is not null and coalesce(ts >= first or kind = {FILE}, true)"
)
_OF_SESSIONS = f"kind <> {REQUEST} and sid in (select unnest(?::varchar[]))"
_CAUSED = {
    **kinds_of("project VARCHAR, imported BOOLEAN, seq BIGINT, rebuilt BOOLEAN, own BOOLEAN"),
    **{f"compact_{name}": "BIGINT" for name in TOKENS},
}


class Caused(NamedTuple):
    """The tokens of a reply that a compaction caused.

    is_first: whether the reply wrote the context again; is_request: whether it is the summary.
    """

    tokens: Tokens
    is_first: bool = False
    is_request: bool = False


def caused(events: Iterable[Event]) -> Iterator[tuple[Any, Caused]]:
    """Yield each reply of a session that cost more because of a compaction, with its share.

    events: in order.
    """
    compactions, again, is_first = 0, 0, False
    opened: dict[str, int] = {}  # path → compactions before it was first opened
    counted: dict[str, int] = {}  # path → compactions before it was last counted as read again
    for event in events:
        kind = event[1]
        if kind == REPLY:
            if is_first or again:
                yield event[2], Caused(_share(event[4:], again, is_first=is_first), is_first)
                again, is_first = 0, False
        elif kind == FILE:
            path, size = event[3:5]
            is_known = opened.setdefault(path, compactions) < compactions
            if is_known and size is not None and counted.get(path) != compactions:
                counted[path] = compactions
                again += (size + 2) // 3
        elif kind == COMPACTION:
            compactions, again, is_first = compactions + 1, 0, True
        else:
            yield event[2], Caused(Tokens(*event[4:]), is_request=True)


def _share(tokens: Sequence[int], again: int, *, is_first: bool) -> Tokens:
    """Return the tokens of a reply that a compaction caused.

    again: estimate for the files read again before it; is_first: whether it wrote the context.
    """
    given, _, made, hour, _ = tokens
    if is_first:
        return Tokens(given, 0, made, hour, 0)
    written = min(again, made)
    long = written - min(again, made - hour)
    return Tokens(min(again - written, given), 0, written, long, 0)


def stored_events(
    engine: Engine, sids: Sequence[str] | None = None
) -> Iterator[tuple[str, str, list[Event]]]:
    """Yield the sessions of the tables `_billed` and `_usage`: project, ID, and events in order.

    sids: sessions to read, with the times of their events; None: all that a compaction may have
    made more expensive, with "" for each time. A reply's identity is its seq, below 0 in an
    imported log.
    """
    given, time = (_OF_COMPACTED, "''") if sids is None else (_OF_SESSIONS, _TIME)
    query = _EVENTS.format(time=time, wanted=given)
    rows = engine.run(query, None if sids is None else [sids]).all()
    for (project, sid), events in groupby(rows, itemgetter(0, 1)):
        yield project, sid, [event[2:] for event in events]


def fill_caused(engine: Engine) -> None:
    """Create the table `_caused`: the tokens of replies in `_billed` that compactions caused."""
    rows = [
        (project, reply < 0, abs(reply), share.is_first, share.is_request, *share.tokens)
        for project, _, events in stored_events(engine)
        for reply, share in caused(events)
    ]
    engine.make_table("_caused", _CAUSED, rows)
