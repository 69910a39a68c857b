"""The contract of the tables: each column's name, type and meaning.

Invariant: a test compares the views with it, and docs/sql.md is written from it.
"""

from typing import NamedTuple


class Column(NamedTuple):
    """A column: its name, DuckDB type and meaning."""

    name: str
    type: str
    comment: str


class Table(NamedTuple):
    """A table: its meaning and its columns."""

    comment: str
    columns: tuple[Column, ...]


IDENTITY = tuple(
    Column(*row.split(" ", 2))
    for row in (
        "origin_id VARCHAR random id of the journal home; NULL before the first export",
        "person VARCHAR the setting export.person, else a random id; NULL before the first export",
        "repo VARCHAR git remote of the project as host/owner/name; NULL if it is unknown",
        "epoch BIGINT how often the project's history began: 2 after it was restored from a backup",
    )
)
"""Columns that every table ends with."""


def _table(comment: str, *rows: str) -> Table:
    """Build a table from rows `name TYPE comment`."""
    return Table(comment, (*(Column(*row.split(" ", 2)) for row in rows), *IDENTITY))


_PROJECT = "project VARCHAR journal of the project: the directory's name and 8 hex digits"
_SESSION = "session VARCHAR session id"
_SEQ = "seq BIGINT sequence number; with project and imported it names the event"
_TS = "ts TIMESTAMP time of the event, UTC"
_IMPORTED = "imported BOOLEAN true: from a transcript (journal import); false: from a hook"
_AGENT = "agent VARCHAR id of the subagent; NULL for the main thread"
_PROMPT = "prompt VARCHAR id of the prompt it belongs to"
_BRANCH = "branch VARCHAR git branch"

TABLES: dict[str, Table] = {
    "events": _table(
        "One row per event. The fields of its type are in `record`.",
        _PROJECT, _SEQ, _TS,
        "type VARCHAR type of the event, such as tool.finished; docs/events.md lists them",
        "v BIGINT version of the event type", _SESSION, _AGENT, _PROMPT,
        "key VARCHAR dedupe key: a hook call recorded twice is one row",
        "cwd VARCHAR working directory, if it is not the project's directory", _BRANCH, _IMPORTED,
        "us BIGINT microseconds the hook call took that recorded it, if it was measured",
        "short BOOLEAN recorded in short form: the session's hooks were over capture.budget",
        "record JSON the whole record: record->>'tool', record->'items'",
        "hook_call BOOLEAN a hook call recorded it; false if imported, inferred, restored from a "
        "transcript, a further part of a summary, or of a type that hooks do not record themselves",
    ),
    "sessions": _table(
        "One row per session.",
        _PROJECT, _SESSION,
        "root VARCHAR first session of its lineage (resume, clear, fork, compact)",
        "parent VARCHAR session that it continues",
        "started TIMESTAMP first event",
        "ended TIMESTAMP end of the session; NULL while it is open; if imported, its last event",
        "last TIMESTAMP last event", "seconds BIGINT from the first event to the last",
        "source VARCHAR how it started first: startup, resume, clear or fork",
        "reason VARCHAR why it ended; unknown if imported, because transcripts do not record it",
        "inferred BOOLEAN Claude Code reported no end; the journal inferred it",
        "title VARCHAR title of the session", "model VARCHAR model used last", _BRANCH,
        "prompts BIGINT prompts that a person or a program submitted",
        "turns BIGINT turns of the main thread that ended, each once", "tools BIGINT tool calls",
        "failures BIGINT tool calls that failed", "subagents BIGINT number of subagents",
        "compactions BIGINT compactions that happened",
        "tokens BIGINT context tokens at the last reading",
        "imported BOOLEAN true if no hook recorded any of it",
    ),
    "turns": _table(
        "One row per prompt, with the turn that answers it.",
        _PROJECT, _SESSION, "seq BIGINT sequence number of the prompt", "prompt VARCHAR prompt id",
        "started TIMESTAMP when it was submitted", "ended TIMESTAMP when the answer ended",
        "seconds DOUBLE from started to ended",
        "origin VARCHAR human, command, sdk or task-notification",
        "text VARCHAR first 500 characters of the prompt",
        "size BIGINT characters of the prompt",
        "tools BIGINT tool calls, including those of subagents",
        "failures BIGINT tool calls that failed",
        "tool_ms BIGINT milliseconds of the tool calls, NULL if the row is a transcript's",
        "files BIGINT number of files changed",
        "outcome VARCHAR ended, failed (API error), cut (the session ended or another prompt came)"
        " or open", "error VARCHAR API error of a failed turn", _IMPORTED,
    ),
    "tools": _table(
        "One row per tool call.",
        _PROJECT, _SESSION, _SEQ, _TS, "tool VARCHAR Bash, Read, Edit, …",
        "target VARCHAR path, or start of the command",
        "subject VARCHAR of a skill, agent or task call", "ok BOOLEAN the call succeeded",
        "ms BIGINT duration in milliseconds, as Claude Code reports it",
        "changed BOOLEAN the call changed its file",
        "tests VARCHAR passed or failed, if the command ran tests",
        "error VARCHAR first lines of the error",
        "interrupted BOOLEAN the user interrupted the call",
        "input_size BIGINT characters of the input", "output_size BIGINT characters of the output",
        "use VARCHAR tool_use_id", _AGENT, _PROMPT, _BRANCH, _IMPORTED,
    ),
    "pressure": _table(
        "One row per measurement of the context by a hook; none of imported sessions: see usage.",
        _PROJECT, _SESSION, _SEQ, _TS, "at TIMESTAMP time of the measurement",
        "tokens BIGINT context tokens, as Claude Code counts them",
        "window BIGINT context window of the model",
        "limit BIGINT tokens of the window that Claude Code uses",
        "point BIGINT compaction threshold in tokens, as computed; NULL if unknown",
        "used DOUBLE percent of the context window",
        "pressure DOUBLE percent of the compaction threshold",
        "source VARCHAR transcript, boundary, statusline or hook", "model VARCHAR model",
        "enabled BOOLEAN auto-compact is on", _IMPORTED,
    ),
    "compactions": _table(
        "One row per compaction, including attempts without a result.",
        _PROJECT, "lineage VARCHAR first session of the lineage", _SESSION,
        "seq BIGINT sequence number of its first event", _TS, "trigger VARCHAR auto or manual",
        "done BOOLEAN it happened: a summary or a session start followed",
        "tokens_before BIGINT context tokens before it: Claude Code's count, if it is imported",
        "tokens_after BIGINT context tokens after",
        "point BIGINT compaction threshold at that time, in tokens; NULL if unknown",
        "point_from VARCHAR formula, observed (median of N automatic compactions), Claude Code",
        "warned TIMESTAMP first pressure warning since the previous compaction; NULL if none",
        "warned_level VARCHAR info or urgent",
        "lead_seconds DOUBLE seconds from that warning to the compaction",
        "lead_turns BIGINT prompts from the warning to the compaction",
        "lead_tokens BIGINT tokens from the warning to the compaction",
        "heeded BOOLEAN a compound or /compact followed the warning; NULL if there was none",
        "unpromoted BIGINT work-log entries not saved as learnings",
        "summary_size BIGINT characters of the summary; NULL if none was recorded",
        "dropped_paths VARCHAR[] files the session had changed that the summary does not name",
        "dropped_decisions VARCHAR[] decisions the summary does not mention",
        "dropped_items VARCHAR[] open items the summary does not mention", _IMPORTED,
    ),
    "advice": _table(
        "One row per message of a hook.",
        _PROJECT, _SESSION, _SEQ, _TS, "kind VARCHAR advice, or context for injected text",
        "what VARCHAR pressure, compound, phase; recovery, start, related, …",
        "level VARCHAR info or urgent",
        "channel VARCHAR context (Claude reads it) or message (the user reads it)",
        "hook VARCHAR hook event that returned it", "characters BIGINT length of the text",
        "tokens BIGINT context tokens at that time",
        "point BIGINT compaction threshold at that time",
        "reason VARCHAR why the hook returned it", _IMPORTED,
    ),
    "stages": _table(
        "One row per run of a stage of a dev cycle.",
        _PROJECT, _SESSION, "seq BIGINT sequence number of its start",
        "cycle VARCHAR cycle it belongs to",
        "stage VARCHAR sprint, audit, ship, retrospective", "started TIMESTAMP start of the stage",
        "ended TIMESTAMP end of the stage; NULL while it runs",
        "seconds DOUBLE from started to ended",
        "outcome VARCHAR finished, stopped, abandoned or open",
        "remaining_before DOUBLE percent of the context left at its start; NULL if unknown",
        "remaining_after DOUBLE percent of the context left at its end",
        "cost DOUBLE percent of the context that the stage used",
        "reason VARCHAR why it was stopped",
        "skipped VARCHAR[] stages that were skipped", "metrics JSON metrics recorded with it",
        _IMPORTED,
    ),
    "usage": _table(
        "One row per API response, from transcripts (journal import).",
        _PROJECT, _SESSION, _TS, "model VARCHAR model", "message_id VARCHAR the API's message id",
        "input_tokens BIGINT input tokens", "output_tokens BIGINT output tokens",
        "cache_creation_input_tokens BIGINT tokens written to the cache",
        "cache_read_input_tokens BIGINT tokens read from the cache", _AGENT,
        "source VARCHAR transcript it comes from", "request VARCHAR the API's request id", _SEQ,
        _IMPORTED,
        "cache_creation_1h_input_tokens BIGINT tokens written to the cache to stay for an hour",
        "speed VARCHAR fast in fast mode; NULL otherwise", _BRANCH,
        "cost_usd DOUBLE cost at list prices, as journal usage counts it; NULL if unknown",
    ),
    "hooks": _table(
        "One row per session and hook event.",
        _PROJECT, _SESSION,
        "hook VARCHAR SessionStart, PostToolUse, …; NULL if it belongs to no hook event",
        "calls BIGINT calls that recorded an event",
        "answers BIGINT calls that returned a message",
        "characters BIGINT characters of those messages",
        "failed BIGINT calls that failed (hook.failed)",
        "missed BIGINT events that could not be recorded (journal.gap)",
        "first TIMESTAMP first event", "last TIMESTAMP last event",
        "ms DOUBLE CPU milliseconds of the timed calls; NULL if there are none",
        "timed BIGINT calls whose CPU time was recorded",
    ),
}  # fmt: skip


def types_of(table: str) -> dict[str, str]:
    """Return the columns of a table, without those of `IDENTITY`: name → type."""
    return {column.name: column.type for column in TABLES[table].columns[: -len(IDENTITY)]}
