"""The views of the command line: for each name, what it is folded from and how it is shown.

To add a view: put its projection into `projections.registry` and a row into `VIEWS`. Invariant: a
view is a function of the folded journal and the settings; it reads no file and no clock of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["NAMES", "VIEWS", "View", "function_of"]


class View(NamedTuple):
    """needs: names of projections. function: `module:name` of `(ViewContext) -> dict`."""

    needs: tuple[str, ...]
    function: str


_HOOK = (
    "lineage",
    "pressure",
    "compound",
    "recovery",
    "stage",
    "progress",
    "unit",
    "past",
    "queue",
)


VIEWS: dict[str, View] = {
    "pressure": View(("pressure", "lineage"), "cli.view.pressure:pressure"),
    "compound": View(("compound",), "cli.view.compound:compound"),
    "stage": View(("stage", "pressure", "recovery"), "cli.work.stage_view:stage"),
    "progress": View(("progress",), "cli.work.progress_view:progress"),
    "unit": View(("unit",), "cli.work.unit_view:unit"),
    "recovery": View(_HOOK, "cli.view.recovery:recovery"),
    "lineage": View(("sessions",), "cli.view.sessions:lineage"),
    "sessions": View(("sessions",), "cli.view.sessions:sessions"),
    "learnings": View(("learnings",), "cli.view.compound:learnings"),
    "past": View(("past", "lineage"), "cli.view.past:past"),
    "queue": View(("queue", "lineage"), "cli.view.past:queue"),
}

NAMES = tuple(VIEWS)


def function_of(view: View) -> Callable[[Any], dict[str, Any]]:
    """Import the function of a view."""
    from importlib import import_module

    module, _, name = view.function.partition(":")
    found: Callable[[Any], dict[str, Any]] = getattr(import_module(module), name)
    return found
