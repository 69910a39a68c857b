"""The tables as views: over the mirrors of sealed segments and the lines of the others.

Invariant: every view names its columns; where a live and an imported record tell the same fact,
the live one is the row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cli.query.columns import COLUMNS, joined, json_columns, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.query.survey import Log, Source

__all__ = [
    "NEEDS_RECORD",
    "ORDER",
    "STUB",
    "TWIN",
    "UNREAD",
    "base_sql",
    "files_of",
    "records_sql",
    "stub_sql",
    "view_sql",
]

MARK = '"'
STUB = "select * from _stub where random() < 2"
UNREAD = "a column that was not read"
_LOW = {"BIGINT": "-4611686018427387904", "VARCHAR": "''", "TIMESTAMP": "timestamp '1000-01-01'",
        "DOUBLE": "-1e300::double", "BOOLEAN": "false"}  # fmt: skip
_HIGH = {"BIGINT": "4611686018427387904", "VARCHAR": "'\U0010fffdzzzz'", "BOOLEAN": "true",
         "TIMESTAMP": "timestamp '9000-01-01'", "DOUBLE": "1e300::double"}  # fmt: skip
_JSON = "format='newline_delimited',ignore_errors=true,maximum_object_size=1048576,filename=true"


def files_of(logs: Iterable[Log]) -> list[Source]:
    """Every source of the logs."""
    return [source for log in logs for source in log.sources]


def base_sql(home: str, logs: list[Log], wanted: Iterable[str]) -> str:
    """SQL of `_log`: all records, in the columns of `COLUMNS`.

    Only the wanted ones are read (80 columns of 50 files cost a tenth of a second before the first
    row); the others say so where they are asked for all the same.
    """
    chosen = [name for name in COLUMNS if name in {"seq", *wanted}]
    names = ",".join(quoted(name, MARK) for name in chosen)
    absent = "".join(
        f",error('{UNREAD}')::{kind} as {quoted(name, MARK)}"
        for name, kind in COLUMNS.items() if name not in chosen
    )  # fmt: skip
    parts = []
    for paths, below, reader in _groups(home, logs, mirrored=True):
        whole = "" if reader == "parquet" else "where seq is not null"
        source = _reader(paths, reader, chosen)
        origin = "project,imported" if reader == "parquet" else _origin(below)
        parts.append(joined("select", origin, ",", names, "from", source, whole))
    if not parts:
        return "select * from _stub where false"
    return joined("select *", absent, "from (", " union all ".join(parts), ")")


def stub_sql() -> list[str]:
    """Statements that make the table which stands for the log while a query is planned.

    Its rows span all values, so that no condition can be decided without reading.
    """
    columns = {"project": "VARCHAR", "imported": "BOOLEAN", **COLUMNS}
    listed = ",".join(f"{quoted(name, MARK)} {kind}" for name, kind in columns.items())
    rows = ", ".join(
        "(" + ",".join(ends.get(kind, "null") for kind in columns.values()) + ")"
        for ends in (_LOW, _HIGH, {})
    )  # fmt: skip
    return [f"create temp table _stub ({listed})", joined("insert into _stub values", rows),
            f"create view _log as {STUB}"]  # fmt: skip


def records_sql(home: str, logs: list[Log]) -> str:
    """SQL of `_records`: all records as they stand in the log."""
    parts = [
        " ".join(
            (
                "select",
                _origin(below),
                ", json as record from read_ndjson_objects(",
                _listed(paths),
                ",",
                _JSON,
                ") where json is not null",
            )
        )
        for paths, below, _ in _groups(home, logs, mirrored=False)
    ]
    empty = "select ''::varchar as project,false as imported,null::json as record where false"
    return " union all ".join(parts or [empty])


def _groups(home: str, logs: list[Log], *, mirrored: bool) -> list[tuple[list[str], str, str]]:
    """Files that are read in one go: (paths, directory their names are relative to, reader)."""
    cache = f"{home}/cache"
    parquet: list[str] = []
    copies: list[str] = []
    plain: list[str] = []
    for source in files_of(logs):
        if mirrored and source.parquet:
            parquet.append(source.parquet)
        else:
            (plain if source.lines == source.path else copies).append(source.lines)
    found = ((parquet, cache, "parquet"), (copies, cache, "json"), (plain, home, "json"))
    return [item for item in found if item[0]]


def _listed(paths: list[str]) -> str:
    return "[" + ",".join(map(quoted, paths)) + "]"


def _reader(paths: list[str], reader: str, columns: list[str]) -> str:
    if reader == "parquet":
        return f"read_parquet({_listed(paths)})"
    return f"read_json({_listed(paths)},columns={json_columns(columns)},{_JSON})"


def _origin(below: str) -> str:
    """Columns project and imported, from the path of the file."""
    rest = f"substr(filename,{len(below) + 2})"
    return f"split_part({rest},'/',1) as project,split_part({rest},'/',2)='imported' as imported"


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
select * from _log where not imported
union all
select i.* from _log i where i.imported and not exists (
  select 1 from (select project, sid, _twin(type, "use", prompt, message) as twin from _log
    where not imported and _twin(type, "use", prompt, message) <> '') l
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
    = 'session.ended' then max(ts) filter (type = 'session.ended') end as ended,
  max(ts) filter (not coalesce(inferred, false)) as last,
  date_diff('second', min(ts), max(ts) filter (not coalesce(inferred, false))) as seconds,
  arg_min(source, (imported, seq)) filter (type = 'session.started') as source,
  case when ended is not null then arg_max(reason, ts) filter (type = 'session.ended') end
    as reason,
  case when ended is not null then coalesce(arg_max(coalesce(inferred, false), ts)
    filter (type = 'session.ended'), false) end as inferred,
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
    when over or next is not null then 'cut' else 'open' end as outcome,
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
"""

_HOOKS = """
with e as (
  select project, sid, ts, type, characters, missed, case
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
  min(ts) as first, max(ts) as last
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


def view_sql(name: str, *, imported: bool, records: bool) -> str:
    """SQL of a view. imported: there are imported logs; records: `record` is asked for."""
    if name == "_facts" and not imported:
        return "select * from _log"
    if name == "events" and records:
        return _RECORDS
    return ORDER[name]
