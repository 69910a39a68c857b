"""`journal checkpoint`: save a point to recover from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cli.error import OK, warn
from cli.render.text import emit, emit_json
from cli.work.context import desk
from projections.unit import current

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["checkpoint"]

_SUMMARY = 400  # characters that recovery tells again


def checkpoint(scope: Scope, *, summary: str) -> int:
    """Save one, with the unit that is under way."""
    text = " ".join((sys.stdin.read() if summary == "-" else summary).split())
    if len(text) > _SUMMARY:
        warn(f"only the first {_SUMMARY} of {len(text):,} characters are kept")
        text = text[: _SUMMARY - 1] + "…"
    with desk(scope, scope.writing_session()) as at:
        unit = current(at.views.unit.sessions.get(at.sid))
        event = at.event(
            "checkpoint.saved",
            summary=text,
            cause="asked",
            unit=unit.unit if unit is not None else "",
        )
        seq = at.append(event)[0]
    if scope.json:
        body = {name: value for name, value in event.items() if name != "v"}
        emit_json({"checkpoint_id": f"cp-{seq}", "seq": seq, **body})
    else:
        emit([f"#{seq} checkpoint cp-{seq}" + (f": {event['summary']}" if text else "")])
    return OK
