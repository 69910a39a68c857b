"""The members of records that the tables are made of: their types, and SQL to read them.

Invariant: a member that a record has in another form becomes NULL there, not an error and not a
lost row; `record` of the table `events` always has the record as it stands in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["COLUMNS", "joined", "json_columns", "listed", "quoted"]

_TEXT = (
    "type", "sid", "agent", "prompt", "key", "cwd", "branch", "tool", "use", "target", "subject",
    "tests", "error", "origin", "text", "message", "source", "model", "transcript", "previous",
    "title", "reason", "trigger", "summary", "what", "level", "channel", "hook", "name", "args",
    "cycle", "stage", "from_sid", "unit", "item", "request", "of", "cause", "at", "kind",
    "agent_type", "skill", "phase", "file", "speed",
)  # fmt: skip
_WHOLE = (
    "v", "ms", "input_size", "output_size", "size", "background", "context_tokens", "tokens",
    "point", "window", "limit", "unpromoted", "part", "parts", "characters", "missed", "removed",
    "kept", "input_tokens", "output_tokens", "cache_creation_input_tokens",
    "cache_creation_1h_input_tokens", "cache_read_input_tokens", "us",
)  # fmt: skip
_NUMBER = ("used", "pressure", "remaining")
_FLAG = ("ok", "interrupted", "changed", "continued", "inferred", "enabled", "done", "short")
_OTHER = {
    "skipped": "VARCHAR[]",
    "items": "JSON",
    "headings": "VARCHAR[]",
    "metrics": "JSON",
    "terms": "JSON",
}

COLUMNS: dict[str, str] = {
    "seq": "BIGINT", "ts": "TIMESTAMP",
    **dict.fromkeys(_TEXT, "VARCHAR"), **dict.fromkeys(_WHOLE, "BIGINT"),
    **dict.fromkeys(_NUMBER, "DOUBLE"), **dict.fromkeys(_FLAG, "BOOLEAN"), **_OTHER,
}  # fmt: skip


def quoted(text: str, mark: str = "'") -> str:
    """Return a text as an SQL literal, or with `"` as a name."""
    return mark + text.replace(mark, mark * 2) + mark


def listed(texts: Iterable[str]) -> str:
    """Return texts as an SQL list."""
    return "[" + ",".join(map(quoted, texts)) + "]"


def joined(*parts: str) -> str:
    """Build SQL of our own words and of names and texts that are quoted already."""
    return " ".join(parts)


def json_columns(names: Iterable[str]) -> str:
    """Return members with their types in the form `read_json` takes them."""
    return "{" + ",".join(quoted(name, '"') + f":'{COLUMNS[name]}'" for name in names) + "}"
