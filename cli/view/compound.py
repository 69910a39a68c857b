"""The compound and learnings views.

The first has the entries of the work log and which are saved as learnings, the second the learnings
files and what the journal recorded in them.
"""

from typing import Any

from cli.render.text import members
from cli.view.context import ViewContext
from projections.compound import Compound, CompoundWork, promoted_since_compact, unpromoted


def compound(context: ViewContext) -> dict[str, Any]:
    """Return work log, learnings and last compound; for a session, also its suggestions."""
    state = context.state("compound")
    flow = state.flow
    shown: dict[str, Any] = {
        "session": context.session or None,
        "unpromoted": unpromoted(state),
        "entries": flow.entries if flow else None,
        "headings": flow.headings if flow else [],
        "path": (flow.path or None) if flow else None,
        "ran": state.ran or None,
        "ran_at": state.ran_at or None,
        "covered": len(state.covered),
        **members(state, "promoted", "notes", "noted", "trimmed", "trimmed_unpromoted", "stock"),
    }
    if context.session:
        work = state.sessions.get(context.session) or CompoundWork()
        shown |= _compaction(state, context.session)
        shown |= {"phases_used": work.used, "suggested": work.suggested}
    else:
        shown["sessions"] = {sid: _compaction(state, sid) for sid in state.sessions}
    return shown


def _compaction(state: Compound, sid: str) -> dict[str, Any]:
    work = state.sessions.get(sid)
    since = promoted_since_compact(state, sid)
    return {"compact": (work.compact or None) if work else None, "compound_since_compact": since}


def learnings(context: ViewContext) -> dict[str, Any]:
    """Return the learnings files, and the entries recorded or confirmed through the journal."""
    state = context.state("learnings")
    return {
        "stock": state.stock,
        "stock_seq": state.stock_seq or None,
        "recorded": state.recorded,
        "confirmed": state.confirmed,
        "since_compound": state.fresh,
        "entries": [
            {
                **members(entry, "title", "file", "phases"),
                "recorded": entry.recorded or None,
                "confirmed": entry.confirmed or None,
                "last_confirmed": entry.last or None,
            }
            for entry in state.entries.values()
        ],
    }
