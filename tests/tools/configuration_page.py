"""Write docs/configuration.md from the schema.

Invariant: the page is exactly what `manual` returns; a test compares them.
To write it: `python -m tests.tools.configuration_page > docs/configuration.md`.
"""

from __future__ import annotations

import sys

from journal.config import HOME_FILE, PROJECT_FILE
from journal.config.kinds import toml
from journal.config.schema import SETTINGS, Setting

_PROJECT = {
    "free": "any value",
    "only_off": "may switch off",
    "only_lower": "may lower",
    "only_raise": "may raise",
    "never": "no",
}

_HEAD = f"""\
# Configuration

<!-- Made by `python -m tests.tools.configuration_page` from journal/config/schema.py; edit that. -->

No configuration is needed. Settings are read from two files:

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

The project's file comes with the repository, so it is not trusted: it can adjust settings or switch
things off, but it cannot extend what is captured, written or sent. The column "project" shows what
it may do with each setting. Invalid entries are ignored and reported with their line and a likely
correction; the setting then keeps its previous value. A file that is not TOML, a project's file that
is a symbolic link, and any file over 256 KiB are ignored.

`journal config set pressure.info 0.65` edits your file, keeps comments, and rejects invalid values.
After an edit by hand, run `journal config check`. `journal config show` prints every setting, its
value and its source.

Changes take effect with the next hook call; no restart is needed.
"""

_CLIENT = """
## Settings of Claude Code

To compute the compaction threshold, the journal reads `settings.json` in Claude Code's directory,
then `.claude/settings.json` and `.claude/settings.local.json` of the project; a later file
overrides an earlier one. It uses `autoCompactWindow`, `autoCompactEnabled`, and the variables in
`env` that affect the threshold. `cleanupPeriodDays`, from the first file only, says when Claude Code
deletes transcripts; `journal import` warns you a week before.
"""


def manual() -> str:
    """Return the page."""
    parts = [_HEAD]
    tables: dict[str, list[Setting]] = {}
    for key, setting in SETTINGS.items():
        tables.setdefault(key.rpartition(".")[0], []).append(setting)
    for table, rows in tables.items():
        parts.append(f"\n## [{table}]\n")
        parts.append("\n| key | default | values | project | meaning |\n|---|---|---|---|---|\n")
        parts.extend(_line(row) for row in rows)
    parts.append(_CLIENT)
    return "".join(parts)


def _line(setting: Setting) -> str:
    name = setting.key.rpartition(".")[2]
    default = f"`{toml(setting.default)}`"
    rule = _PROJECT[setting.rule]
    return f"| `{name}` | {default} | {setting.kind} | {rule} | {setting.text} |\n"


if __name__ == "__main__":
    sys.stdout.write(manual())
