"""The command `journal view`, and the other commands that print a view or a part of one."""

from collections.abc import Callable, Iterable
from typing import Any

from cli.error import OK, one_of
from cli.render.text import emit, emit_json
from cli.scope import Scope
from cli.view import NAMES
from cli.view.context import build_view
from journal.errors import UsageError


def show_view(
    scope: Scope, name: str, lines: Callable[[dict[str, Any]], Iterable[str]], none: str
) -> int:
    """Print a view as JSON or as lines.

    Args:
        scope: the journal.
        name: of the view.
        lines: returns the lines of the view.
        none: what to print if there is no journal.

    """
    if not scope.exists() and not scope.json:
        emit([none])
        return OK
    shown = build_view(scope, name)
    return scope.show(shown, lines(shown))


def view(scope: Scope, *, name: str, until: str, write: bool) -> int:
    """Print a view as a JSON object, with or without --json. write: write the stage files, too."""
    if write and (name != "stage" or until):
        raise UsageError(
            "--write is for the stage view, as it is now", "journal view stage --write"
        )
    shown = build_view(scope, one_of("view", name, NAMES), until)
    emit_json(shown)
    if write:
        from cli.work.stage_files import write as write_files

        write_files(scope, shown)
    return OK
