"""Read the application's click commands, for `journal help` and the pages made of them."""

from collections.abc import Iterator, Sequence
from typing import Any

from journal.errors import UsageError
from journal.suggest import suggestion
from journal.text import one_line


def subcommands(found: Any) -> dict[str, Any]:
    """Return the commands of a group by name; none of a single command."""
    return dict(getattr(found, "commands", {}))


def commands(top: Any) -> Iterator[tuple[str, str, Any]]:
    """Return (heading, name as typed, click command) of every command, in the order of the help."""
    panels: dict[str, list[tuple[str, Any]]] = {}
    for name, found in subcommands(top).items():
        rows = panels.setdefault(str(found.rich_help_panel), [])
        rows += [(f"{name} {n}", c) for n, c in subcommands(found).items()] or [(name, found)]
    for panel, rows in panels.items():
        for name, found in rows:
            yield panel, name, found


def help_of(top: Any, words: Sequence[str]) -> str:
    """Return the help of a command, of all commands for no words.

    top: click context of the application. Raises UsageError for a command that does not exist.
    """
    context = top
    for word in words:
        below = subcommands(context.command)
        if word not in below:
            remedy = suggestion(word, below) or "journal help lists the commands"
            raise UsageError(f"there is no command {one_line(' '.join(words))}", remedy)
        found = below[word]
        context = type(top)(found, info_name=word, parent=context, **found.context_settings)
    return str(context.get_help())


def usage_of(name: str, found: Any) -> str:
    """Return a command as it is typed: `journal get [SELECTOR]...`."""
    arguments = [argument_of(p) for p in found.params if p.param_type_name == "argument"]
    return " ".join(["journal", name, *arguments])


def argument_of(param: Any) -> str:
    """Return an argument as help prints it: `[SELECTOR]...`."""
    name = str(param.metavar) if param.required else f"[{param.metavar}]"
    return f"{name}..." if param.nargs == -1 else name
