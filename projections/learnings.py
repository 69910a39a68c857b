"""What the journal saw of the stock: which learnings were recorded and confirmed, and when.

The learnings files say how things are; this says how they came about. Invariant: it follows from
the order of events alone, and knows nothing that was written past the journal.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from journal.events.facts import Stock
from projections.projection import Projection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.compact import CompactStarted
    from journal.events.session import SessionStarted
    from journal.events.stock import CompoundRan, LearningConfirmed, LearningRecorded

__all__ = ["PROJECTION", "Entry", "Learnings"]


class Entry(Struct, frozen=True, omit_defaults=True):
    """A learning. recorded: seq (0: before the journal); confirmed: its count when last."""

    file: str = ""
    title: str = ""
    phases: list[str] = []
    recorded: int = 0
    confirmed: int = 0
    last: str = ""


class Learnings(Struct, frozen=True, omit_defaults=True):
    """entries: by file and title. fresh: recorded or confirmed since the last compound.

    stock: the files as a hook last saw them (None: it saw none), seen at `stock_seq`.
    """

    entries: dict[str, Entry] = {}
    recorded: int = 0
    confirmed: int = 0
    fresh: int = 0
    stock: Stock | None = None
    stock_seq: int = 0


def _entry(state: Learnings, file: str, title: str) -> tuple[str, Entry]:
    key = f"{file}\t{title}"
    return key, state.entries.get(key) or Entry(file=file, title=title)


def _joined(phases: list[str], phase: str) -> list[str]:
    return phases if not phase or phase in phases else [*phases, phase]


def _recorded(state: Learnings, event: LearningRecorded) -> Learnings:
    key, entry = _entry(state, event.file, event.title)
    entry = replace(entry, recorded=event.seq, phases=_joined(entry.phases, event.phase))
    return replace(
        state,
        entries={**state.entries, key: entry},
        recorded=state.recorded + 1,
        fresh=state.fresh + 1,
    )


def _confirmed(state: Learnings, event: LearningConfirmed) -> Learnings:
    key, entry = _entry(state, event.file, event.title)
    entry = replace(
        entry, confirmed=event.count, last=event.ts, phases=_joined(entry.phases, event.phase)
    )
    return replace(
        state,
        entries={**state.entries, key: entry},
        confirmed=state.confirmed + 1,
        fresh=state.fresh + 1,
    )


def _compounded(state: Learnings, _event: CompoundRan) -> Learnings:
    return replace(state, fresh=0) if state.fresh else state


def _looked(state: Learnings, event: SessionStarted | CompactStarted) -> Learnings:
    if event.stock is None or event.stock == state.stock:
        return state
    return replace(state, stock=event.stock, stock_seq=event.seq)


PROJECTION = Projection(
    "learnings",
    1,
    Learnings(),
    {
        "learning.recorded": _recorded,
        "learning.confirmed": _confirmed,
        "compound.ran": _compounded,
        "session.started": _looked,
        "compact.started": _looked,
    },
)
