"""The members of records that tables use: their types, and SQL to read them.

Invariant: a member of another type becomes NULL, not an error and not a lost row; `record` of the
table `events` is always the record exactly as in the log.
"""

from collections.abc import Iterable, Mapping

_TEXTS = (
    "type", "sid", "agent", "prompt", "key", "cwd", "branch", "tool", "use", "target", "subject",
    "tests", "error", "origin", "text", "message", "source", "model", "previous", "title", "reason",
    "summary", "what", "level", "channel", "hook", "cycle", "stage", "unit", "item", "request",
    "at", "file", "speed", "via",
)  # fmt: skip
_INTEGERS = (
    "v", "ms", "input_size", "output_size", "size", "tokens", "point", "window", "limit", "part",
    "characters", "missed", "input_tokens", "output_tokens", "cache_creation_input_tokens",
    "cache_creation_1h_input_tokens", "cache_read_input_tokens", "us",
)  # fmt: skip
_DOUBLES = ("used", "pressure", "remaining")
_BOOLEANS = ("interrupted", "changed", "inferred", "enabled", "done", "short")
_OTHER = {"skipped": "VARCHAR[]", "paths": "VARCHAR[]", "items": "JSON", "metrics": "JSON"}

COLUMNS: dict[str, str] = {
    "seq": "BIGINT", "ts": "TIMESTAMP",
    **dict.fromkeys(_TEXTS, "VARCHAR"), **dict.fromkeys(_INTEGERS, "BIGINT"),
    **dict.fromkeys(_DOUBLES, "DOUBLE"), **dict.fromkeys(_BOOLEANS, "BOOLEAN"), **_OTHER,
}  # fmt: skip


def kinds_of(text: str) -> dict[str, str]:
    """Return name → type of the columns that a text lists as `name TYPE, name TYPE`."""
    return dict(column.split() for column in text.split(","))


def literal(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literals(texts: Iterable[str]) -> str:
    """Return texts as an SQL list of literals."""
    return "[" + ",".join(map(literal, texts)) + "]"


def picked(column: str, values: Mapping[str, str]) -> str:
    """Build SQL that picks one of some SQL values by the text in a column; NULL for other texts."""
    pairs = ", ".join(f"{literal(name)}: {value}" for name, value in values.items())
    return f"(map {{{pairs}}})[{column}]" if pairs else "null"
