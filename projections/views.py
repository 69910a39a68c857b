"""The views that hooks fold, their projections, and the hints that a checkpoint stores of them."""

from msgspec import Struct

from projections import (
    compound,
    language,
    ledger,
    lineage,
    past,
    pressure,
    progress,
    queue,
    recovery,
    stage,
    unit,
)
from projections.compound import Compound
from projections.language import Language
from projections.ledger import Ledger
from projections.lineage import Lineage
from projections.past import Past
from projections.prefilter import HINTS
from projections.pressure import Pressure
from projections.progress import Progress
from projections.queue import Queue
from projections.recovery import Recovery
from projections.stage import Stage
from projections.unit import Units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.projection import Projection


class Views(Struct, frozen=True):
    """The state of each projection that hooks fold. Its size is bounded, see `MOST_SESSIONS`."""

    lineage: Lineage = Lineage()
    pressure: Pressure = Pressure()
    compound: Compound = Compound()
    recovery: Recovery = Recovery()
    stage: Stage = Stage()
    progress: Progress = Progress()
    unit: Units = Units()
    past: Past = Past()
    queue: Queue = Queue()
    language: Language = Language()
    ledger: Ledger = Ledger()


HOOK_PROJECTIONS: "tuple[Projection, ...]" = (
    lineage.PROJECTION,
    pressure.PROJECTION,
    compound.PROJECTION,
    recovery.PROJECTION,
    stage.PROJECTION,
    progress.PROJECTION,
    unit.PROJECTION,
    past.PROJECTION,
    queue.PROJECTION,
    language.PROJECTION,
    ledger.PROJECTION,
)

VERSION = " ".join(f"{item.name}:{item.version}" for item in HOOK_PROJECTIONS)


def hints(views: Views) -> dict[str, object]:
    """Return the facts that a hook reads before it imports the views: those of the prefilter.

    If a name or a meaning changes, raise `HINTS` there.
    """
    return {
        "format": HINTS,
        **pressure.hints(views.pressure),
        "unsaved": compound.unpromoted(views.compound),
        "workflows": [sid for sid, work in views.compound.sessions.items() if work.used],
        "stages": stage.hints(views.stage),
        "checklists": unit.hints(views.unit),
        "dropped": recovery.hints(views.recovery),
        "decided": recovery.undelivered(views.recovery),
        "unasked": lineage.hints(views.lineage),
        "past": bool(views.past.cards) or any(n.end for n in views.lineage.sessions.values()),
        "spent": ledger.hints(views.ledger),
        "queued": queue.hints(views.queue, views.lineage),
    }
