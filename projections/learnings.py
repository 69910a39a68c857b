"""Which learnings were recorded and confirmed, and when.

The learnings files have the current text; this is their history. Invariant: it depends on the order
of events alone, so it does not have learnings that were written without the journal.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from journal.events.base import Stock
from journal.events.compact import CompactStarted
from journal.events.session import SessionStarted
from journal.events.stock import CompoundRan, LearningConfirmed, LearningRecorded
from projections.projection import Projection


class LearningHistory(Struct, frozen=True, omit_defaults=True):
    """A learning.

    recorded: seq of its recording, 0 if it is older than the journal. confirmed: number of
    confirmations, as of `last` (time of the last one).
    """

    file: str = ""
    title: str = ""
    phases: list[str] = []
    recorded: int = 0
    confirmed: int = 0
    last: str = ""


class Learnings(Struct, frozen=True, omit_defaults=True):
    """entries: file and title, separated by a tab → LearningHistory.

    fresh: number recorded or confirmed since the last compound. stock: the learnings files as last
    counted by a hook, at `stock_seq`; None before that.
    """

    entries: dict[str, LearningHistory] = {}
    recorded: int = 0
    confirmed: int = 0
    fresh: int = 0
    stock: Stock | None = None
    stock_seq: int = 0


def _with_entry(
    state: Learnings, event: LearningRecorded | LearningConfirmed, **changes: object
) -> Learnings:
    """Return the state in which an event changed a learning, and one more is fresh."""
    key = f"{event.file}\t{event.title}"
    entry = state.entries.get(key) or LearningHistory(file=event.file, title=event.title)
    is_known = not event.phase or event.phase in entry.phases
    phases = entry.phases if is_known else [*entry.phases, event.phase]
    entries = {**state.entries, key: replace(entry, phases=phases, **changes)}
    return replace(state, entries=entries, fresh=state.fresh + 1)


def _recorded(state: Learnings, event: LearningRecorded) -> Learnings:
    state = _with_entry(state, event, recorded=event.seq)
    return replace(state, recorded=state.recorded + 1)


def _confirmed(state: Learnings, event: LearningConfirmed) -> Learnings:
    state = _with_entry(state, event, confirmed=event.count, last=event.ts)
    return replace(state, confirmed=state.confirmed + 1)


def _compounded(state: Learnings, _event: CompoundRan) -> Learnings:
    return replace(state, fresh=0) if state.fresh else state


def _stock_counted(state: Learnings, event: SessionStarted | CompactStarted) -> Learnings:
    if event.stock is None or event.stock == state.stock:
        return state
    return replace(state, stock=event.stock, stock_seq=event.seq)


_HANDLERS: dict[str, Callable[..., Learnings]] = {
    "learning.recorded": _recorded,
    "learning.confirmed": _confirmed,
    "compound.ran": _compounded,
    "session.started": _stock_counted,
    "compact.started": _stock_counted,
}
PROJECTION = Projection("learnings", 1, Learnings(), _HANDLERS, any_agent=_HANDLERS)
