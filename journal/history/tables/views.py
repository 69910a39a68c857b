"""The tables as views over the log.

Invariant: every view names its columns; where a live and an imported record tell the same fact,
the live one is the row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from journal.history.tables.columns import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NEEDS_RECORD", "ORDER", "TWIN", "members", "needed", "view_sql"]

_WORD = re.compile(r"[a-z_]+")
_LISTING = frozenset(
    (
        "information_schema",
        "pragma",
        "show",
        "describe",
        "desc",
        "summarize",
        "query_table",
        "query",
        "sqlite_master",
        "pg_catalog",
        "call",
    )
)

_RECORDS = """
select project, (r).seq as seq, (r).ts as ts, (r).type as type, (r).v as v, (r).sid as session,
  (r).agent as agent, (r).prompt as prompt, (r).key as key, (r).cwd as cwd, (r).branch as branch,
  imported, record
from (select project, imported, record, json_transform(record, '{"seq":"BIGINT","ts":"TIMESTAMP",
  "type":"VARCHAR","v":"BIGINT","sid":"VARCHAR","agent":"VARCHAR","prompt":"VARCHAR",
  "key":"VARCHAR","cwd":"VARCHAR","branch":"VARCHAR"}') as r from _records)
where (r).seq is not null
"""

NEEDS_RECORD = re.compile(r"\brecord\b")
"""In the plan of a query that asks for `record`: only then the lines themselves are read."""
_EVENTS = """
select project, seq, ts, type, v, sid as session, agent, prompt, key, cwd, branch, imported,
  ('"a record, seq ' || seq || '"')::json as record from _log
"""

# What both a hook and a transcript tell: imported records whose twin is live are left out.
_FACTS = """
select * from _log where not imported or project not in ({both})
union all
select i.* from _log i where i.imported and i.project in ({both}) and not exists (
  select 1 from (select project, sid, _twin(type, "use", prompt, message) as twin from _log
    where not imported and project in ({both}) and _twin(type, "use", prompt, message) <> '') l
  where l.project = i.project and l.sid = i.sid
    and l.twin = _twin(i.type, i."use", i.prompt, i.message))
"""
TWIN = """
create temp macro _twin(kind, used, asked, said) as case
  when kind in ('tool.finished', 'tool.failed') and used <> '' then 't' || used
  when kind in ('prompt.submitted', 'turn.ended', 'turn.failed') and asked <> ''
    then left(kind, 4) || asked
  when kind = 'usage.recorded' and said <> '' then 'u' || said end
"""

_ROOTS = """
with recursive link as (
  select project, sid, arg_min(previous, ts) as parent from _log
  where type = 'session.started' and agent is null and sid <> '' group by all),
up(project, sid, above, depth) as (
  select project, sid, parent, 1 from link where parent <> '' and parent <> sid
  union
  select u.project, u.sid, l.parent, depth + 1 from up u
  join link l on l.project = u.project and l.sid = u.above
  where l.parent <> '' and l.parent <> u.sid and l.parent <> u.above and depth < 200)
select project, sid, arg_min(above, depth) as parent, arg_max(above, depth) as root
from up group by project, sid
"""

_SESSIONS = """
select project, f.sid as session, coalesce(any_value(r.root), f.sid) as root,
  any_value(r.parent) as parent, min(ts) as started,
  case when arg_max(type, (ts, seq)) filter (type in ('session.started', 'session.ended'))
    = 'session.ended' then max(ts) filter (type = 'session.ended')
    -- a transcript tells no end: it is over where it stops
    when bool_and(imported) then max(ts) filter (not coalesce(inferred, false)) end as ended,
  max(ts) filter (not coalesce(inferred, false)) as last,
  date_diff('second', min(ts), max(ts) filter (not coalesce(inferred, false))) as seconds,
  arg_min(source, (imported, seq)) filter (type = 'session.started') as source,
  case when ended is not null then coalesce(arg_max(reason, ts) filter (type = 'session.ended'),
    case when bool_and(imported) then 'unknown' end) end as reason,
  case when ended is not null then coalesce(arg_max(coalesce(inferred, false), ts)
    filter (type = 'session.ended'), bool_and(imported)) end as inferred,
  coalesce(arg_max(nullif(title, ''), (source = 'custom', ts))
    filter (type = 'session.titled' and title <> ''),
    arg_max(title, ts) filter (type = 'session.started' and title <> '')) as title,
  arg_max(model, ts) filter (type in ('session.started', 'pressure.sampled', 'usage.recorded')
    and model <> '' and agent is null) as model,
  arg_max(branch, ts) filter (branch <> '') as branch,
  count(*) filter (type = 'prompt.submitted' and agent is null
    and origin is distinct from 'task-notification') as prompts,
  count(*) filter (type in ('turn.ended', 'turn.failed') and agent is null) as turns,
  count(*) filter (type in ('tool.finished', 'tool.failed')) as tools,
  count(*) filter (type = 'tool.failed') as failures,
  count(*) filter (type = 'subagent.ended') as subagents,
  greatest(count(*) filter (type = 'compact.finished' and coalesce(part, 1) = 1),
    count(*) filter (type = 'session.started' and source = 'compact')) as compactions,
  arg_max(tokens, ts) filter (type = 'pressure.sampled' and agent is null) as tokens,
  bool_and(imported) as imported
from _facts f left join _roots r using (project, sid)
where f.sid <> '' group by project, f.sid
"""

_TURNS = """
with e as (
  select project, imported, sid, seq, ts, type, prompt, origin, text, size, ms, changed, target,
    error, agent,
    count(*) filter (type = 'prompt.submitted' and agent is null) over turn as turn
  from _facts
  where sid <> '' and (type in ('tool.finished', 'tool.failed') or (agent is null and
    type in ('prompt.submitted', 'turn.ended', 'turn.failed', 'session.ended')))
  window turn as (partition by project, imported, sid order by seq)),
t as (
  select project, imported, sid, turn, min(seq) as seq,
    count(*) filter (type in ('tool.finished', 'tool.failed')) as tools,
    count(*) filter (type = 'tool.failed') as failures,
    coalesce(sum(ms) filter (type in ('tool.finished', 'tool.failed')), 0)::bigint as tool_ms,
    count(distinct target) filter (type = 'tool.finished' and changed) as files,
    max(ts) filter (type in ('turn.ended', 'turn.failed')) as ended,
    arg_max(type, seq) filter (type in ('turn.ended', 'turn.failed')) as how,
    arg_max(error, seq) filter (type = 'turn.failed') as error,
    bool_or(type = 'session.ended') as over,
    arg_min((prompt, ts, origin, text, size), seq) filter (type = 'prompt.submitted') as p,
    lead(min(seq)) over (partition by project, imported, sid order by turn) as next
  from e group by project, imported, sid, turn having turn > 0)
select project, sid as session, seq, p[1] as prompt, p[2] as started, ended,
  date_diff('millisecond', p[2], ended) / 1000.0 as seconds, p[3] as origin, p[4] as text,
  p[5] as size, tools, failures, tool_ms, files,
  case when how = 'turn.failed' then 'failed' when how = 'turn.ended' then 'ended'
    when over or next is not null or imported then 'cut' else 'open' end as outcome,
  error, imported from t
"""

_TOOLS = """
select project, sid as session, seq, ts, tool, target, subject, type = 'tool.finished' as ok, ms,
  coalesce(changed, false) as changed, tests, error, coalesce(interrupted, false) as interrupted,
  input_size, output_size, "use", agent, prompt, branch, imported
from _facts where type in ('tool.finished', 'tool.failed')
"""

_PRESSURE = """
select project, sid as session, seq, ts, coalesce(try_cast("at" as timestamp), ts) as "at", tokens,
  nullif("window", 0) as "window", nullif("limit", 0) as "limit", nullif(point, 0) as point, used,
  case when point > 0 then pressure end as pressure, source, model,
  coalesce(enabled, true) as enabled, imported
from _log where type = 'pressure.sampled'
"""

_ADVICE = """
select project, sid as session, seq, ts,
  case type when 'advice.given' then 'advice' else 'context' end as kind, what, level,
  case type when 'context.injected' then 'context' else channel end as channel, hook, characters,
  nullif(tokens, 0) as tokens, nullif(point, 0) as point, reason, imported
from _log where type in ('advice.given', 'context.injected')
"""

_STAGES = """
with e as (
  select *, lead((type, ts, remaining, reason, skipped, metrics)) over (
    partition by project, imported, cycle order by seq) as n
  from (select * from _log where starts_with(type, 'stage.')))
select project, sid as session, seq, cycle, stage, ts as started,
  case when n[1] not in ('stage.started', 'stage.resumed') then n[2] end as ended,
  date_diff('millisecond', ts, ended) / 1000.0 as seconds,
  case n[1] when 'stage.finished' then 'finished' when 'stage.stopped' then 'stopped'
    when 'stage.abandoned' then 'abandoned' else 'open' end as outcome,
  remaining as remaining_before, case when ended is not null then n[3] end as remaining_after,
  remaining_before - remaining_after as cost, case when ended is not null then n[4] end as reason,
  case when ended is not null then n[5] end as skipped,
  case when ended is not null then n[6] else metrics end as metrics, imported
from e where type in ('stage.started', 'stage.resumed')
"""

_USAGE = """
select project, sid as session, ts, model, message as message_id,
  coalesce(input_tokens, 0) as input_tokens, coalesce(output_tokens, 0) as output_tokens,
  coalesce(cache_creation_input_tokens, 0) as cache_creation_input_tokens,
  coalesce(cache_read_input_tokens, 0) as cache_read_input_tokens, agent, source, request, seq,
  imported
from _facts where type = 'usage.recorded'
-- a reply that was not over at an import is told once more by the next, under the same key
qualify key is null or imported is not true or seq = max(seq) over (partition by project, key)
"""

_HOOKS = """
with e as (
  select project, sid, ts, type, characters, missed, us, case
    when type in ('advice.given', 'context.injected', 'hook.failed') then nullif(hook, '')
    when type = 'session.started' then 'SessionStart'
    when type = 'session.ended' and not coalesce(inferred, false) then 'SessionEnd'
    when type = 'prompt.submitted' then 'UserPromptSubmit'
    when type = 'command.expanded' then 'UserPromptExpansion'
    when type = 'tool.finished' then 'PostToolUse' when type = 'tool.failed'
    then 'PostToolUseFailure' when type = 'turn.ended' then 'Stop' when type = 'turn.failed'
    then 'StopFailure' when type = 'compact.started' then 'PreCompact'
    when type = 'compact.finished' and coalesce(part, 1) = 1 then 'PostCompact'
    when type = 'subagent.started' then 'SubagentStart'
    when type = 'subagent.ended' or (type = 'compact.summarized' and coalesce(part, 1) = 1)
    then 'SubagentStop' when type = 'model.switched' then 'PostModelSwitch'
    when type = 'notification.received' then 'Notification' end as hook,
  from _log where not imported)
select project, sid as session, hook,
  count(*) filter (type not in ('advice.given', 'context.injected', 'hook.failed', 'journal.gap'))
    as calls,
  count(*) filter (type in ('advice.given', 'context.injected')) as answers,
  coalesce(sum(characters) filter (type in ('advice.given', 'context.injected')), 0)::bigint
    as characters,
  count(*) filter (type = 'hook.failed') as failed,
  coalesce(sum(missed) filter (type = 'journal.gap'), 0)::bigint as missed,
  min(ts) as first, max(ts) as last,
  round(sum(us) filter (us > 0) / 1000.0, 3) as ms, count(*) filter (us > 0) as timed
from e where hook is not null or type in ('hook.failed', 'journal.gap')
group by project, sid, hook
"""

_COMPACTIONS = "select * from _compactions"

# In the order in which they build on one another.
ORDER = {
    "_facts": _FACTS, "_roots": _ROOTS, "events": _EVENTS, "sessions": _SESSIONS, "turns": _TURNS,
    "tools": _TOOLS, "pressure": _PRESSURE, "compactions": _COMPACTIONS, "advice": _ADVICE,
    "stages": _STAGES, "usage": _USAGE, "hooks": _HOOKS,
}  # fmt: skip


def view_sql(name: str, *, both: Iterable[str], records: bool) -> str:
    """SQL of a view. both: projects with a live and an imported log; records: `record` is asked."""
    listed = ",".join(map(quoted, both))
    if name == "_facts":
        return _FACTS.replace("{both}", listed) if listed else "select * from _log"
    if name == "events" and records:
        return _RECORDS
    return ORDER[name] if listed else ORDER[name].replace("_facts", "_log")


def members(names: Iterable[str]) -> set[str]:
    """Words the views are made of, the columns they read among them."""
    return {word for name in names for word in _WORD.findall(ORDER[name])}


def needed(text: str, *, both: bool) -> list[str]:
    """Views a query can use, those they build on first. The others need not be there.

    both: there is a project with both kinds of log: only then facts are told apart.

    Where a query looks at the tables there are, or makes names up itself, that is all of them.
    """
    words = set(_WORD.findall(text.lower()))
    if words & _LISTING or any(word.startswith(("duckdb_", "pragma_")) for word in words):
        return list(ORDER)
    waiting, found = [name for name in ORDER if name in words], set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        words = set(_WORD.findall(ORDER[name]))
        # The rows of compactions are folded, which looks at lineages.
        waiting += [base for base in ("_facts", "_roots") if base in words or name == "compactions"]
    return [name for name in ORDER if name in found and (both or name != "_facts")]
