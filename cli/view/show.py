"""`journal view NAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.error import UsageError
from cli.read import outcome
from cli.render import emit_json
from cli.view import NAMES
from cli.view.case import made

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["view"]


def view(scope: Scope, *, name: str, until: str) -> int:
    """Print one view as a JSON object, with or without --json."""
    if name not in NAMES:
        raise UsageError(f"there is no view {name}", f"one of: {', '.join(NAMES)}")
    shown, folded = made(scope, name, until)
    emit_json(shown)
    return outcome(folded.reader)
