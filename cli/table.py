"""What a command is, as data: its name, its parameters, its help, and where its function lies.

Invariant: nothing heavy is imported here. The application is built from rows of this kind, the
manual is written from them, and a function is imported when its command is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["JSON", "PROJECT", "READING", "SESSION", "WRITING", "Command", "Param", "function_of"]

Kind = Literal["text", "texts", "count", "flag", "word"]


class Param(NamedTuple):
    """One option (`flags` such as ("--type",)) or, without flags, one argument.

    kind: text, texts (any number of them), count (a whole number ≥ 0), flag, word (one of `words`).
    name: what the function calls it; a text that was not given is "", a count None.
    """

    name: str
    kind: Kind
    help: str
    flags: tuple[str, ...] = ()
    metavar: str = ""
    required: bool = False
    words: tuple[str, ...] = ()


class Command(NamedTuple):
    """One command. name: as typed, a space before a subcommand. group: heading in the help.

    function: `module:name` of `(scope, **params) -> exit code`. help: first line is the summary.
    Options called project, json and session go into the scope, not to the function.
    """

    name: str
    group: str
    function: str
    help: str
    params: tuple[Param, ...] = ()


PROJECT = Param(
    "project", "text", "Directory of the project, or name of its journal.", ("--project",), "DIR"
)
JSON = Param("json", "flag", "Print JSON, and nothing but JSON, on stdout.", ("--json",))
SESSION = Param("session", "text", "Session, by its id or a beginning of it.", ("--session",), "ID")

READING = (PROJECT, JSON)
WRITING = (PROJECT, JSON, SESSION)


def function_of(command: Command) -> Callable[..., int]:
    """Import the function of a command."""
    from importlib import import_module

    module, _, name = command.function.partition(":")
    found: Callable[..., int] = getattr(import_module(module), name)
    return found
