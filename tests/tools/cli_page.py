"""Write docs/cli.md from the application: `python -m tests.tools.cli_page > docs/cli.md`.

Invariant: the page says what `--help` says, because both read the same commands.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from cli.app import command
from cli.manual import argument_of, commands, usage_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEAD = """# The `journal` command

<!-- Written by `python -m tests.tools.cli_page > docs/cli.md`; a test compares it with the commands. -->

Every command with its options, as `--help` prints them. `journal help COMMAND` prints the help of
one command, and `man journal` (after `journal setup`) that of all commands. `journal
--install-completion` installs completion for your shell (bash, zsh, fish).

With `--json`, a list is an array of objects, and a view is an object. An event has the members of
its record.

A command that writes uses the session in `--session`, else `JOURNAL_SESSION`, else
`CLAUDE_CODE_SESSION_ID`. If none is set, it records for no session and says so on stderr. A view of
one session shows the session in `--session`, else the one the command runs in, else all sessions.

| exit code | meaning |
|---|---|
| 0 | OK |
| 1 | the command found a problem in the journal, in a message, or in the installation |
| 2 | wrong usage |
| 3 | the journal or a file cannot be read or written |

An error is `journal: error: PATH:LINE: what`, an excerpt if there is one, and what to do next
([all errors](errors.md)). `JOURNAL_DEBUG=1` adds the traceback of an unexpected error. The commands
respect `COLUMNS` and `NO_COLOR`; `JOURNAL_NOW` (ISO 8601) sets the clock.

Many commands share these options:
"""
_MANY = 10  # commands that take the same option


def page() -> str:
    """Return the whole page."""
    every = list(commands(command()))
    count = Counter(_row(param) for _, _, found in every for param in found.params)
    shared = {row for row, times in count.items() if times >= _MANY}
    parts = [_HEAD, _table(row for row in count if row in shared)]
    heading = ""
    for panel, name, found in every:
        if panel != heading:
            heading = panel
            parts.append(f"## {panel}\n")
        parts.append(_command(name, found, shared))
    return "\n".join(parts)


def _command(name: str, found: Any, shared: set[str]) -> str:
    summary, _, rest = str(found.help).partition("\n\n")
    parts = [f"### `{usage_of(name, found)}`\n", " ".join(summary.split()) + "\n"]
    if rest:
        parts.append(" ".join(rest.split()) + "\n")
    rows = [_row(param) for param in found.params]
    if own := [row for row in rows if row not in shared]:
        parts.append(_table(own))
    if common := [
        param.opts[0] for param, row in zip(found.params, rows, strict=True) if row in shared
    ]:
        parts.append(f"Shared options: {', '.join(f'`{each}`' for each in common)}.\n")
    return "\n".join(parts)


def _table(rows: Iterable[str]) -> str:
    return "\n".join(["| | |", "|---|---|", *rows]) + "\n"


def _row(param: Any) -> str:
    return f"| `{_shown(param)}` | {_help(param)} |"


def _shown(param: Any) -> str:
    if param.param_type_name == "argument":
        return argument_of(param)
    value = "" if param.is_flag else f" {param.metavar}"
    return f"{', '.join(param.opts)}{value}".replace("|", "\\|")


def _help(param: Any) -> str:
    needed = " Required." if param.required and param.param_type_name == "option" else ""
    return str(param.help).replace("|", "\\|") + needed


if __name__ == "__main__":
    sys.stdout.write(page())
