"""Read the application's click commands, for `journal help`, the man page and the other pages."""

from collections.abc import Iterator, Sequence
from typing import Any

from journal.errors import UsageError
from journal.text import one_line, suggestion

_NAME = "journal \\- event-sourced journal for Claude Code"
OTHER_WORDS = {
    **dict.fromkeys(("list", "ls", "history", "past", "recent", "today", "resume"), "sessions"),
    **dict.fromkeys(("log", "logs", "tail"), "events"),
    **dict.fromkeys(("find", "grep"), "search"),
    **dict.fromkeys(("cost", "costs", "tokens", "spend"), "usage"),
    **dict.fromkeys(("decision", "decisions"), "decide"),
    **dict.fromkeys(("read", "cat", "open"), "show"),
    **dict.fromkeys(("ui", "web", "page"), "serve"),
}
"""Words that people try instead of a command → the command."""
_CODES = (("0", "OK"), ("1", "a problem was found"), ("2", "wrong usage"), ("3", "cannot read"))


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


def meant(word: str) -> str:
    """Return `try: journal COMMAND` for a word that people try instead of that command, or ""."""
    name = OTHER_WORDS.get(word)
    return f"try: journal {name}" if name else ""


def help_of(top: Any, words: Sequence[str]) -> str:
    """Return the help of a command, of all commands for no words.

    top: click context of the application. Raises UsageError for a command that does not exist.
    """
    context = top
    for word in words:
        below = subcommands(context.command)
        if word not in below:
            remedy = meant(word) if context is top else ""
            remedy = remedy or suggestion(word, below) or "journal help lists the commands"
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


def man_page(top: Any) -> str:
    """Return the page in the form that `man` reads. top: the application's click command.

    The wheel and `journal setup` install it: `journal help --man > cli/journal.1`.
    """
    return "\n".join(_lines(top)) + "\n"


def _lines(top: Any) -> Iterator[str]:
    from cli.install import source

    yield f'.TH JOURNAL 1 "" "journal {_escaped(source.version())}" "User Commands"'
    yield from (".SH NAME", _NAME)
    yield from (".SH SYNOPSIS", ".B journal", "[COMMAND] [ARGUMENTS]...")
    yield from (".SH DESCRIPTION", "Without a command: status, and the next useful command.")
    yield from ("Every reading command takes \\-\\-project DIR and \\-\\-json.",)
    heading = ""
    for panel, name, found in commands(top):
        if panel != heading:
            heading = panel
            yield f'.SH "{_escaped(panel.upper())}"'
        yield f".SS {_escaped(usage_of(name, found))}"
        yield from _paragraphs(str(found.help))
        for param in found.params:
            if param.param_type_name == "option":
                value = "" if param.is_flag else f" {param.metavar}"
                yield from (".TP", f"\\fB{_escaped(', '.join(param.opts) + value)}\\fR")
                yield _escaped(" ".join(str(param.help).split()))
    yield ".SH EXIT STATUS"
    for code, means in _CODES:
        yield from (".TP", code, means)


def _paragraphs(text: str) -> Iterator[str]:
    for number, part in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield _escaped(" ".join(part.split()))


def _escaped(text: str) -> str:
    """Escape what roff reads as its own."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
