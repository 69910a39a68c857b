"""Writes docs/cli.md from the table of commands: `python -m cli.manual > docs/cli.md`.

Invariant: the page says what `--help` says, because both are made from the same rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli import command as commands

if TYPE_CHECKING:
    from cli.table import Command, Param

__all__ = ["page"]

_HEAD = """# The `journal` command

<!-- Written by `python -m cli.manual > docs/cli.md`; a test holds it to the commands. -->

Every reading command takes `--project DIR` (by default the project one stands in) and `--json`.
With `--json` stdout holds JSON and nothing else: an array of objects for a list, an object for a
view. The members of an event are those of its record.

A writing command belongs to the session in `--session`, else `JOURNAL_SESSION`, else
`CLAUDE_CODE_SESSION_ID`, else to no session, which is said on stderr. Views of one session are
those of `--session`, else of the session the command runs in, else of all.

| exit code | means |
|---|---|
| 0 | in order |
| 1 | findings: something in the journal, an answer or the installation is not as it should be |
| 2 | the command was not called as it can be |
| 3 | the journal, or a file, cannot be read or written |

An error is `journal: error: PATH:LINE: what`, an excerpt where there is one, and what to do next
([all of them](errors.md)). `JOURNAL_DEBUG=1` adds the traceback of an unexpected one. `COLUMNS` and
`NO_COLOR` are heeded; `JOURNAL_NOW` (ISO 8601) fixes the clock.
"""


def page() -> str:
    """Give the whole page."""
    parts = [_HEAD]
    group = ""
    for row in commands.rows():
        if row.group != group:
            group = row.group
            parts.append(f"## {group}\n")
        parts.append(_command(row))
    return "\n".join(parts)


def _command(row: Command) -> str:
    summary, _, rest = row.help.partition("\n\n")
    arguments = [_argument(param) for param in row.params if not param.flags]
    lines = [f"### `{' '.join(['journal', row.name, *arguments])}`", "", summary]
    if rest:
        lines += ["", rest]
    if row.params:
        lines += ["", "| | |", "|---|---|"]
        lines += [f"| `{_shown(param)}` | {_help(param)} |" for param in row.params]
    return "\n".join(lines) + "\n"


def _argument(param: Param) -> str:
    name = param.metavar or param.name.upper()
    return f"{name}..." if param.kind == "texts" else name


def _shown(param: Param) -> str:
    if not param.flags:
        return _argument(param)
    if param.kind == "flag":
        return ", ".join(param.flags)
    value = "\\|".join(param.words) or param.metavar.replace("|", "\\|") or "N"
    return f"{', '.join(param.flags)} {value}"


def _help(param: Param) -> str:
    needed = " Required." if param.required and param.flags else ""
    return param.help.replace("|", "\\|") + needed


if __name__ == "__main__":
    print(page(), end="")
