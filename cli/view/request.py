"""The command `journal view`, and the other commands that print a view or a part of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.read import fold, session_of
from cli.render.text import emit, emit_json
from cli.view import NAMES
from cli.view.context import made
from journal.errors import UsageError
from journal.text import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cli.scope import Scope

__all__ = ["show_rows", "show_view", "view"]


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


def show_rows(
    scope: Scope,
    name: str,
    rows: Callable[[Any, str], list[dict[str, Any]]],
    lines: Callable[[list[dict[str, Any]], int], list[str]],
    none: str,
) -> int:
    """Print the rows a projection's state has for this session; `none` is the text without any."""
    found: list[dict[str, Any]] = []
    if not scope.exists():
        scope.show(found, [none])
        return OK
    folded = fold(scope, (name,))
    found = rows(folded.states[name], scope.own_session(session_of(scope, folded)))
    scope.show(found, lines(found, scope.columns) or [none])
    return OK


def view(scope: Scope, *, name: str, until: str, write: bool) -> int:
    """Print one view as a JSON object, with or without --json."""
    if write and (name != "stage" or until):
        raise UsageError(
            "--write is for the stage view, as it is now", "journal view stage --write"
        )
    if name not in NAMES:
        raise UsageError(f"there is no view {name}", f"one of: {', '.join(NAMES)}")
    shown = made(scope, name, until)
    emit_json(shown)
    if write:
        from cli.work.stage_files import write as write_files

        write_files(scope, shown)
    return OK
