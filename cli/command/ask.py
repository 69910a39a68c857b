"""Commands that ask history: SQL over all journals."""

from __future__ import annotations

from cli.table import JSON, PROJECT, Command, Param

__all__ = ["ROWS"]

_ONE = PROJECT._replace(help="Only this project: its directory, or the name of its journal.")
_MARKDOWN = Param("markdown", "flag", "Print a Markdown table.", ("--markdown",))

ROWS = (
    Command(
        "sql",
        "Look",
        "cli.sql.command:sql",
        "Ask the journals of all projects in SQL.\n\n"
        "Tables: events, sessions, turns, tools, pressure, compactions, advice, stages, usage, "
        "hooks; `journal schema` describes them. Without a query there is a prompt.",
        (
            Param("query", "text", "The query; - reads it from stdin.", metavar="[QUERY]"),
            Param("file", "text", "Read the query from a file.", ("--file",), "FILE"),
            Param(
                "param",
                "texts",
                "Value of $NAME in the query; may be given again.",
                ("--param",),
                "NAME=VALUE",
            ),
            Param("csv", "flag", "Print CSV.", ("--csv",)),
            _MARKDOWN,
            Param("parquet", "text", "Write the rows to a Parquet file.", ("--parquet",), "FILE"),
            Param(
                "unsafe",
                "flag",
                "Let the query read and write files, change settings, load extensions.",
                ("--unsafe",),
            ),
            _ONE,
            JSON,
        ),
    ),
    Command(
        "schema",
        "Look",
        "cli.sql.command:schema",
        "The tables of journal sql, and what their columns hold.",
        (
            Param("name", "text", "Only this table.", metavar="[TABLE]"),
            _MARKDOWN,
            JSON,
        ),
    ),
    Command(
        "export",
        "Care",
        "cli.export.command:run",
        "Write history as Parquet files by table, project and month.\n\n"
        "For DuckDB, Spark, ClickHouse, Trino. Only what changed since the last time is written. "
        "docs/export.md has examples.",
        (
            Param(
                "to",
                "text",
                "A directory, or a URL such as s3://BUCKET/PREFIX.",
                ("--to",),
                "DIR|URL",
                required=True,
            ),
            Param(
                "redact",
                "word",
                "full (the default): no text, no path; paths: paths without "
                "their folders; none: as in the journal, where secrets are redacted.",
                ("--redact",),
                words=("full", "paths", "none"),
            ),
            Param("author", "text", "Put this name in the column author.", ("--author",), "NAME"),
            Param("host", "text", "Put this name in the column host.", ("--host",), "NAME"),
            Param(
                "dry_run", "flag", "Say what would be written, and write nothing.", ("--dry-run",)
            ),
            _ONE,
            JSON,
        ),
    ),
)
