"""Write docs/sql.md from the tables.

Invariant: the page and `journal schema` use the same rows; a test compares them.
To write it: `python -m tests.tools.sql_page > docs/sql.md`.
"""

from __future__ import annotations

from cli.sql.schema import tables_page
from journal.history.tables.schema import TABLES

_HEAD = """# Query history with SQL

<!-- Written by `python -m tests.tools.sql_page > docs/sql.md`; a test compares it with the tables. -->

`journal sql QUERY` runs a query in the SQL of
[DuckDB](https://duckdb.org/docs/stable/sql/introduction) over the journals of all projects on this
machine; `--project DIR` selects one of them. `journal schema` prints the tables below.

```sh
journal sql "select project, count(*) n, avg(lead_seconds) lead, count(*) filter (heeded) heeded
             from compactions where done group by 1 order by n desc"
journal sql "select tool, count(*) n, sum(ms)/1000 as seconds from tools
             where ts > now() - interval 7 day group by 1 order by seconds desc"
journal sql --param text=%parser% "from turns where text ilike \\$text" --json
journal sql "select record->>'what' what, count(*) n from events
             where type = 'advice.given' group by 1"
```

- **Output**: a table as wide as the terminal; if the columns do not fit, each row is printed as one
  line per value. `--json`, `--csv`, `--markdown` and `--parquet FILE` select another format. If a
  query has several statements, the rows of the last one are printed. In CSV, a text that a
  spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break) gets
  a `'` in front; numbers do not change.
- **Query**: an argument, `--file FILE`, or `-` for stdin. `$NAME` is replaced by the text of
  `--param NAME=VALUE`; write `$n::int` for a number. In a terminal, `journal sql` without a query
  opens a prompt: end a statement with `;`, or type `.tables`, `.schema TABLE` or `.quit`. The
  prompt stores its history in `sql_history` in the journal home.
- **Read only**: a query can read only the journals. It cannot access the network, load extensions
  or change settings; it can create tables, views and macros in memory. `--unsafe` removes these
  limits.
- **Damage**: only records with a valid checksum become rows. Torn and corrupt lines are skipped and
  reported on stderr. The exit code is 1 while records are missing that `journal repair` has not
  accounted for. A hook call that was recorded twice is one row.
- **Imported sessions** are in the same tables, with `imported` true. No fact is counted twice:
  if hooks recorded a session that was also imported, `events` has its prompts, turns, tool calls,
  subagents and compactions from the log that has more of them, like `journal events`.
- **A turn** is a prompt with everything up to its last end, also where Stop hooks make Claude
  continue. A slash command that Claude answers begins one, and so does a background task that
  wakes Claude, which is no prompt of `sessions.prompts`. Commands of Claude Code itself
  (`/compact`) and subagents have none. `sessions.turns` counts the turns that ended. `turns` also
  has those that you interrupted, and splits a turn in which Claude read another prompt: the rows
  before the last one are `cut`.
- **Times** are in UTC, including `now()`. For local time write
  `ts::timestamptz at time zone 'Asia/Tokyo'`, for the local day
  `date_trunc('day', ts::timestamptz at time zone 'Asia/Tokyo')`. JSON and CSV print every time with
  the `Z` of UTC; turn a local one into a text or a date there, with `::varchar` or `::date`.
- **Speed**: the first query that needs a table reads the log and stores the rows as Parquet under
  `cache/` in the journal home; later queries read only new events. You can delete `cache/` at any
  time.
"""


def page() -> str:
    """Return the whole page."""
    return _HEAD + "\n" + tables_page(TABLES)


if __name__ == "__main__":
    print(page(), end="")
