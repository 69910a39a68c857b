"""The views of the command line: name → the projections it needs and its function.

To add a view, add its projection to `projections.registry` and a row to `VIEWS`. Invariant: a view
depends only on the folded journal and the settings; it reads no file and no clock.
"""

from typing import NamedTuple


class View(NamedTuple):
    """One view.

    needs: names of the projections to fold. function: `module:name` of a function from ViewContext
    to the fields of the view.
    """

    needs: tuple[str, ...]
    function: str


VIEWS: dict[str, View] = {
    "pressure": View(("pressure",), "cli.view.pressure:pressure"),
    "compound": View(("compound",), "cli.view.compound:compound"),
    "stage": View(("stage", "pressure"), "cli.work.stage_view:stage"),
    "progress": View(("progress",), "cli.work.progress_view:progress"),
    "unit": View(("unit",), "cli.work.unit:view"),
    "recovery": View(("recovery", "unit", "progress"), "cli.view.recovery:recovery"),
    "lineage": View(("sessions",), "cli.view.sessions:lineage"),
    "sessions": View(("sessions",), "cli.view.sessions:sessions"),
    "learnings": View(("learnings",), "cli.view.compound:learnings"),
    "past": View(("past", "lineage"), "cli.view.past:past"),
    "queue": View(("queue", "lineage"), "cli.view.past:queue"),
}

NAMES = tuple(VIEWS)
