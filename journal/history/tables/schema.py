"""What the tables are: their columns, types and what each holds.

Invariant: this is the contract; a test holds the views to it, and docs/sql.md is written from it.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TABLES", "Column", "Table"]


class Column(NamedTuple):
    """One column: DuckDB's type, and what it holds."""

    name: str
    type: str
    comment: str


class Table(NamedTuple):
    """One table."""

    comment: str
    columns: tuple[Column, ...]


def _table(comment: str, *rows: str) -> Table:
    """Make a table of rows `name TYPE comment`."""
    return Table(comment, tuple(Column(*row.split(" ", 2)) for row in rows))


_PROJECT = "project VARCHAR name of the project's journal: its directory's name and 8 hex digits"
_SESSION = "session VARCHAR session id"
_SEQ = "seq BIGINT sequence number; with project and imported it names the event"
_TS = "ts TIMESTAMP when, in UTC"
_IMPORTED = "imported BOOLEAN it comes from a transcript (journal import), not from a hook"
_AGENT = "agent VARCHAR id of the subagent; NULL for the main thread"
_PROMPT = "prompt VARCHAR id of the prompt it belongs to"
_BRANCH = "branch VARCHAR git branch"

TABLES: dict[str, Table] = {
    "events": _table(
        "Every event as recorded; what its type adds is in `record`.",
        _PROJECT, _SEQ, _TS,
        "type VARCHAR such as tool.finished (docs of the events: journal/FORMAT.md)",
        "v BIGINT version of the type", _SESSION, _AGENT, _PROMPT,
        "key VARCHAR idempotency key: a hook call that came twice is one row",
        "cwd VARCHAR directory, where it is not the project's own", _BRANCH, _IMPORTED,
        "record JSON the whole record: record->>'tool', record->'items'",
    ),
    "sessions": _table(
        "One row per session.",
        _PROJECT, _SESSION,
        "root VARCHAR first session of its lineage (resume, clear, fork, compact)",
        "parent VARCHAR session it goes on from",
        "started TIMESTAMP first event",
        "ended TIMESTAMP its end; NULL while it is open; of a transcript its last event",
        "last TIMESTAMP last event", "seconds BIGINT from the first event to the last",
        "source VARCHAR how it first started: startup, resume, clear, fork",
        "reason VARCHAR why it ended; unknown: a transcript does not tell",
        "inferred BOOLEAN the end was concluded, not reported",
        "title VARCHAR its title", "model VARCHAR model it last used", _BRANCH,
        "prompts BIGINT prompts of a person or a program",
        "turns BIGINT turns of the main thread that ended", "tools BIGINT tool calls",
        "failures BIGINT tool calls that failed", "subagents BIGINT subagents that ended",
        "compactions BIGINT compactions that happened",
        "tokens BIGINT context tokens last read", "imported BOOLEAN known from transcripts alone",
    ),
    "turns": _table(
        "One row per prompt and what came of it.",
        _PROJECT, _SESSION, "seq BIGINT of the prompt", "prompt VARCHAR prompt id",
        "started TIMESTAMP when it was submitted", "ended TIMESTAMP when the answer ended",
        "seconds DOUBLE between the two",
        "origin VARCHAR human, command, sdk or task-notification",
        "text VARCHAR first 500 characters of the prompt",
        "size BIGINT characters of the prompt", "tools BIGINT tool calls, subagents' too",
        "failures BIGINT tool calls that failed", "tool_ms BIGINT milliseconds of the tool calls",
        "files BIGINT files changed",
        "outcome VARCHAR ended, failed (API error), cut (the session ended or another prompt came)"
        " or open", "error VARCHAR the API error of a failed one", _IMPORTED,
    ),
    "tools": _table(
        "One row per tool call.",
        _PROJECT, _SESSION, _SEQ, _TS, "tool VARCHAR Bash, Read, Edit, …",
        "target VARCHAR path, or head of the command",
        "subject VARCHAR of a skill, agent or task call", "ok BOOLEAN it succeeded",
        "ms BIGINT duration in milliseconds, as the client says",
        "changed BOOLEAN the file was written", "tests VARCHAR passed or failed, where tests ran",
        "error VARCHAR first lines of the error", "interrupted BOOLEAN the person stopped it",
        "input_size BIGINT characters of the input", "output_size BIGINT characters of the output",
        "use VARCHAR tool_use_id", _AGENT, _PROMPT, _BRANCH, _IMPORTED,
    ),
    "pressure": _table(
        "One row per reading of the context.",
        _PROJECT, _SESSION, _SEQ, _TS, "at TIMESTAMP time of the reading",
        "tokens BIGINT context tokens, as the client counts them",
        "window BIGINT window of the model", "limit BIGINT window that counts",
        "point BIGINT T by formula: where auto-compact fires; NULL unknown",
        "used DOUBLE percent of the window", "pressure DOUBLE percent of T",
        "source VARCHAR transcript, boundary, statusline or hook", "model VARCHAR model",
        "enabled BOOLEAN auto-compact is on", _IMPORTED,
    ),
    "compactions": _table(
        "One row per compaction, attempts that came to nothing too.",
        _PROJECT, "lineage VARCHAR first session of the lineage", _SESSION,
        "seq BIGINT of its first event", _TS, "trigger VARCHAR auto or manual",
        "done BOOLEAN it happened: a summary or a new start was seen",
        "tokens_before BIGINT context tokens before it", "tokens_after BIGINT context tokens after",
        "point BIGINT T that held: where auto-compact was expected; NULL unknown",
        "point_from VARCHAR formula, or observed (median of N automatic compactions)",
        "warned TIMESTAMP first pressure advice since the compaction before; NULL: none",
        "warned_level VARCHAR info or urgent", "lead_seconds DOUBLE from that advice to it",
        "lead_turns BIGINT prompts between the two",
        "lead_tokens BIGINT tokens between the two",
        "heeded BOOLEAN a compound or a manual compact came after the advice; NULL: no advice",
        "unpromoted BIGINT work-log entries no compound had covered",
        "summary_size BIGINT characters of the summary; NULL: none was seen",
        "dropped_paths VARCHAR[] files the session had changed that the summary does not name",
        "dropped_decisions VARCHAR[] decisions it does not mention",
        "dropped_items VARCHAR[] open items it does not mention", _IMPORTED,
    ),
    "advice": _table(
        "One row per time a hook said something.",
        _PROJECT, _SESSION, _SEQ, _TS, "kind VARCHAR advice or context (a text that was injected)",
        "what VARCHAR pressure, compound, phase; recovery, start, related, …",
        "level VARCHAR info or urgent", "channel VARCHAR context (the model), message (the person)",
        "hook VARCHAR hook event that carried it", "characters BIGINT length of the text",
        "tokens BIGINT context tokens it was decided on", "point BIGINT T it was decided on",
        "reason VARCHAR why", _IMPORTED,
    ),
    "stages": _table(
        "One row per run of a stage of a dev cycle.",
        _PROJECT, _SESSION, "seq BIGINT of its start", "cycle VARCHAR cycle it belongs to",
        "stage VARCHAR sprint, audit, ship, retrospective", "started TIMESTAMP its start",
        "ended TIMESTAMP its end; NULL while it runs", "seconds DOUBLE between the two",
        "outcome VARCHAR finished, stopped, abandoned or open",
        "remaining_before DOUBLE percent of the context left at its start; NULL unknown",
        "remaining_after DOUBLE the same at its end",
        "cost DOUBLE percent of the context it took", "reason VARCHAR why it was stopped",
        "skipped VARCHAR[] stages that were left out", "metrics JSON figures kept with it",
        _IMPORTED,
    ),
    "usage": _table(
        "One row per API response, from transcripts (journal import).",
        _PROJECT, _SESSION, _TS, "model VARCHAR model", "message_id VARCHAR the API's message id",
        "input_tokens BIGINT input tokens", "output_tokens BIGINT output tokens",
        "cache_creation_input_tokens BIGINT tokens written to the cache",
        "cache_read_input_tokens BIGINT tokens read from the cache", _AGENT,
        "source VARCHAR where it was found", "request VARCHAR the API's request id", _SEQ,
        _IMPORTED,
    ),
    "hooks": _table(
        "One row per session and hook event.",
        _PROJECT, _SESSION, "hook VARCHAR SessionStart, PostToolUse, …; NULL: not of one event",
        "calls BIGINT calls that recorded an event",
        "answers BIGINT times it said something", "characters BIGINT what it said, in characters",
        "failed BIGINT calls that went wrong (hook.failed)",
        "missed BIGINT events that could not be kept (journal.gap)",
        "first TIMESTAMP first of them", "last TIMESTAMP last of them",
        "ms DOUBLE processor milliseconds the calls took; NULL: none noted it",
        "timed BIGINT calls that noted it",
    ),
}  # fmt: skip
