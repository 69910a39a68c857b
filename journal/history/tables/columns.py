"""The columns a record is read into, whatever its type: named, never detected.

Invariant: a member another type gives in another shape becomes NULL there, not an error and not a
lost row; `record` of the table `events` always has the record as it stands in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["COLUMNS", "VERSION", "joined", "json_columns", "quoted"]

VERSION = 3
"""Raised when a mirrored segment of an earlier build cannot serve any more."""

_TEXT = (
    "type", "sid", "agent", "prompt", "key", "cwd", "branch", "tool", "use", "target", "subject",
    "tests", "error", "origin", "text", "message", "source", "model", "transcript", "previous",
    "title", "reason", "trigger", "summary", "what", "level", "channel", "hook", "name", "args",
    "cycle", "stage", "from_sid", "unit", "item", "request", "of", "cause", "at", "kind",
    "agent_type", "skill", "phase", "file",
)  # fmt: skip
_WHOLE = (
    "v", "ms", "input_size", "output_size", "size", "background", "context_tokens", "tokens",
    "point", "window", "limit", "unpromoted", "part", "parts", "characters", "missed", "removed",
    "kept", "input_tokens", "output_tokens", "cache_creation_input_tokens",
    "cache_read_input_tokens", "us",
)  # fmt: skip
_NUMBER = ("used", "pressure", "remaining")
_FLAG = ("ok", "interrupted", "changed", "continued", "inferred", "enabled", "done")
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
    """Give a text as an SQL literal, or with `"` as a name."""
    return mark + text.replace(mark, mark * 2) + mark


def joined(*parts: str) -> str:
    """Put SQL together of our own words and of names and texts that were quoted."""
    return " ".join(parts)


def json_columns(names: Iterable[str] = COLUMNS) -> str:
    """Give the columns in the form `read_json` takes them."""
    return "{" + ",".join(quoted(name, '"') + f":'{COLUMNS[name]}'" for name in names) + "}"
