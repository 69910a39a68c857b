"""The columns that are exported, and how each redaction level changes them.

Invariant: columns and types are the same at every level, with and without author and host, so that
files of different people and times form one table.
"""

from typing import Any

from journal.history.tables.columns import identifier, literal
from journal.history.tables.schema import TABLES, Column
from journal.redaction import redact

VERSION = 3
"""Raise it when a column changes: files of another version are written again."""

LEVELS = ("full", "paths", "none")

# The column whose month decides the file of a row.
TIMES = {
    "events": "ts",
    "sessions": "started",
    "turns": "started",
    "tools": "ts",
    "pressure": "ts",
    "compactions": "ts",
    "advice": "ts",
    "stages": "started",
    "usage": "ts",
    "hooks": "first",
}

# Columns with text that a person or a program wrote, or with paths.
_TEXTS = {
    "events": ("key", "cwd", "branch", "record"),
    "sessions": ("title", "branch"),
    "turns": ("text", "error"),
    "tools": ("target", "subject", "error", "branch"),
    "compactions": ("dropped_paths", "dropped_decisions", "dropped_items"),
    "advice": ("reason",),
    "stages": ("reason", "metrics"),
    "usage": ("source", "branch"),
}
_PATH = r"(?:[A-Za-z]:)?[\w.~@+-]*(?:[/\\]+[\w.~@+-]+)*[/\\]+([\w.@+-]+)"
_SHORT = r"…/\1"


class ExportOptions:
    """Options of the command: redaction level; person, author and host ("" for none)."""

    def __init__(
        self, level: str = "full", author: str = "", host: str = "", person: str = ""
    ) -> None:
        self.level = level
        self.person = redact(person)
        self.author = redact(author)
        self.host = redact(host)

    @property
    def identity(self) -> list[Any]:
        """Return the values that a file depends on besides its rows."""
        return [VERSION, self.level, self.author, self.host, self.person]


def select_of(table: str, level: str, author: str, host: str) -> str:
    """Build the SELECT list of a table at a redaction level."""
    parts = [
        f"{_value(table, column, level)} as {identifier(column.name)}"
        for column in TABLES[table].columns
        if column.name != "project"
    ]
    for name, value in (("author", author), ("host", host)):
        parts.append(f"{literal(value) if value else 'null'}::VARCHAR as {name}")
    return ", ".join(parts)


def _value(table: str, column: Column, level: str) -> str:
    name = identifier(column.name)
    kind = "VARCHAR" if column.type == "JSON" else column.type
    if level == "none" or column.name not in _TEXTS.get(table, ()):
        return f"{name}::{kind}"
    if level == "full" or column.type == "JSON":
        return f"null::{kind}"
    if kind == "VARCHAR[]":
        return f"list_transform({name}, lambda t: {_shortened('t')})"
    return _shortened(name)


def _shortened(name: str) -> str:
    """Build SQL that shortens every path in a text to its last part."""
    return f"regexp_replace({name}, {literal(_PATH)}, {literal(_SHORT)}, 'g')"
