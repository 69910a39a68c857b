"""The learnings view: the stock as a hook last saw it, and what the journal saw of its making."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cli.view.request import ViewContext

__all__ = ["learnings"]


def learnings(context: ViewContext) -> dict[str, Any]:
    """Stock, then the entries that were recorded or confirmed through the journal."""
    state = context.state("learnings")
    return {
        "stock": state.stock,
        "stock_seq": state.stock_seq or None,
        "recorded": state.recorded,
        "confirmed": state.confirmed,
        "since_compound": state.fresh,
        "entries": [
            {
                "title": entry.title,
                "file": entry.file or None,
                "phases": entry.phases,
                "recorded": entry.recorded or None,
                "confirmed": entry.confirmed or None,
                "last_confirmed": entry.last or None,
            }
            for entry in state.entries.values()
        ],
    }
