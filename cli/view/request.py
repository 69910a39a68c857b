"""The command `journal view`, and the other commands that print a view or a part of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.error import OK, one_of
from cli.render.text import emit, emit_json
from cli.view import NAMES
from cli.view.context import made
from journal.errors import UsageError
from journal.text import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cli.scope import Scope

__all__ = ["show_view", "view"]


def show_view(
    scope: Scope, name: str, lines: Callable[[dict[str, Any]], Iterable[str]], none: str
) -> int:
    """Print one view, as JSON or as its lines, wrapped; `none` is the text without a journal."""
    if not scope.exists() and not scope.json:
        emit([none])
        return OK
    shown = made(scope, name)
    scope.show(shown, (part for line in lines(shown) for part in _wrapped(line, scope.columns)))
    return OK


def _wrapped(line: str, columns: int) -> list[str]:
    """Break a line; the parts have its indentation."""
    text = line.lstrip(" ")
    return wrapped(text, columns, " " * (len(line) - len(text)))


def view(scope: Scope, *, name: str, until: str, write: bool) -> int:
    """Print one view as a JSON object, with or without --json."""
    if write and (name != "stage" or until):
        raise UsageError(
            "--write is for the stage view, as it is now", "journal view stage --write"
        )
    shown = made(scope, one_of("view", name, NAMES), until)
    emit_json(shown)
    if write:
        from cli.work.stage_files import write as write_files

        write_files(scope, shown)
    return OK
