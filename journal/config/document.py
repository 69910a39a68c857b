"""Write docs/configuration.md from the schema.

Invariant: the page is exactly what `manual` returns; a test compares them.
To write it: `python -m journal.config.document > docs/configuration.md`.
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

Everything works without a configuration. You can add two files:

- `{HOME_FILE}` in the journal home (`$JOURNAL_HOME`, else `journal/` in Claude Code's directory,
  which is `$CLAUDE_CONFIG_DIR` or `~/.claude`): your settings for all projects.
- `{PROJECT_FILE}` in the root of a project: settings of that project, on top of yours.

```toml
[pressure]
info = 0.65              # warn earlier

[compound]
phases = ["implement", "debug", "review", "release"]

[capture]
level = "minimal"        # sizes and outcomes, no text
```

The project's file comes with the repository, so the journal does not trust it: it can adjust and
switch off, but never extend what is captured, written or sent. The column "project" says what it
may do with each key. The journal ignores and reports anything else, and any other mistake, with its
line and the likely correction. A mistake never stops the journal: the key keeps its old value. The
journal ignores a file that is not TOML, so run `journal config` after an edit. It does not read a
project's file that is a symbolic link, nor any file over 256 KiB.

A change is in effect from the next hook call on; nothing needs a restart.
"""

_CLIENT = """
## Settings of Claude Code

To compute the compaction threshold, the journal reads `settings.json` in Claude Code's directory,
then `.claude/settings.json` and `.claude/settings.local.json` of the project; a later file
overrides an earlier one. It uses `autoCompactWindow`, `autoCompactEnabled`, `cleanupPeriodDays`,
and the variables of `env` that move the threshold.
"""


def manual() -> str:
    """Return the page."""
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
