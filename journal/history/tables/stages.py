"""Stages that finished, as the stage view has them, from the rows of `journal sql`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.clock import iso
from journal.events.registry import event_of
from projections import stage
from projections.fold import Fold

if TYPE_CHECKING:
    from journal.history.tables.engine import Engine

_STAGES = """
select project, type, seq, epoch_ms(ts), sid, stage, cycle, remaining, tokens, source, previous
from _facts where not imported and agent is null and (starts_with(type, 'stage.')
  or type in ('pressure.sampled', 'session.started'))
  and project in (select project from _facts where type = 'stage.finished')
order by project, seq
"""
_MEMBERS = ("seq", "ts", "sid", "stage", "cycle", "remaining", "tokens", "source", "previous")


def finished_stages(engine: Engine, since: str) -> list[stage.Span]:
    """Return the stages that finished since a time (ISO 8601), as the stage view has them."""
    found, project = [], ""
    fold = Fold([stage.PROJECTION])
    for name, kind, seq, at, sid, *rest in engine.run(_STAGES).all():
        if name != project:
            project, fold = name, Fold([stage.PROJECTION])
        fields = dict(zip(_MEMBERS, (seq, iso(at), sid or "", *rest), strict=True))
        fold.apply(event_of(kind, fields), kind)
        cycle = fold.states["stage"].sessions.get(sid) if kind == "stage.finished" else None
        if cycle and cycle.spans and cycle.spans[-1].finished == fields["ts"] >= since:
            found.append(cycle.spans[-1])
    return found
