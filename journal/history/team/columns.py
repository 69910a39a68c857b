"""The columns of the team's tables, their pinned types, and which rows count.

Invariant: rows are only added. A fact (FACTS) is added once and final. Of the others, rows that
belong together share a `part`, and those of the newest `version` of a part count: `current`.
"""

from journal.history.export.columns import TIMES, select_of
from journal.history.tables.schema import TABLES
from journal.history.usage import TOKENS

FACTS = ("events", "tools", "pressure", "advice")
"""Tables whose rows never change; the rest has `part` and `version`."""

DELTA_TYPES = {
    "VARCHAR": "string",
    "BIGINT": "long",
    "DOUBLE": "double",
    "BOOLEAN": "boolean",
    "TIMESTAMPTZ": "timestamp",
}
"""Types of DuckDB → of Delta. Lists are of texts."""

# The rows that are replaced together, and what shows which are newer. The local table has one row
# per reply; if a reply has grown since, its row is exported again, perhaps from another project.
_PARTS = {
    "stages": "project || '/' || coalesce(cycle, '')",
    "usage": "coalesce(md5(reply), project || '/' || imported || '/' || seq)",
}
_PART = "project || '/' || coalesce(session, '')"
_VERSIONS = {"usage": "output_tokens * 4294967296 + hash(project, seq) % 4294967296"}


def team_columns(table: str) -> list[tuple[str, str]]:
    """Return name and DuckDB type of a table's columns, the month it is divided by at the end."""
    found = [(column.name, column.type) for column in TABLES[table].columns]
    if table == "usage":
        found += [("rebuilt", "BOOLEAN"), ("own", "BOOLEAN")]
        found += [(f"compact_{name}", "BIGINT") for name in TOKENS]
    found += [("author", "VARCHAR"), ("host", "VARCHAR")]
    if table not in FACTS:
        found += [("part", "VARCHAR"), ("version", "BIGINT")]
    found.append(("month", "VARCHAR"))
    return [
        (name, {"JSON": "VARCHAR", "TIMESTAMP": "TIMESTAMPTZ"}.get(kind, kind))
        for name, kind in found
    ]


def rows_of(table: str, source: str, level: str, author: str, host: str, version: str) -> str:
    """Build the SELECT of a table's rows as they leave the machine.

    source: SQL of the rows to take. version: SQL of a project's version.
    """
    more = ""
    if table not in FACTS:
        part, version = _PARTS.get(table, _PART), _VERSIONS.get(table, version)
        more = f", {part} as part, ({version})::bigint as version"
    if table == "usage":
        more += ", rebuilt, own" + "".join(f", compact_{name}" for name in TOKENS)
    chosen = select_of(table, level, author, host)
    month = f"coalesce(strftime(\"{TIMES[table]}\", '%Y-%m'), '0000-00') as month"
    inner = f"select project, {chosen} {more}, {month} from {source}"
    pinned = ",".join(f'"{name}"::{kind} as "{name}"' for name, kind in team_columns(table))
    return f"select {pinned} from ({inner})"


def current(table: str) -> str:
    """Build SQL of the rows of a table that count; it is valid in every engine."""
    if table in FACTS:
        return f"select * from {table}"
    place = "rank() over (partition by origin_id, part order by version desc) as place"
    return f"select * from (select *, {place} from {table}) newest where place = 1"
