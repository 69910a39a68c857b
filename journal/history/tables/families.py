"""The stored rows of a log, in families: each has some of the records, in its own columns.

A family is written when a table first needs it: parsing only what is needed costs half as much.
Invariant: the rows of a log are those of its parts in order, however it is divided.
"""

import re
from typing import NamedTuple

from journal.history.tables.columns import COLUMNS, identifier, literal

_VERSION = 17  # raise it when the rows of earlier versions cannot be used any more
_READ = "format='newline_delimited',maximum_object_size=1048576,ignore_errors=true"


def _of(types: bytes) -> re.Pattern[bytes]:
    """Return a pattern of the records of some types; `type` is one of their first members."""
    return re.compile(rb'\{(?:"(?!type")\w+":[^,]*+,)*"type":"(?:%b)' % types)


_ENVELOPE = ("seq", "ts", "type", "v", "sid", "agent", "prompt", "key", "cwd", "branch")
# `source`: how a session started; `us`: microseconds of the hook call; `inferred`, `part` and `via`
# tell which events no hook call recorded.
_EVENTS = (*_ENVELOPE, "source", "us", "short", "inferred", "part", "via")
_TOOLS = (
    "seq", "ts", "type", "sid", "agent", "prompt", "branch", "tool", "use", "target", "subject",
    "ms", "changed", "tests", "error", "interrupted", "input_size", "output_size", "us", "items",
    "file", "via",
)  # fmt: skip
_OF_USAGE_ALONE = {"request", "input_tokens", "output_tokens", "cache_creation_input_tokens",
                   "cache_creation_1h_input_tokens", "cache_read_input_tokens",
                   "speed"}  # fmt: skip
# Readings, messages, stages, and what hooks missed; sessions and prompts, which reports compare
# with them.
_FACTS = (
    "seq", "ts", "type", "sid", "agent", "at", "tokens", "window", "limit", "point", "used",
    "pressure", "source", "model", "enabled", "what", "level", "channel", "hook", "characters",
    "reason", "cycle", "stage", "remaining", "skipped", "metrics", "missed", "origin", "previous",
)  # fmt: skip
_OF_FACTS = _of(
    rb'pressure\.sampled|advice\.given|context\.injected|stage\.|hook\.failed|journal\.gap"'
    rb'|session\.started"|prompt\.submitted"|compound\.ran"'
)
# Replies, and events that show which of them a compaction caused: its end, and uses of files.
_USAGE = ("seq", "ts", "type", "sid", "agent", "key", "branch", "tool", "target", "output_size",
          "model", "message", "source", *sorted(_OF_USAGE_ALONE))  # fmt: skip
_OF_USAGE = _of(
    rb'usage\.recorded"|compact\.finished"|session\.started".*"source":"compact"'
    rb'|tool\.finished".*"tool":"(?:Read|Edit|MultiEdit|Write|NotebookEdit)"'
)
# Summaries of compactions, and what they are compared with: changed files, decisions, units.
_WORK = ("seq", "type", "sid", "agent", "changed", "target", "paths", "text", "unit", "item",
         "done", "title", "items", "file", "tool", "previous", "part", "summary")  # fmt: skip
_OF_WORK = _of(
    rb'tool\.f.*"(?:changed":true|items":)|files\.changed"|compact\.(?:finish|summariz)ed"'
    rb'|compound\.ran"|decision\.recorded"|unit\.|session\.started"'
)
_TURNS = ("seq", "ts", "type", "sid", "agent", "prompt", "origin", "text", "size", "ms", "changed",
          "target", "error", "via")  # fmt: skip

_RECORD_ROWS = """
select r.*, record from (
  select json as record, json_transform(json, '{structure}') as r
  from read_ndjson_objects({path}, {read}))
"""
# A turn is a prompt with what follows it in its session. A part of the log knows only a part of the
# first and the last turn of each session: `edge` marks these, to be put together when asked for.
# Subagents go on while others ask, an import reads each after its session, what hooks missed is
# restored later, and Claude Code does not wait for the hook of a failed turn: prompts and calls of
# these, and ends, that name another prompt are rows without a turn, and `edge` is null.
_TURN_ROWS = """
with d as (
  select *, (agent is not null or via is not null) and prompt <> '' as apart,
    count(*) filter (type = 'prompt.submitted' and agent is null and via is null)
    over (partition by sid order by seq) as turn,
    arg_max(prompt, seq) filter (type = 'prompt.submitted' and agent is null and via is null)
    over (partition by sid order by seq) as running
  from {lines}
  where sid <> '' and (type in ('tool.finished', 'tool.failed') or (agent is null and
    type in ('prompt.submitted', 'turn.ended', 'turn.failed', 'session.ended')))),
e as (
  select * replace (apart or coalesce(type in ('turn.ended', 'turn.failed') and prompt <> running
    and prompt in (select prompt from d where type = 'prompt.submitted'), false) as apart) from d),
t as (
  select sid, if(apart, null, turn) as turn, min(seq) as seq, if(apart, prompt, null) as of,
    count(*) filter (type in ('tool.finished', 'tool.failed')) as tools,
    count(*) filter (type = 'tool.failed') as failures,
    coalesce(sum(ms) filter (type in ('tool.finished', 'tool.failed')), 0)::bigint as tool_ms,
    list_sort(list(distinct target) filter (type = 'tool.finished' and changed and target <> ''))
      as targets,
    max(ts) filter (type in ('turn.ended', 'turn.failed')) as ended,
    count(*) filter (type in ('turn.ended', 'turn.failed')) as ends,
    arg_max(type, seq) filter (type in ('turn.ended', 'turn.failed')) as how,
    arg_max(error, seq) filter (type = 'turn.failed') as error,
    bool_or(type = 'session.ended') as closed,
    arg_min((prompt, ts, origin, text, size), seq) filter (type = 'prompt.submitted') as p,
    arg_max(prompt, seq) filter (type <> 'prompt.submitted' and prompt <> '') as named
  from e group by all),
w as (
  select *, row_number() over (partition by sid order by turn) = 1 as first,
    lead(turn) over (partition by sid order by turn) is null as last from t where of is null
  union all by name select * from t where of is not null)
select sid, seq, turn = 0 as continues, first or last as edge, not last as followed,
  coalesce(of, p[1]) as prompt, p[2] as started, p[3] as origin, p[4] as text, p[5] as size, ended,
  named, ends, how, error, closed, tools, failures, tool_ms, targets
from w
"""


class Family(NamedTuple):
    """A kind of rows. members: read from each record; rows: SQL over `{lines}`.

    records: pattern of the records that belong to it, None for all.
    """

    members: tuple[str, ...]
    records: re.Pattern[bytes] | None = None
    rows: str = "select * from {lines}"

    def select(self, lines: list[bytes]) -> list[bytes]:
        """Return the records that belong to the family."""
        return lines if self.records is None else list(filter(self.records.match, lines))

    def rows_of(self, path: str) -> str:
        """Build SQL of the rows of a file of records."""
        file = literal(path)
        if "{structure}" in self.rows:
            structure = ",".join(f'"{name}":"{COLUMNS[name]}"' for name in self.members)
            return self.rows.format(structure="{" + structure + "}", path=file, read=_READ)
        columns = ",".join(f"{identifier(name)}:'{COLUMNS[name]}'" for name in self.members)
        lines = f"read_json({file},columns={{{columns}}},{_READ})"
        return self.rows.format(lines=lines)

    def no_rows(self) -> str:
        """Build SQL of no rows, with the columns of stored ones."""
        origin = "select ''::varchar as project, false as imported,"
        nulls = ",".join(f"null::{COLUMNS[name]} as {identifier(name)}" for name in self.members)
        if "{structure}" in self.rows:
            return f"{origin} {nulls}, null::json as record where false"
        rows = self.rows.format(lines=f"(select {nulls} where false)")
        return f"{origin} * from ({rows})"


def code_of_rows(family: str) -> str:
    """Return the code version of a family's rows; stored rows of another version are made again."""
    return f"tables {_VERSION} {family}"


def checkpoint_of(tables: str, family: str) -> str:
    """Return the path of the checkpoint of a family's rows. tables: the folder of a log's rows."""
    return f"{tables}/{family}.checkpoint"


FAMILIES: dict[str, Family] = {
    "events": Family(_EVENTS),
    "records": Family(_EVENTS, rows=_RECORD_ROWS),
    "tools": Family(_TOOLS, _of(rb"tool\.f")),
    "facts": Family(_FACTS, _OF_FACTS),
    "usage": Family(_USAGE, _OF_USAGE),
    "turns": Family(_TURNS, rows=_TURN_ROWS),
    "work": Family(_WORK, _OF_WORK),
}
