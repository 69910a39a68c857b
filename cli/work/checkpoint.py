"""`journal checkpoint`: save a point to recover from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cli.write import bounded, report_event, stored, transaction, writing_session
from projections.unit import current

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["checkpoint"]

_SUMMARY = 400  # characters that recovery can show


def checkpoint(scope: Scope, *, summary: str) -> int:
    """Append a save point with the current unit of work."""
    text = " ".join((sys.stdin.read() if summary == "-" else summary).split())
    text = bounded(text, _SUMMARY, "the summary")
    with transaction(scope, writing_session(scope)) as journal:
        unit = current(journal.views.unit.sessions.get(journal.sid))
        name = unit.unit if unit is not None else ""
        event = journal.event("checkpoint.saved", summary=text, cause="asked", unit=name)
        (seq,) = journal.append(event)
    shown = stored(event)
    line = f"#{seq} checkpoint cp-{seq}" + (f": {shown['summary']}" if text else "")
    return report_event(scope, seq, {"checkpoint_id": f"cp-{seq}", **shown}, [line])
