"""The man page, from the commands themselves: `journal help --man`.

The wheel and `journal setup` install cli/journal.1: `journal help --man > cli/journal.1`.
"""

from collections.abc import Iterator
from typing import Any

from cli.install.source import find
from cli.manual import commands, usage_of

_NAME = "journal \\- event-sourced journal for Claude Code"
_CODES = (("0", "OK"), ("1", "a problem was found"), ("2", "wrong usage"), ("3", "cannot read"))


def man_page(top: Any) -> str:
    """Return the page in the form that `man` reads. top: the application's click command."""
    return "\n".join(_lines(top)) + "\n"


def _lines(top: Any) -> Iterator[str]:
    yield f'.TH JOURNAL 1 "" "journal {_escaped(find().version)}" "User Commands"'
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
