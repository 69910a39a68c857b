"""Write docs/cli.md from the application: `python -m tests.tools.cli_page > docs/cli.md`.

Invariant: the page says what `--help` says, because both read the same commands.
"""

from __future__ import annotations

import sys
from typing import Any

from cli.app import command
from cli.manual import argument_of, commands, usage_of

_HEAD = """# The `journal` command

<!-- Written by `python -m tests.tools.cli_page > docs/cli.md`; a test compares it with the commands. -->

Every reading command takes `--project DIR` (default: the project of the current directory) and
`--json`. With `--json`, stdout is JSON and nothing else: an array of objects for a list, an object
for a view. An event has the members of its record.

A writing command belongs to the session in `--session`, else `JOURNAL_SESSION`, else
`CLAUDE_CODE_SESSION_ID`, else to no session; then a line on stderr says so. A view of one session
shows the session in `--session`, else the one the command runs in, else all sessions.

| exit code | means |
|---|---|
| 0 | OK |
| 1 | the command found a problem in the journal, in a message, or in the installation |
| 2 | wrong usage |
| 3 | the journal or a file cannot be read or written |

An error is `journal: error: PATH:LINE: what`, an excerpt if there is one, and what to do next
([all errors](errors.md)). `JOURNAL_DEBUG=1` adds the traceback of an unexpected error. The commands
respect `COLUMNS` and `NO_COLOR`; `JOURNAL_NOW` (ISO 8601) sets the clock.

`journal --install-completion` installs completion for your shell (bash, zsh, fish). `journal help
COMMAND` prints the help of a command, `man journal` (after `journal setup`) that of all of them.
"""


def page() -> str:
    """Return the whole page."""
    parts = [_HEAD]
    heading = ""
    for panel, name, found in commands(command()):
        if panel != heading:
            heading = panel
            parts.append(f"## {panel}\n")
        parts.append(_command(name, found))
    return "\n".join(parts)


def _command(name: str, found: Any) -> str:
    summary, _, rest = str(found.help).partition("\n\n")
    lines = [f"### `{usage_of(name, found)}`", "", " ".join(summary.split())]
    if rest:
        lines += ["", " ".join(rest.split())]
    if found.params:
        lines += ["", "| | |", "|---|---|"]
        lines += [f"| `{_shown(param)}` | {_help(param)} |" for param in found.params]
    return "\n".join(lines) + "\n"


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
