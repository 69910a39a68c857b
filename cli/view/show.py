"""`journal view NAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.read import outcome
from cli.render.text import emit_json
from cli.view import NAMES
from cli.view.request import made
from journal.errors import UsageError

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["view"]


def view(scope: Scope, *, name: str, until: str, write: bool) -> int:
    """Print one view as a JSON object, with or without --json."""
    if write and (name != "stage" or until):
        raise UsageError(
            "--write is for the stage view, as it is now", "journal view stage --write"
        )
    if name not in NAMES:
        raise UsageError(f"there is no view {name}", f"one of: {', '.join(NAMES)}")
    shown, folded = made(scope, name, until)
    emit_json(shown)
    if write:
        from cli.work.stage_files import write as write_files

        write_files(scope, shown)
    return outcome(folded.reader)
