"""Writes docs/sql.md from the tables: `python -m cli.sql.page > docs/sql.md`.

Invariant: the page says what `journal schema` says, because both are made from the same rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.tables.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from journal.history.tables.schema import Table

__all__ = ["page", "tables_page"]

_HEAD = """# History in SQL

<!-- Written by `python -m cli.sql.page > docs/sql.md`; a test holds it to the tables. -->

`journal sql QUERY` asks all journals of this machine (`--project DIR`: one of them) in the SQL of
[DuckDB](https://duckdb.org/docs/stable/sql/introduction). `journal schema` prints what follows.

```sh
journal sql "select project, count(*) n, avg(lead_seconds) lead, count(*) filter (heeded) heeded
             from compactions where done group by 1 order by n desc"
journal sql "select tool, count(*) n, sum(ms)/1000 seconds from tools where ts > now()::timestamp -
             interval 7 day group by 1 order by seconds desc"
journal sql --param text=%parser% "from turns where text ilike \\$text" --json
journal sql "select record->>'what' what, count(*) from events
             where type = 'advice.given' group by 1"
```

- Output: a table that fits the terminal (a row as lines of its own where the columns do not fit),
  `--json`, `--csv`, `--markdown`, `--parquet FILE`. Of several statements the last one's rows.
- Query: as an argument, `--file FILE`, or `-` for stdin; `$NAME` stands for `--param NAME=VALUE`,
  a text that is compared as what it is compared with (`$n::int` to reckon with it).
  On a terminal without a query there is a prompt: a statement ends in `;`, `.tables`,
  `.schema TABLE`, `.quit`. Its history is `sql_history` in the journal home.
- A query reads and does nothing else: no file but the journals, no network, no extension, no
  setting. `CREATE TABLE`, `VIEW` and `MACRO` in memory are allowed. `--unsafe` lifts all of this.
- A row is a record whose checksum passes. Torn and corrupt lines are no rows and fail no query:
  their number is said on stderr, and where something is lost that no repair has named, the exit
  code is 1. A hook call that was recorded twice is one row.
- What `journal import` took from transcripts is in the same tables with `imported` true; where
  a hook told the same fact, its row is the one that counts.
- Sealed segments are kept as Parquet under `cache/` in the journal home. It can be deleted.
- Times are UTC. `events.record` is read from the log itself, so a query that names it takes longer.
"""


def page() -> str:
    """Give the whole page."""
    return _HEAD + "\n" + tables_page(TABLES)


def tables_page(tables: Mapping[str, Table]) -> str:
    """Give tables as Markdown."""
    parts = []
    for name, item in tables.items():
        rows = [
            f"| `{column.name}` | {column.type} | {column.comment.replace('|', chr(92) + '|')} |"
            for column in item.columns
        ]
        parts.append(
            "\n".join(
                [
                    f"## {name}",
                    "",
                    item.comment,
                    "",
                    "| column | type | |",
                    "|---|---|---|",
                    *rows,
                    "",
                ]
            )
        )
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
