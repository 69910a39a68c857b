"""The tables as views over the stored rows of the logs.

Invariant: every view names its columns, and its rows do not depend on the query; if a live and an
imported record report the same fact, the row is the live one.
"""

from collections.abc import Iterable
from typing import NamedTuple

from journal.history.tables.columns import literal, picked
from journal.history.usage import TOKENS
from projections.merging import COUNTED
from projections.messages import HOOK_OF

LOST = ("dropped_paths", "dropped_decisions", "dropped_items")
"""The columns of `compactions` with what a summary left out."""
UNREAD = "was not read"
"""Part of the error that a query gets if it reads a column that was not read from the logs."""

_CALLED = {
    **HOOK_OF,
    "session.ended": "SessionEnd",
    "turn.failed": "StopFailure",
    "compact.finished": "PostCompact",
    "compact.summarized": "SubagentStop",
    "subagent.started": "SubagentStart",
    "subagent.ended": "SubagentStop",
    "model.switched": "PostModelSwitch",
}
_OF_TYPE = picked("type", {kind: literal(hook) for kind, hook in _CALLED.items()})
CALLED_HOOK = (
    f"case when not coalesce(inferred, false) and coalesce(part, 1) = 1 and via is null "
    f"then {_OF_TYPE} end"
)
"""SQL of the hook whose call recorded an event; NULL if no hook call did.

No hook call recorded inferred ends, further parts of a summary, and reconciled events.
"""

_EVENTS = """
select project, seq, ts, type, v, sid as session, agent, prompt, key, cwd, branch, imported, us,
  coalesce(short, false) as short, {record} as record,
  not imported and ({hook}) is not null as hook_call
from {rows} e
where not (imported and type = 'segment.opened') {but_live}
""".replace("{hook}", CALLED_HOOK)


def _unread(column: str, kind: str) -> str:
    """Build SQL of a column `TABLE.NAME` that raises an error when a query reads it."""
    return f"case when seq is not null then error('{column} {UNREAD}, seq ' || seq)::{kind} end"


_OF_WORK = {"heeded": "boolean", **dict.fromkeys(LOST, "varchar[]")}
_BUT_WORK = ", ".join(
    f"{_unread(f'compactions.{name}', kind)} as {name}" for name, kind in _OF_WORK.items()
)
# As in `journal.history.merged`: a session's facts come from the log of its counts.
_LIVE_EVENTS = """
and not (project in {both} and exists (
  select 1 from _shared s where s.project = e.project and s.session = e.sid and (
    (e.type in ({counted}) and s.imported_counts <> e.imported
      and (e.imported or not list_contains(s.attempts, e.seq)))
    or (e.imported and e.type = 'session.started' and case when coalesce(e.source, '') = 'compact'
      then not s.imported_counts else s.same_start end))))
""".replace("{counted}", ",".join(map(literal, sorted(COUNTED))))
_PRESSURE = """
select project, sid as session, seq, ts, coalesce(try_cast("at" as timestamp), ts) as "at", tokens,
  nullif("window", 0) as "window", nullif("limit", 0) as "limit", nullif(point, 0) as point, used,
  case when point > 0 then pressure end as pressure, source, model,
  coalesce(enabled, true) as enabled, imported
from _facts where type = 'pressure.sampled'
"""

_ADVICE = """
select project, sid as session, seq, ts,
  case type when 'advice.given' then 'advice' else 'context' end as kind, what, level,
  case type when 'context.injected' then 'context' else channel end as channel, hook, characters,
  nullif(tokens, 0) as tokens, nullif(point, 0) as point, reason, imported
from _facts where type in ('advice.given', 'context.injected') and what is distinct from 'said'
"""

_STAGES = """
with e as (
  select *, lead((type, ts, remaining, reason, skipped, metrics)) over (
    partition by project, imported, cycle order by seq) as n
  from (select * from _facts where starts_with(type, 'stage.')))
select project, sid as session, seq, cycle, stage, ts as started,
  case when n[1] not in ('stage.started', 'stage.resumed') then n[2] end as ended,
  if(ended < ts, 0, date_diff('millisecond', ts, ended) / 1000.0) as seconds,
  case n[1] when 'stage.finished' then 'finished' when 'stage.stopped' then 'stopped'
    when 'stage.abandoned' then 'abandoned' else 'open' end as outcome,
  remaining as remaining_before, case when ended is not null then n[3] end as remaining_after,
  remaining_before - remaining_after as cost, case when ended is not null then n[4] end as reason,
  case when ended is not null then n[5] end as skipped,
  case when ended is not null then n[6] else metrics end as metrics, imported
from e where type in ('stage.started', 'stage.resumed')
"""

# Join the parts of turns that several files have. A part without a prompt continues the turn before
# it; turn 0 is before the first recorded prompt. What has no turn belongs to the prompt it names.
# Hooks give a prompt typed during a turn the id of that turn, although a turn of its own may follow
# under another id, which its last event names.
_SPANS = """
with e as (
  select *, count(*) filter (not continues) over turns as turn from _turns where edge
  window turns as (partition by project, imported, sid order by seq)),
g as (
  select project, imported, sid, turn, min(seq) as seq,
    arg_min(prompt, seq) filter (not continues) as prompt, min(started) as started,
    arg_min(origin, seq) filter (not continues) as origin,
    arg_min(text, seq) filter (not continues) as text,
    arg_min(size, seq) filter (not continues) as size, max(ended) as ended,
    arg_max(named, seq) as named,
    sum(ends)::bigint as ends, arg_max(how, seq) as how, arg_max(error, seq) as error,
    coalesce(bool_or(closed), false) as closed, bool_or(followed) as followed,
    sum(tools)::bigint as tools, sum(failures)::bigint as failures,
    sum(tool_ms)::bigint as tool_ms,
    flatten(list(targets)) as targets
  from e group by project, imported, sid, turn),
m as (
  select *, followed or lead(seq) over (partition by project, imported, sid order by turn)
    is not null as over, turn > 0 as prompted from g
  union all by name
  select project, imported, sid, null as turn, seq, prompt, started, origin, text, size, ended,
    named, ends, how, error, closed, followed, tools, failures, tool_ms, targets,
    followed as over, true as prompted
  from _turns where not edge
  union all by name
  select project, imported, sid, seq, prompt, started, origin, text, size, 0::bigint as ends,
    0::bigint as tools, 0::bigint as failures, 0::bigint as tool_ms, true as over, true as prompted
  from _turns where edge is null and started is not null),
n as (
  select * replace (if(typed, coalesce(named, prompt), prompt) as prompt) from (
    select *, not imported and prompt <> '' and prompt = lag(coalesce(named, prompt)) over
      (partition by project, imported, sid order by seq) as typed from m)),
a as (
  select project, imported, sid, prompt, sum(tools)::bigint as tools,
    sum(failures)::bigint as failures, sum(tool_ms)::bigint as tool_ms,
    flatten(list(targets)) as targets, max(ended) as ended, sum(ends)::bigint as ends,
    arg_max(how, seq) as how, arg_max(error, seq) as error
  from _turns where edge is null group by project, imported, sid, prompt),
s as (
  select n.* replace (
    n.tools + coalesce(a.tools, 0) as tools, n.failures + coalesce(a.failures, 0) as failures,
    n.tool_ms + coalesce(a.tool_ms, 0) as tool_ms, n.ends + coalesce(a.ends, 0) as ends,
    coalesce(n.ended, a.ended) as ended, coalesce(n.how, a.how) as how,
    coalesce(n.error, a.error) as error),
    len(list_distinct(list_concat(coalesce(n.targets, []), coalesce(a.targets, []))))::bigint
      as files
  from (select *, row_number() over
    (partition by project, imported, sid, prompt order by seq) as nth from n) n
  left join a on n.nth = 1 and a.project = n.project and a.imported = n.imported
    and a.sid = n.sid and a.prompt = n.prompt)
select * from s {but_live}
"""
# Of a turn in both logs, the one with more prompts, then more calls: hooks may miss some. A prompt
# typed during a turn has another id in the transcript, or none, and is found by its text. Where one
# of the logs has no IDs of prompts (older versions), turns are those of the fuller log.
_LIVE_SPANS = """
anti join (
  with b as (
    select *, imported and 0 = count(*) filter (not imported) over
      (partition by project, sid, prompt, text)
      and 0 < count(nullif(prompt, '')) over (partition by project, sid, imported) as apart
    from s where prompted and project in {both}),
  t as (
    select i.project, i.imported, i.sid, i.seq, h.prompt as typed_in
    from (from b where apart) i asof join (from b where not imported) h
      on h.project = i.project and h.sid = i.sid and h.text = i.text and h.started <= i.started),
  o as (
    select b.* replace (coalesce(typed_in, prompt) as prompt)
    from b left join t using (project, imported, sid, seq)),
  c as (
    select project, sid, prompt, imported, row(count(*), sum(tools)) as activity
    from o group by all),
  l as (
    select project, sid, imported, count(nullif(prompt, '')) as ids,
      count(*) + sum(ends) + sum(tools) as activity
    from o group by all)
  select o.project, o.imported, o.sid, o.seq from o
  join c using (project, sid, prompt, imported)
  join c x on x.project = o.project and x.sid = o.sid and x.prompt = o.prompt
    and x.imported <> o.imported
  where coalesce(o.prompt, '') <> ''
    and (x.activity > c.activity or (x.activity = c.activity and o.imported))
  union all
  select o.project, o.imported, o.sid, o.seq from o
  join l using (project, sid, imported)
  join l x on x.project = o.project and x.sid = o.sid and x.imported <> o.imported
  where (coalesce(o.prompt, '') = '' or x.ids = 0)
    and (x.activity > l.activity or (x.activity = l.activity and o.imported))
) using (project, imported, sid, seq)
"""

_TURNS = """
select project, sid as session, seq, prompt, started, ended,
  if(ended < started, 0, date_diff('millisecond', started, ended) / 1000.0) as seconds, origin,
  text, size, tools, failures,
  if(imported and tools > 0, nullif(tool_ms, 0), tool_ms) as tool_ms, files,
  case when how = 'turn.failed' then 'failed' when how = 'turn.ended' then 'ended'
    when closed or over or imported then 'cut' else 'open' end as outcome,
  error, imported
from _spans where prompted
"""

_TOOLS = """
select project, sid as session, seq, ts, tool, target, subject, type = 'tool.finished' as ok, ms,
  coalesce(changed, false) as changed, tests, error, coalesce(interrupted, false) as interrupted,
  input_size, output_size, "use", agent, prompt, branch, imported
from _tools t {but_live}
"""
# Where a session has calls without IDs (older versions), those of the fuller log count.
_LIVE_TOOLS = """
left join (
  select project, sid, count(*) filter (imported) * 2 > count(*) as imported_counts
  from _tools where project in {both} group by all
  having count(*) > count(nullif("use", '')) and count(distinct imported) = 2) using (project, sid)
where coalesce(imported = imported_counts, not (imported and project in {both}
  and coalesce("use", '') <> '' and exists (
    select 1 from _tools l where not l.imported and l.project in {both} and l.project = t.project
      and l.sid = t.sid and l."use" = t."use")))
"""

_USAGE = """
select project, sid as session, ts, model, message as message_id,
  coalesce(input_tokens, 0) as input_tokens, coalesce(output_tokens, 0) as output_tokens,
  coalesce(cache_creation_input_tokens, 0) as cache_creation_input_tokens,
  coalesce(cache_read_input_tokens, 0) as cache_read_input_tokens, agent, source, request, seq,
  imported, coalesce(cache_creation_1h_input_tokens, 0) as cache_creation_1h_input_tokens,
  speed, branch
from _usage where type = 'usage.recorded'
-- a reply that was not over at an import is recorded once more by the next, under the same key;
-- by then its session may go on in another project
qualify key is null or 1 = row_number() over (
  partition by key order by output_tokens desc, imported, project, seq desc)
"""

_COSTS = """
select u.* exclude (price_model, price_day, price_prompt, price_fast),
  (u.input_tokens * r.input + u.output_tokens * r.output
    + (u.cache_creation_input_tokens - u.cache_creation_1h_input_tokens) * r.cache_write
    + u.cache_creation_1h_input_tokens * r.cache_write_1h
    + u.cache_read_input_tokens * r.cache_read) / 1e6 as cost_usd
from _priced u left join _rates r using (price_model, price_day, price_prompt, price_fast)
"""

# Replies with the part of their tokens that a compaction caused.
_REPLIES = f"""
select r.*, coalesce(rebuilt, false) as rebuilt, coalesce(own, false) as own,
  {", ".join(f"coalesce(compact_{name}, 0) as compact_{name}" for name in TOKENS)}
from _billed r left join _caused using (project, imported, seq)
"""

_HOOKS = """
with e as (
  select project, sid, ts, type, characters, missed, null as us, nullif(hook, '') as hook
  from _facts where not imported
    and type in ('advice.given', 'context.injected', 'hook.failed', 'journal.gap')
  union all
  select project, sid, ts, type, null, null, us, {hook}
  from _events where not imported and ({hook}) is not null)
select project, sid as session, hook,
  count(*) filter (type not in ('advice.given', 'context.injected', 'hook.failed', 'journal.gap'))
    as calls,
  count(distinct ts) filter (type in ('advice.given', 'context.injected')) as answers,
  coalesce(sum(characters) filter (type in ('advice.given', 'context.injected')), 0)::bigint
    as characters,
  count(*) filter (type = 'hook.failed') as failed,
  coalesce(sum(missed) filter (type = 'journal.gap'), 0)::bigint as missed,
  min(ts) as first, max(ts) as last,
  round(sum(us) filter (us > 0) / 1000.0, 3) as ms, count(*) filter (us > 0) as timed
from e where hook is not null or type in ('hook.failed', 'journal.gap')
group by project, sid, hook
""".replace("{hook}", CALLED_HOOK)

# What sessions do besides their readings, for reports.
_MARKS = """
select project, sid as session, seq, ts, imported, if(type = 'compound.ran', 'compound', 'prompt')
  as kind
from _facts where agent is null and (type = 'compound.ran'
  or (type = 'prompt.submitted' and coalesce(origin, '') <> 'task-notification'))
"""
_SESSIONS = """
select * replace (greatest(0, date_sub('second', started, last)) as seconds)
from _sessions
"""


class TableView(NamedTuple):
    """One view: its SQL, and the views and families it reads.

    but_live: a condition that excludes imported facts that a hook recorded too, in projects with
    both logs.
    """

    sql: str
    reads: tuple[str, ...]
    but_live: str = ""


def _events(rows: str, record: str) -> TableView:
    """Build the table `events`. rows: the family it reads; record: SQL of the column `record`."""
    sql = _EVENTS.replace("{rows}", rows).replace("{record}", record)
    return TableView(sql, (rows, "_shared"), _LIVE_EVENTS)


VIEWS: dict[str, TableView] = {
    "events": _events("_events", _unread("events.record", "json")),
    "sessions": TableView(_SESSIONS, ("_sessions",)),
    "turns": TableView(_TURNS, ("_spans",)),
    "tools": TableView(_TOOLS, ("_tools",), _LIVE_TOOLS),
    "pressure": TableView(_PRESSURE, ("_facts",)),
    "compactions": TableView("select * from _compactions", ("_work", "_sessions")),
    "advice": TableView(_ADVICE, ("_facts",)),
    "stages": TableView(_STAGES, ("_facts",)),
    "_billed": TableView(_USAGE, ("_usage",)),
    "usage": TableView(_COSTS, ("_billed", "_rates")),
    "_replies": TableView(_REPLIES, ("_billed", "_caused")),
    "hooks": TableView(_HOOKS, ("_facts", "_events")),
    "_marks": TableView(_MARKS, ("_facts",)),
    "_replied": TableView("select * from _billed where agent is null", ("_billed",)),
    "_spans": TableView(_SPANS, ("_turns",), _LIVE_SPANS),
}
"""Tables, and the views they share. Any other name is `_` and a family."""

WITH_RECORD = _events("_records", "record")
"""The table `events` for a query that reads `record`."""

WITHOUT_WORK = TableView(f"select * replace ({_BUT_WORK}) from _compactions", ("_sessions",))
"""The table `compactions` for a query that reads no column that needs the work before each."""


def view_sql(view: TableView, both: Iterable[str]) -> str:
    """Build SQL of a view. both: projects with a live and an imported log."""
    names = [literal(name) for name in both]
    but_live = view.but_live.replace("{both}", f"({','.join(names)})") if names else ""
    return view.sql.replace("{but_live}", but_live)
