"""The usual command line, read without the library that reads every one.

Loading that library takes longer than most commands. So a line that needs no explaining, whose
options are all known and whose values are in order, is read here; every other one (help, a mistake,
anything unusual) goes to `cli.app`, which alone says what is wrong with it.
Invariant: what is read here is read as `cli.app` reads it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from cli import command as commands
from cli.error import OK, report
from cli.table import function_of

if TYPE_CHECKING:
    from cli.table import Command, Param

__all__ = ["Call", "plain", "run"]

_SCOPED = ("project", "json", "session")
_EMPTY: dict[str, Any] = {"texts": None, "count": None, "flag": False}
_DIGITS = 15


class Call(NamedTuple):
    """A command, what its function is given, and what its scope is."""

    row: Command
    given: dict[str, Any]
    scoped: dict[str, Any]


def run(arguments: list[str]) -> int:
    """Run one command line of this process; give the exit code."""
    call = plain(arguments)
    if call is None:
        from cli.app import run as run_any

        return run_any(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        from cli.scope import Scope

        code = function_of(call.row)(Scope(os.environ, **call.scoped), **call.given)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 (as in cli.app)
        return report(error, os.environ)
    return code if isinstance(code, int) else OK


def plain(arguments: list[str]) -> Call | None:
    """Read a command line; None where that is not for here."""
    rows = {row.name: row for row in commands.rows()}
    for words in (2, 1):
        row = rows.get(" ".join(arguments[:words])) if len(arguments) >= words else None
        if row:
            return _read(row, arguments[words:])
    return None


def _read(row: Command, rest: list[str]) -> Call | None:
    flags = {flag: param for param in row.params for flag in param.flags}
    places = [param for param in row.params if not param.flags]
    found: dict[str, Any] = {}
    free: list[str] = []
    at = 0
    while at < len(rest):
        word = rest[at]
        at += 1
        if not word.startswith("-"):
            free.append(word)
            continue
        name, equals, value = word.partition("=")
        param = flags.get(name)
        if param is None or (equals and not name.startswith("--")):
            return None
        if param.kind == "flag":
            if equals:
                return None
            found[param.name] = True
            continue
        if not equals:
            if at == len(rest) or rest[at].startswith("-"):
                return None
            value = rest[at]
            at += 1
        if not _put(found, param, value):
            return None
    if not _place(found, places, free):
        return None
    return _call(row, found)


def _place(found: dict[str, Any], places: list[Param], free: list[str]) -> bool:
    """Give the free words to the arguments in their order."""
    for number, param in enumerate(places):
        if param.kind == "texts" and number == len(places) - 1:
            if free:
                found[param.name] = free
            return True
        if param.kind == "texts":
            return False
        if free and not _put(found, param, free.pop(0)):
            return False
    return not free


def _put(found: dict[str, Any], param: Param, value: str) -> bool:
    """Note a value; False where it is none, or one that has to be explained."""
    if not value:
        return False
    if param.kind == "texts":
        found.setdefault(param.name, []).append(value)
        return True
    if param.name in found or (param.words and value not in param.words):
        return False
    if param.kind == "count":
        if not (value.isascii() and value.isdigit() and len(value) <= _DIGITS):
            return False
        found[param.name] = int(value)
        return True
    found[param.name] = value
    return True


def _call(row: Command, found: dict[str, Any]) -> Call | None:
    given: dict[str, Any] = {}
    for param in row.params:
        if param.required and param.name not in found:
            return None
        given[param.name] = found.get(param.name, _EMPTY.get(param.kind, ""))
    scoped = {name: given.pop(name) for name in _SCOPED if name in given}
    return Call(row, given, scoped)
