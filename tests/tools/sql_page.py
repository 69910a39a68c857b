"""Write docs/sql.md from the tables.

Invariant: the page and `journal schema` use the same rows; a test compares them.
To write it: `python -m tests.tools.sql_page > docs/sql.md`.
"""

from __future__ import annotations

from cli.sql.schema import tables_page
from journal.history.tables.schema import TABLES

_HEAD = """# History in SQL

<!-- Written by `python -m tests.tools.sql_page > docs/sql.md`; a test compares it with the tables. -->

`journal sql QUERY` runs a query in the SQL of
[DuckDB](https://duckdb.org/docs/stable/sql/introduction) over the journals of all projects on this
machine; `--project DIR` names one of them. `journal schema` prints the tables below.

```sh
journal sql "select project, count(*) n, avg(lead_seconds) lead, count(*) filter (heeded) heeded
             from compactions where done group by 1 order by n desc"
journal sql "select tool, count(*) n, sum(ms)/1000 as seconds from tools
             where ts > now() - interval 7 day group by 1 order by seconds desc"
journal sql --param text=%parser% "from turns where text ilike \\$text" --json
journal sql "select record->>'what' what, count(*) n from events
             where type = 'advice.given' group by 1"
```

- **Output**: a table as wide as the terminal; where the columns do not fit, one line for each value
  of a row. `--json`, `--csv`, `--markdown` and `--parquet FILE` choose another form. A query of
  several statements prints the rows of the last one. In CSV, a text that a spreadsheet would run
  as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break) gets a `'` in front;
  numbers stay as they are.
- **Query**: an argument, `--file FILE`, or `-` for stdin. `$NAME` stands for the text given by
  `--param NAME=VALUE`; write `$n::int` for a number. On a terminal, `journal sql` without a query
  opens a prompt: end a statement with `;`, or type `.tables`, `.schema TABLE` or `.quit`. The
  prompt stores its history in `sql_history` in the journal home.
- **Read only**: a query opens no file but the journals' own, uses no network, loads no extension
  and changes no setting. It may create tables, views and macros in memory. `--unsafe` lifts these
  limits.
- **Damage**: a row is a record whose checksum passes. Torn and corrupt lines are left out and
  stop no query; stderr says how many there are. The exit code is 1 while records are missing that
  no `journal repair` has accounted for. A hook call that was recorded twice is one row.
- **Imported sessions** are in the same tables, with `imported` true, each fact once. `events` has
  the events that `journal events` shows: of a session in both logs, prompts, turns, tool calls,
  subagents and compactions from the log that saw more of it, and what hooks alone know.
- **Times** are UTC, `now()` too. A local time: `ts::timestamptz at time zone 'Asia/Tokyo'`; its
  day: `date_trunc('day', ts::timestamptz at time zone 'Asia/Tokyo')`.
- **Speed**: the first query that needs a table reads the log and stores the table's rows as Parquet
  under `cache/` in the journal home; later queries read only what was appended since. You can
  delete `cache/` at any time.
"""


def page() -> str:
    """Return the whole page."""
    return _HEAD + "\n" + tables_page(TABLES)


if __name__ == "__main__":
    print(page(), end="")
