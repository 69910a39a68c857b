"""The manual page of the configuration, made from the schema.

Invariant: docs/configuration.md is exactly what `manual` gives; a test compares them.
To write it anew: `python -m journal.config.document > docs/configuration.md`.
"""

from __future__ import annotations

import sys

from journal.config.schema import HOME_FILE, PROJECT_FILE, SCHEMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.config.schema import Row

__all__ = ["manual"]

_PROJECT = {
    "free": "any value",
    "only_off": "may switch off",
    "only_lower": "may lower",
    "only_raise": "may raise",
    "never": "no",
}

_HEAD = f"""\
# Configuration

<!-- Made by `python -m journal.config.document` from journal/config/schema.py; edit that. -->

Two files may exist; neither does by default, and everything works without them.

- `{HOME_FILE}` in the journal home (`$JOURNAL_HOME`, else `journal/` in the client's directory,
  which is `$CLAUDE_CONFIG_DIR` or `~/.claude`): yours, for all projects.
- `{PROJECT_FILE}` in a project's root: for that project, on top of yours.

```toml
[pressure]
info = 0.65              # tell me earlier

[compound]
phases = ["implement", "debug", "review", "release"]

[capture]
level = "minimal"        # sizes and outcomes, no text
```

The project's file comes with the repository, so it is not trusted: it may tune and quieten,
never widen what is captured, written or sent. The tables below say per key what it may do. What it
may not do is not done and is reported; so is any other mistake, with its line and what was probably
meant. A mistake never stops the journal: that key keeps the value it had. A file that is not TOML
counts as absent, so `journal doctor` is worth a look after an edit. A project's file that is a
symbolic link, and any file over 256 KiB, is not read.

Changes are seen by the next hook call; nothing needs to be restarted.
"""

_CLIENT = """
## Taken from the client's own settings

To compute where the client compacts, `settings.json` in its directory, then the project's
`.claude/settings.json` and `.claude/settings.local.json` are read, a later one overriding:
`autoCompactWindow`, `autoCompactEnabled`, `cleanupPeriodDays`, and of `env` the variables that move
the compaction point.
"""


def manual() -> str:
    """Give the page as Markdown."""
    parts = [_HEAD]
    tables: dict[str, list[Row]] = {}
    for row in SCHEMA:
        tables.setdefault(row[0].rpartition(".")[0], []).append(row)
    for table, rows in tables.items():
        parts.append(f"\n## [{table}]\n")
        parts.append("\n| key | default | values | project | meaning |\n|---|---|---|---|---|\n")
        parts.extend(_line(row) for row in rows)
    parts.append(_CLIENT)
    return "".join(parts)


def _line(row: Row) -> str:
    key, _, default, _, rule, meaning = row
    name = key.rpartition(".")[2]
    return f"| `{name}` | `{_toml(default)}` | {_values(row)} | {_PROJECT[rule]} | {meaning} |\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value)


def _values(row: Row) -> str:
    kind, limits = row[1], row[3]
    if kind == "switch":
        return "true, false"
    if kind == "word":
        return ", ".join(f"`{_toml(word)}`" for word in limits)
    if kind == "names":
        return f"up to {limits[0]} names"
    single = "".join(f", or {value}" for value in limits[2:])
    return f"{limits[0]:,} to {limits[1]:,}{single}"


if __name__ == "__main__":
    sys.stdout.write(manual())
